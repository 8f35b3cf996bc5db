import { copyFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newestVersion } from '../../src/history/file/format.ts';
import { examineHistory } from '../../src/history/soundness/examination.ts';
import { damageTable, overwrite } from '../support/damaged-history.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { LivedHistory } from '../support/lived-history.ts';

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
