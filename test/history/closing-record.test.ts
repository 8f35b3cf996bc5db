import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { readClosedPeriods } from '../../src/history/closing/closed-period-query.ts';
import { recordClosed } from '../../src/history/closing/closing-record.ts';
import type { ClosedPeriod } from '../../src/resources/closed-period.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import { day, projectsReading, startAt, wireProject } from '../support/reading-builder.ts';

const closed = (month: number, lines = '[]'): ClosedPeriod => ({
  account: 'main',
  fromAt: Date.UTC(2026, month - 1),
  untilAt: Date.UTC(2026, month),
  closedAt: startAt,
  fingerprint: 'f'.repeat(64),
  priceBook: '{}',
  lines,
  accepted: [],
});

/** Another process that closes two months, of which each has a megabyte of lines that hardly deflate. */
function closeElsewhere(file: string) {
  const module = new URL('../../src/history/closing/closing-record.ts', import.meta.url).href;
  const large = `randomBytes(500_000).toString('hex')`;
  const periods = [9, 10].map(month => JSON.stringify(closed(month, 'LINES')).replace('"LINES"', large));
  const code = `import { randomBytes } from 'node:crypto';
    import { recordClosed } from ${JSON.stringify(module)};
    process.stdout.write('ready');
    recordClosed(${JSON.stringify(file)}, [${periods.join(', ')}]);`;
  return spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test('a period is closed while a daemon records, which loses nothing', async () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([wireProject('p', { cpu_used_sec: 0 })]);
  const child = closeElsewhere(folder.file);
  let ended = false;
  const exit = once(child, 'exit').finally(() => {
    ended = true;
  });
  let readings = 0;
  // Some while the other one starts, and all the time from then on.
  for (; !ended || readings < 6; readings += 1) {
    const item = wireProject('p', { cpu_used_sec: readings });
    const record = () => history.recordAll([projectsReading(startAt + readings * 1000, [item])]);
    // On a busy machine a reading may have to be written again.
    while (record().some(recorded => 'error' in recorded)) await sleep(1);
    await sleep(1);
  }
  expect(await exit).toEqual([0, null]);
  expect(viewOf(history, startAt + readings * 1000).projects[0]?.cpuUsedSeconds).toBe(readings - 1);
  expect(readClosedPeriods(folder.file)).toHaveLength(2);
});

test('closing waits for its turn while another program writes', async () => {
  using folder = new HistoryFolder();
  folder.openListed([]);
  const other = new Database(folder.file);
  other.exec('BEGIN IMMEDIATE');
  const child = closeElsewhere(folder.file);
  await once(child.stdout, 'data');
  await sleep(300);
  expect(readClosedPeriods(folder.file)).toEqual([]);
  other.exec('COMMIT');
  other.close();
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(readClosedPeriods(folder.file)).toHaveLength(2);
});

test('killed at any moment, it has closed all periods or none, and the history is whole', async () => {
  const counts = new Set<number>();
  for (const killedAfterMs of [0, 5, 10, 20, 40, 80]) {
    using folder = new HistoryFolder();
    const history = folder.openListed([]);
    const child = closeElsewhere(folder.file);
    const exit = once(child, 'exit');
    await once(child.stdout, 'data');
    await sleep(killedAfterMs);
    child.kill('SIGKILL');
    await exit;
    counts.add(readClosedPeriods(folder.file).length);
    const reopened = folder.reopen(history);
    reopened.record(projectsReading(startAt + day, []));
    const database = new Database(folder.file, { readonly: true });
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    database.close();
  }
  expect([...counts].filter(count => count !== 0 && count !== 2)).toEqual([]);
});

test('of two that close the same period one is told so, and changes nothing', () => {
  using folder = new HistoryFolder();
  folder.openListed([]);
  recordClosed(folder.file, [closed(10)]);
  expect(() => recordClosed(folder.file, [closed(11), closed(10)])).toThrow(
    'it was closed meanwhile: list what is closed with close --list',
  );
  expect(readClosedPeriods(folder.file).map(({ fromAt }) => fromAt)).toEqual([Date.UTC(2026, 9)]);
});

test('a history of before has no closed periods, and is not written until the daemon has brought it up to date', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([]);
  folder.close(history);
  const database = new Database(folder.file);
  database.exec('DROP TABLE closed_period; PRAGMA user_version = 5');
  database.close();
  expect(readClosedPeriods(folder.file)).toEqual([]);
  expect(() => recordClosed(folder.file, [closed(10)])).toThrow(
    'was last written by an older dbpm-exporter: start the daemon on it once, then try again',
  );
});
