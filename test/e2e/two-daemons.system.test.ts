import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startWorld } from './simulated-world.ts';

test('a lock file that is removed lets no second daemon take the history of one that runs', async () => {
  const world = await startWorld({ projects: 2, historyDays: 1 });
  onTestFinished(() => world.close());
  const first = world.startDaemon();
  await first.untilServing();
  rmSync(join(world.folder, 'history.sqlite.lock'));
  for (const _ of ['at once', 'beside the lock file of the one before']) {
    const second = world.startDaemon();
    expect(await second.exited).toEqual({ code: 1, signal: null });
    expect(second.stderr()).toMatch(
      /^dbpm-exporter: .+history\.sqlite is in use by process \d+ on .+, whose lock file was removed: stop that one, or give this one a history file of its own$/m,
    );
  }
  expect(first.isRunning()).toBe(true);
  first.signal('SIGKILL');
  await first.exited;
  await world.startDaemon().untilServing();
});
