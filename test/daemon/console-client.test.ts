import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { loadCheckedConfig } from '../../src/check/config/loaded-config.ts';
import { consoleConfigOf } from '../../src/console/console-config.ts';
import { ConsoleClient } from '../../src/daemon/console-client.ts';
import { HistoryFolder } from '../support/history-folder.ts';

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
  const client = new ConsoleClient({
    config: consoleConfigOf(config),
    version: '1.2.3',
    serveReports: port => port.close(),
    onReportsHang: () => {},
    readLive: () => ({
      ...{ now: 0, startedAt: 0, overviews: [], accounts: [], problems: [], stalled: [] },
      historySizeBytes: 0,
    }),
    onFailed: error => failures.push(error),
    restAfterMs: 1,
  });
  onTestFinished(async () => {
    process.off('worker', note);
    await client.close();
    folder[Symbol.dispose]();
  });
  const ask = (gone?: AbortSignal) =>
    client.answer({ path: '/words', search: '', acceptsGzip: false, showsPersonal: false }, gone);

  // The second is asked for in the turn in which the first is answered.
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
  expect(threads).toHaveLength(1);
  const gone = new AbortController();
  const abandoned = ask(gone.signal);
  gone.abort();
  expect(await abandoned).toMatchObject({ status: 503, line: 'Nobody waits for the page.' });
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
