import { copyFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { MessagePort, Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { UsageClient } from '../../src/daemon/usage-client.ts';
import type { UsageDisplay } from '../../src/daemon/usage-worker.ts';
import type { Calculation } from '../../src/report/usage-view/calculator.ts';
import { Link } from '../../src/thread/link.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { patience } from '../support/patience.ts';
import { usualUsage } from '../support/usage-options.ts';

interface Watched {
  readonly refreshMs?: number;
  readonly restartMs?: number;
}

function watch(historyFile: string, { refreshMs = 60_000, restartMs = 60_000 }: Watched = {}) {
  const calculated: Calculation[] = [];
  const failed: unknown[] = [];
  const done = { count: 0 };
  const started = { count: 0 };
  const followed = { count: 0 };
  const setting = { ...usualUsage, historyFile, refreshMs };
  const listeners = {
    onStarted(calculations: MessagePort) {
      started.count += 1;
      const display: UsageDisplay = { showUsage: calculation => void calculated.push(calculation) };
      new Link(calculations, () => display);
      onTestFinished(() => calculations.close());
    },
    onFailed: (error: unknown) => failed.push(error),
    onDone: () => {
      done.count += 1;
    },
    onFollowed: () => {
      followed.count += 1;
    },
  };
  const usage = new UsageClient(setting, listeners, restartMs);
  onTestFinished(() => usage.close());
  return { usage, calculated, failed, done, started, followed };
}

test('what is known is worked out at once, and what comes soon after', async () => {
  using life = new LivedHistory({ now: Date.UTC(2026, 9, 20) / 1000, projects: 3, historyDays: 4 });
  const { usage, calculated, failed, done } = watch(life.folder.file, { refreshMs: 50 });
  const worked = vi.fn();
  void usage.workedOut.then(worked);
  await usage.nothingToShow;
  // It goes on looking: on a busy machine it has done so more than once.
  await vi.waitFor(() => expect(done.count).toBeGreaterThan(0), patience);
  expect(calculated).toEqual([]);
  expect(worked).not.toHaveBeenCalled();
  life.readLists();
  life.readProjects();
  const used = life.truth().projects.reduce((sum, project) => sum + project.cpu_used_sec_ever, 0);
  await vi.waitFor(() => {
    const [account] = calculated.at(-1)?.view.accounts ?? [];
    expect(account?.reconstruction).toBeDefined();
    expect(account?.computeSeconds).toBeCloseTo(used, 3);
  }, patience);
  expect(failed).toEqual([]);
  await usage.workedOut;
  // Once before the whole was looked at, and once with what that told.
  expect(calculated.length).toBeGreaterThanOrEqual(2);
});

test('a history that cannot be read is told, and nobody waits for it', async () => {
  using life = new LivedHistory({ now: Date.UTC(2026, 9, 20) / 1000, projects: 1 });
  const { usage, calculated, failed, done } = watch(join(life.folder.path, 'missing.sqlite'));
  await usage.nothingToShow;
  expect(calculated).toEqual([]);
  expect(String(failed[0])).toMatch(/missing\.sqlite cannot be used as a history/);
  expect(done.count).toBe(0);
});

test('a history that cannot be read at first is worked out once it can, by the same thread', async () => {
  using life = new LivedHistory({ now: Date.UTC(2026, 9, 20) / 1000, projects: 1 });
  life.readLists();
  life.readProjects();
  const file = join(life.folder.path, 'later.sqlite');
  const { calculated, failed, started } = watch(file, { refreshMs: 50 });
  await vi.waitFor(() => expect(failed.length).toBeGreaterThan(0), patience);
  life.folder.close(life.history);
  // At once, as the thread may look at any moment.
  copyFileSync(life.folder.file, `${file}.part`);
  renameSync(`${file}.part`, file);
  await vi.waitFor(() => expect(calculated.length).toBeGreaterThan(0), patience);
  expect(started.count).toBe(1);
});

test('a thread that ended is followed by another', async () => {
  using life = new LivedHistory({ now: Date.UTC(2026, 9, 20) / 1000, projects: 1 });
  const end = (worker: Worker) => void worker.terminate();
  process.once('worker', end);
  const { failed, started, followed } = watch(life.folder.file, { restartMs: 50 });
  await vi.waitFor(() => expect(started.count).toBeGreaterThan(1), patience);
  expect(failed).toEqual([
    expect.objectContaining({ message: 'the thread that works out use and cost ended' }),
  ]);
  expect(followed.count).toBe(1);
});

test('a thread that hangs in other work gives way to another at once, which is no failure', async () => {
  using life = new LivedHistory({ now: Date.UTC(2026, 9, 20) / 1000, projects: 1 });
  life.readLists();
  life.readProjects();
  const { usage, calculated, failed } = watch(life.folder.file);
  await usage.workedOut;
  const before = calculated.length;
  usage.startAnew();
  await vi.waitFor(() => expect(calculated.length).toBeGreaterThan(before), patience);
  expect(failed).toEqual([]);
});
