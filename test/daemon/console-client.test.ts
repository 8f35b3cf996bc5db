import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { loadCheckedConfig } from '../../src/check-config/loaded-config.ts';
import { consoleConfigOf } from '../../src/console/console-config.ts';
import { ConsoleClient } from '../../src/daemon/console-client.ts';
import { HistoryFolder } from '../support/history-folder.ts';

test('the thread that makes pages ends once nobody asks for one, and the next reader gets another one', async () => {
  const folder = new HistoryFolder();
  folder.open().close();
  const threads: unknown[] = [];
  const note = (worker: unknown) => threads.push(worker);
  process.on('worker', note);
  const failures: unknown[] = [];
  const { config } = await loadCheckedConfig({
    flags: { 'history.file': folder.file },
    env: {},
    isOffline: true,
  });
  const restAfterMs = 300;
  const client = new ConsoleClient({
    config: consoleConfigOf(config),
    version: '1.2.3',
    viewChannel: 'usage of this test',
    reportChannel: 'reports of this test',
    onReportsHang: () => {},
    readLive: () => ({
      ...{ now: 0, startedAt: 0, overviews: [], accounts: [], problems: [], stalled: [] },
      historySizeBytes: 0,
    }),
    onFailed: error => failures.push(error),
    restAfterMs,
  });
  onTestFinished(async () => {
    process.off('worker', note);
    await client.close();
    folder[Symbol.dispose]();
  });
  const ask = async () =>
    (await client.answer({ path: '/words', search: '', acceptsGzip: false, showsPersonal: false })).status;

  expect([await ask(), await ask()]).toEqual([200, 200]);
  expect(threads).toHaveLength(1);
  await sleep(2 * restAfterMs);
  expect(await ask()).toBe(200);
  expect(threads).toHaveLength(2);
  expect(failures).toEqual([]);
  await client.close();
  expect(
    await client.answer({ path: '/words', search: '', acceptsGzip: false, showsPersonal: false }),
  ).toEqual({
    status: 503,
    headers: { 'Retry-After': '5' },
    line: 'The daemon is stopping, or loads its configuration.',
  });
});
