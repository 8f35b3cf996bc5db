import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { loadCheckedConfig } from '../../src/check/config/loaded-config.ts';
import { assetPaths } from '../../src/console/asset.ts';
import { consoleConfigOf } from '../../src/console/console-config.ts';
import type { LiveState } from '../../src/console/live-state.ts';
import { ConsoleClient } from '../../src/daemon/console-client.ts';
import { UsageClient } from '../../src/daemon/usage-client.ts';
import { usageOptionsOf } from '../../src/report/usage-view/options.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { LivedHistory } from '../support/lived-history.ts';

const live: LiveState = {
  ...{ now: 0, startedAt: 0, overviews: [], accounts: [], problems: [], stalled: [] },
  historySizeBytes: 0,
};

test('the thread that makes pages ends once nobody asks for one, and the next reader gets another one', async () => {
  const folder = new HistoryFolder();
  folder.open().close();
  const threads: Worker[] = [];
  const note = (worker: Worker) => threads.push(worker);
  process.on('worker', note);
  const failures: unknown[] = [];
  const { config } = await loadCheckedConfig({
    flags: { 'history.file': folder.file },
    env: {},
    isOffline: true,
  });
  const client = new ConsoleClient(consoleConfigOf(config), {
    version: '1.2.3',
    usage: () => ({ serveReports: port => port.close(), startAnew: () => {} }),
    readLive: () => live,
    problems: { fail: (_work, _about, error) => failures.push(error), succeed: () => {} },
    restAfterMs: 1,
  });
  onTestFinished(async () => {
    process.off('worker', note);
    await client.close();
    folder[Symbol.dispose]();
  });
  const question = { path: '/words', search: '', acceptsGzip: false, showsPersonal: false };
  const ask = (gone?: AbortSignal) => client.answer(question, gone);

  const { status } = await client.answer({ ...question, path: assetPaths.style });
  expect([status, threads.length], 'a file that pages load needs no thread').toEqual([200, 0]);

  // The second is asked for in the turn in which the first is answered.
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
  expect(threads).toHaveLength(1);
  const gone = new AbortController();
  const abandoned = ask(gone.signal);
  gone.abort();
  expect(await abandoned).toMatchObject({ status: 503, line: 'The reader of the page has gone.' });
  await once(threads[0] as Worker, 'exit');
  expect((await ask()).status).toBe(200);
  expect(threads).toHaveLength(2);
  expect(failures).toEqual([]);
  await client.close();
  expect(await ask()).toEqual({
    status: 503,
    headers: { 'Retry-After': '5' },
    line: 'The daemon is stopping, or loads its configuration.',
  });
});

test('reports are made by the thread that follows one that ended', async () => {
  using life = new LivedHistory({ now: Date.UTC(2026, 9, 20) / 1000, projects: 3, historyDays: 4 });
  life.readLists();
  life.readProjects();
  const { config } = await loadCheckedConfig({
    flags: { 'history.file': life.folder.file },
    env: { DBPM_API_KEY: 'a-key', DBPM_BASE_URL: 'http://localhost/' },
    isOffline: true,
  });
  const failures: unknown[] = [];
  const usage = new UsageClient(usageOptionsOf(config), {
    onStarted: calculations => calculations.close(),
    onFailed: error => failures.push(error),
    onFollowed: () => client.renewReports(),
    reports: consoleConfigOf(config),
  });
  const client = new ConsoleClient(consoleConfigOf(config), {
    version: '1.2.3',
    usage: () => usage,
    readLive: () => live,
    problems: { fail: (_work, _about, error) => failures.push(error), succeed: () => {} },
  });
  onTestFinished(async () => {
    await client.close();
    await usage.close();
  });
  const ask = async (path: string) => {
    const question = { path, search: '', acceptsGzip: false, showsPersonal: false };
    const answer = await client.answer(question);
    return answer.status;
  };
  expect(await ask('/api/v1/findings')).toBe(200);
  usage.startAnew();
  // There are no prices: the other thread says so.
  expect(await ask('/api/v1/cost')).toBe(400);
  expect(await ask('/api/v1/projects')).toBe(200);
  expect(failures).toEqual([]);
});
