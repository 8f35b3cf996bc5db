import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startWorld } from './simulated-world.ts';

test('a daemon that lost the file to another one ends with exit code 1 and says to whom', async () => {
  const world = await startWorld({ projects: 2, historyDays: 1 });
  onTestFinished(() => world.close());
  const first = world.startDaemon();
  await first.untilServing();
  rmSync(join(world.folder, 'history.sqlite.lock'));
  const second = world.startDaemon();
  await second.untilServing();
  expect(await first.exited).toEqual({ code: 1, signal: null });
  expect(first.stderr()).toMatch(
    /^dbpm-exporter: the history was taken over by another dbpm-exporter \(process \d+ on .+\): this one stops, as both would count the same$/m,
  );
  expect(second.isRunning()).toBe(true);
});
