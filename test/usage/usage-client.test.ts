import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { UsageClient } from '../../src/daemon/usage-client.ts';
import type { Calculation } from '../../src/usage/calculator.ts';
import type { UsageOptions } from '../../src/usage/options.ts';
import { LivedHistory } from '../support/lived-history.ts';

const patience = { timeout: 10_000, interval: 20 };

function watch(historyFile: string, refreshMs = 60_000, restartMs = 60_000) {
  const calculated: Calculation[] = [];
  const failed: unknown[] = [];
  const done = { count: 0 };
  const setting: UsageOptions = {
    historyFile,
    accounts: ['main'],
    zone: 'UTC',
    refreshMs,
    anomalyComputeSeconds: 3600,
    groupings: [],
    budgets: [],
  };
  const listeners = {
    onStarted(calculations: MessagePort) {
      calculations.on('message', (one: Calculation) => calculated.push(one));
      onTestFinished(() => calculations.close());
    },
    onFailed: (error: unknown) => failed.push(error),
    onDone: () => {
      done.count += 1;
    },
  };
  const usage = new UsageClient(setting, listeners, restartMs);
  onTestFinished(() => usage.close());
  return { usage, calculated, failed, done };
}

test('what is known is worked out at once, and what comes soon after', async () => {
  using life = new LivedHistory({ now: Date.UTC(2026, 9, 20) / 1000, projects: 3, historyDays: 4 });
  const { usage, calculated, failed, done } = watch(life.folder.file, 50);
  await usage.nothingToShow;
  expect(calculated).toEqual([]);
  life.readLists();
  life.readProjects();
  const used = life.truth().projects.reduce((sum, project) => sum + project.cpu_used_sec_ever, 0);
  await vi.waitFor(() => {
    const [account] = calculated.at(-1)?.view.accounts ?? [];
    expect(account?.reconstruction).toBeDefined();
    expect(account?.computeSeconds).toBeCloseTo(used, 3);
  }, patience);
  expect(failed).toEqual([]);
  await vi.waitFor(() => expect(done.count).toBeGreaterThan(0), patience);
});

test('a history that cannot be read is told, and nobody waits for it', async () => {
  using life = new LivedHistory({ now: Date.UTC(2026, 9, 20) / 1000, projects: 1 });
  const { usage, calculated, failed, done } = watch(join(life.folder.path, 'missing.sqlite'));
  await usage.nothingToShow;
  expect(calculated).toEqual([]);
  expect(String(failed[0])).toMatch(/missing\.sqlite cannot be used as a history/);
  expect(done.count).toBe(0);
});

test('a thread that ended is followed by another', async () => {
  using life = new LivedHistory({ now: Date.UTC(2026, 9, 20) / 1000, projects: 1 });
  life.readLists();
  life.readProjects();
  const file = join(life.folder.path, 'later.sqlite');
  const { calculated, failed } = watch(file, 60_000, 50);
  await vi.waitFor(() => expect(failed.length).toBeGreaterThan(0), patience);
  life.folder.close(life.history);
  copyFileSync(life.folder.file, file);
  await vi.waitFor(() => expect(calculated.length).toBeGreaterThan(0), patience);
});
