import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startWorld } from './simulated-world.ts';
import { describeTruth } from './truth-suite.ts';

describeTruth(30);

test('a second daemon on the same history is refused with one sentence', async () => {
  const world = await startWorld({ seed: 1, projects: 1, historyDays: 0 });
  onTestFinished(() => world.close());
  await world.startDaemon().untilServing();
  const second = world.startDaemon();
  expect(await second.exited).toEqual({ code: 1, signal: null });
  const file = join(world.folder, 'history.sqlite');
  expect(second.stderr()).toBe(
    `dbpm-exporter: ${file} is in use by another dbpm-exporter: stop that one, or give this one a history file of its own\n`,
  );
});
