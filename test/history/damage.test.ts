import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openOrBeginAnew } from '../../src/history/file/damaged-file.ts';
import { newestVersion } from '../../src/history/file/format.ts';
import { checkHistoryFile } from '../../src/history/file/history-check.ts';
import { findNewestBackup } from '../../src/history/file/newest-backup.ts';
import { trySalvage } from '../../src/history/salvage/saved-history.ts';
import { examineHistory } from '../../src/history/soundness/examination.ts';
import { damageTable, overwrite } from '../support/damaged-history.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { startAt, wireProject } from '../support/reading-builder.ts';

const now = Date.parse('2026-11-22T09:25:00.123Z');

function begin(folder: HistoryFolder) {
  return openOrBeginAnew(folder.file, { open: () => folder.open(), save: trySalvage, now });
}

function writeHistory(folder: HistoryFolder): void {
  folder.close(folder.openListed([wireProject('p', { cpu_used_sec: 70 })]));
}

test('a sound history is opened as it is', () => {
  using folder = new HistoryFolder();
  writeHistory(folder);
  const { opened, setAside } = begin(folder);
  expect(setAside).toBeUndefined();
  expect(viewOf(opened, startAt).cpuUsedSeconds).toBe(70);
});

test.each([
  ['header', 0, 'file is not a database'],
  ['schema', 100, 'database disk image is malformed'],
])('one with a damaged %s is set aside as it is, and another one goes on', (_, offset, problem) => {
  using folder = new HistoryFolder();
  writeHistory(folder);
  overwrite(folder.file, offset, 100);
  const before = readFileSync(folder.file);
  expect(checkHistoryFile(folder.file)).toBeUndefined();
  const { opened, setAside } = begin(folder);
  const aside = `${folder.file}.damaged-20261122T092500Z`;
  const saved = { isWhole: true, lost: [], begunAnew: [], leftOut: [] };
  expect(setAside).toEqual({ at: now, file: aside, problem: expect.stringContaining(problem), saved });
  expect(readFileSync(aside).equals(before)).toBe(true);
  expect(viewOf(opened, startAt).cpuUsedSeconds).toBe(70);
  if (setAside !== undefined) opened.noteSetAside(setAside);
  expect(folder.reopen(opened).setAside()).toEqual(setAside);
});

test('of one with more damage is said what is lost, and what begins anew', () => {
  using folder = new HistoryFolder();
  writeHistory(folder);
  damageTable(folder.file, 'collector_error');
  overwrite(folder.file, 0, 100);
  const { opened, setAside } = begin(folder);
  expect(setAside?.saved).toEqual({
    isWhole: false,
    lost: ['collector_error: all that there was'],
    begunAnew: ['dbpm_collector_errors_total of main'],
    leftOut: [],
  });
  expect(viewOf(opened, startAt).cpuUsedSeconds).toBe(70);
});

test.each([
  ['of which nothing can be read', () => ({}), undefined],
  ['that cannot be saved', () => ({ failure: 'disk full' }), 'disk full'],
])('in the place of one %s a new one is begun', (_, save, failure) => {
  using folder = new HistoryFolder();
  writeHistory(folder);
  overwrite(folder.file, 0, 100);
  const { opened, setAside } = openOrBeginAnew(folder.file, { open: () => folder.open(), save, now });
  expect(setAside?.failure).toBe(failure);
  expect(setAside?.saved).toBeUndefined();
  expect(viewOf(opened, startAt).projects).toEqual([]);
});

test('what cannot be written is no reason not to start', () => {
  using folder = new HistoryFolder();
  writeHistory(folder);
  overwrite(folder.file, 0, 100);
  expect(trySalvage(folder.file, join(folder.path, 'nowhere', 'new.sqlite')).failure).toMatch(/ENOENT/);
  writeFileSync(folder.file, Buffer.alloc(50_000));
  expect(trySalvage(folder.file, join(folder.path, 'new.sqlite'))).toEqual({});
});

test('the newest other history in its folder is offered as its backup', () => {
  using folder = new HistoryFolder();
  writeHistory(folder);
  expect(findNewestBackup(folder.file)).toBeUndefined();
  const copies = ['a.sqlite', 'b.sqlite', 'dbpm.sqlite.damaged-20261122T092500Z', 'c.sqlite.unfinished'];
  for (const [index, name] of copies.entries()) {
    copyFileSync(folder.file, join(folder.path, name));
    utimesSync(join(folder.path, name), 1000 + index, 1000 + index);
  }
  writeFileSync(join(folder.path, 'notes.txt'), 'no history');
  expect(findNewestBackup(folder.file)).toEqual({ file: join(folder.path, 'b.sqlite'), at: 1_001_000 });
});

test('a file that was never a history is refused, and stays where it is', () => {
  using folder = new HistoryFolder();
  writeFileSync(folder.file, 'notes '.repeat(1000));
  expect(checkHistoryFile(folder.file)).toMatch(/^which is no history/);
  expect(() => begin(folder)).toThrow(/file is not a database/);
  expect(readFileSync(folder.file, 'utf8')).toMatch(/^notes/);
});

test('a history that cannot be opened for another reason stays where it is', () => {
  using folder = new HistoryFolder();
  const first = folder.openListed([]);
  expect(() => begin(folder)).toThrow();
  folder.close(first);
  rmSync(folder.file);
  expect(begin(folder).setAside).toBeUndefined();
  expect(readdirSync(folder.path).some(name => name.includes('damaged'))).toBe(false);
  expect(existsSync(folder.file)).toBe(true);
});

const lived = new LivedHistory({ now: Date.parse('2026-11-20T00:00:00Z') / 1000, projects: 6 });
lived.watch(2 * 86_400, { listEverySeconds: 600, projectsEvery: 2 });
lived.folder.close(lived.history);
const whole = readFileSync(lived.folder.file);
lived[Symbol.dispose]();

/** A history that watched six projects for two days, closed. */
function writeWhole(): string {
  const folder = new HistoryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  writeFileSync(folder.file, whole);
  return folder.file;
}

function change(file: string, sql: string): void {
  const database = new Database(file);
  database.pragma('foreign_keys = OFF');
  database.exec(sql);
  database.close();
}

describe('a sound history', () => {
  test('is found so, and what it holds is told, while nothing of it is changed', () => {
    const file = writeWhole();
    const done: number[] = [];
    const { flaws, holding, format, sizeBytes } = examineHistory(file, part => done.push(part));
    expect(flaws).toEqual([]);
    expect(format).toBe(newestVersion);
    expect(sizeBytes).toBe(whole.length);
    expect(holding).toMatchObject({ accounts: ['main'], projects: 6, closedPeriods: 0 });
    expect(holding?.operations).toBeGreaterThan(0);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(done.length).toBeGreaterThan(20);
    expect(readFileSync(file).equals(whole)).toBe(true);
  });

  test('is found so while a daemon writes it, and as a copy of its file and its log', () => {
    using folder = new HistoryFolder();
    folder.openListed([]);
    expect(examineHistory(folder.file).flaws).toEqual([]);
    const copy = join(folder.path, 'copy.sqlite');
    for (const suffix of ['', '-wal']) copyFileSync(folder.file + suffix, copy + suffix);
    expect(examineHistory(copy).flaws).toEqual([]);
  });

  test('of an older format is found so, without what it holds', () => {
    const file = writeWhole();
    change(file, `PRAGMA user_version = ${newestVersion - 1}`);
    expect(examineHistory(file)).toMatchObject({ flaws: [], format: newestVersion - 1 });
  });
});

describe('a history is not sound', () => {
  test.each<[string, (file: string) => void, RegExp]>([
    ['with a header that is gone', file => overwrite(file, 0, 100), /^it is no history/],
    ['with a text in its place', file => writeFileSync(file, 'notes '.repeat(500)), /^it is no history/],
    ['that is empty', file => truncateSync(file, 0), /^it is empty/],
    ['full of zeros', file => writeFileSync(file, Buffer.alloc(whole.length)), /^it is no history/],
    [
      'of a newer version',
      file => change(file, 'PRAGMA user_version = 99'),
      /^it was written by a newer .* 99/,
    ],
    ['of another program', file => change(file, 'PRAGMA application_id = 7'), /^it is a database of another/],
    ['with a schema that cannot be read', file => overwrite(file, 100, 1000), /malformed/],
    [
      'that was cut off',
      file => truncateSync(file, Math.floor(statSync(file).size / 2 / 4096) * 4096),
      /malformed/,
    ],
    [
      'with a log that cannot be read',
      file => writeFileSync(`${file}-wal`, Buffer.alloc(5000, 0x5a)),
      /^its write-ahead log cannot be read: what was in it alone is lost$/,
    ],
    ['with a damaged page', file => damageTable(file, 'cpu_sample'), /^table cpu_sample: /],
    ['with a damaged index', file => damageTable(file, 'operation_created'), /^table operation: /],
    [
      'with rows of nothing',
      file => change(file, 'DELETE FROM endpoint'),
      /^table state_interval: \d+ rows of no endpoint$/m,
    ],
    [
      'with a counter that is negative',
      file => change(file, 'UPDATE operation_count SET count = -1'),
      /^table operation_count: \d+ rows with a negative count$/m,
    ],
    [
      'with more operations than were counted',
      file => change(file, 'DELETE FROM operation_count'),
      /^table operation_count: \d rows of projects with more operations/m,
    ],
    [
      'with an account that is not the sum of its projects',
      file => change(file, 'UPDATE account SET cpu_used_total_sec = cpu_used_total_sec + 1'),
      /^table account: 1 rows whose compute is not the sum/m,
    ],
    [
      'with a total that falls',
      file =>
        change(
          file,
          'UPDATE compute_interval SET upper_total = 1e15 WHERE from_at = (SELECT min(from_at) FROM compute_interval)',
        ),
      /^table compute_interval: \d+ rows whose upper_total is less/m,
    ],
    [
      'with intervals of a time that is not known',
      file => change(file, 'UPDATE endpoint SET ledger_until_at = 1'),
      /^table state_interval: \d+ rows that begin after/m,
    ],
  ])('%s', (_name, damage, problem) => {
    const file = writeWhole();
    damage(file);
    const { flaws } = examineHistory(file);
    expect(
      flaws.map(flaw => `${flaw.table ? `table ${flaw.table}: ` : ''}${flaw.problem}`).join('\n'),
    ).toMatch(problem);
  });
});
