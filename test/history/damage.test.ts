import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { backupHistory, listBackups, nameBackup, removeOldBackups } from '../../src/history/file/backup.ts';
import { markSuspect } from '../../src/history/file/damaged-file.ts';
import { formatVersion } from '../../src/history/file/format.ts';
import { checkHistoryFile } from '../../src/history/file/history-check.ts';
import { examineHistory } from '../../src/history/soundness/examination.ts';
import { damageTable, overwrite } from '../support/damaged-history.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { startAt, wireProject } from '../support/reading-builder.ts';

const now = Date.parse('2026-11-22T09:25:00.123Z');

function writeHistory(folder: HistoryFolder): void {
  folder.close(folder.openListed([wireProject('p', { cpu_used_sec: 70 })]));
}

test('a sound history is opened as it is', () => {
  using folder = new HistoryFolder();
  writeHistory(folder);
  const { opened, setAside } = folder.openWhole(now);
  expect(setAside).toBeUndefined();
  expect(viewOf(opened, startAt).cpuUsedSeconds).toBe(70);
});

/** Makes a backup as a daemon does, at an instant. */
async function backUp(folder: HistoryFolder, at: string): Promise<string> {
  const to = nameBackup(folder.file, '', Date.parse(at));
  await backupHistory({ from: folder.file, to });
  return to;
}

test.each([
  ['header', 0, 'file is not a database'],
  ['schema', 100, 'database disk image is malformed'],
])(
  'one with a damaged %s is set aside as it is, and the newest backup goes on',
  async (_, offset, problem) => {
    using folder = new HistoryFolder();
    writeHistory(folder);
    const backup = await backUp(folder, '2026-11-21T09:25:00Z');
    overwrite(folder.file, offset, 100);
    const before = readFileSync(folder.file);
    expect(checkHistoryFile(folder.file)).toBeUndefined();
    const { opened, setAside } = folder.openWhole(now);
    const aside = `${folder.file}.damaged-20261122T092500Z`;
    const restored = { file: backup, at: Date.parse('2026-11-21T09:25:00Z') };
    expect(setAside).toEqual({
      at: now,
      file: aside,
      problem: expect.stringContaining(problem),
      backup: restored,
    });
    expect(readFileSync(aside).equals(before)).toBe(true);
    expect(existsSync(backup)).toBe(true);
    expect(viewOf(opened, startAt).cpuUsedSeconds).toBe(70);
    // Counters wait until all was read again: the backup may know less than was shown.
    expect(opened.isCopy()).toBe(true);
    expect(folder.reopen(opened).setAside()).toEqual(setAside);
  },
);

test('a backup that is damaged too is passed over', async () => {
  using folder = new HistoryFolder();
  writeHistory(folder);
  const older = await backUp(folder, '2026-11-20T09:25:00Z');
  const newer = await backUp(folder, '2026-11-21T09:25:00Z');
  overwrite(newer, 4096, 4096);
  overwrite(folder.file, 0, 100);
  const { opened, setAside } = folder.openWhole(now);
  expect(setAside?.backup?.file).toBe(older);
  expect(viewOf(opened, startAt).cpuUsedSeconds).toBe(70);
});

test.each([
  ['there is no backup', false],
  ['no backup is sound', true],
])('where %s a new one is begun', async (_, hasBackup) => {
  using folder = new HistoryFolder();
  writeHistory(folder);
  if (hasBackup) overwrite(await backUp(folder, '2026-11-21T09:25:00Z'), 0, 100);
  overwrite(folder.file, 0, 100);
  const { opened, setAside } = folder.openWhole(now);
  expect(setAside?.backup).toBeUndefined();
  expect(setAside?.failure).toEqual(
    hasBackup ? expect.stringMatching(/backup-20261121T092500Z: file is not a database$/) : undefined,
  );
  expect(viewOf(opened, startAt).projects).toEqual([]);
});

test('one of which a part was found damaged is looked at when it is opened next, if there is a backup', async () => {
  using folder = new HistoryFolder();
  writeHistory(folder);
  damageTable(folder.file, 'collector_error');
  const first = folder.openWhole(now);
  expect(first.setAside).toBeUndefined();
  folder.close(first.opened);
  markSuspect(folder.file);
  const second = folder.openWhole(now);
  expect(second.setAside).toBeUndefined();
  folder.close(second.opened);
  using sound = new HistoryFolder();
  writeHistory(sound);
  copyFileSync(await backUp(sound, '2026-11-21T09:25:00Z'), nameBackup(folder.file, '', now - 1000));
  const third = folder.openWhole(now);
  expect(third.setAside?.problem).toMatch(/^collector_error: /);
  expect(viewOf(third.opened, startAt).cpuUsedSeconds).toBe(70);
  folder.close(third.opened);
  expect(folder.openWhole(now).setAside).toBeUndefined();
});

test('backups are listed newest first, and all but the newest are removed', () => {
  using folder = new HistoryFolder();
  const names = [
    'dbpm.sqlite.backup-20261121T092500Z',
    'dbpm.sqlite.backup-20261122T092500Z',
    'dbpm.sqlite.backup-20261123T092500Z.unfinished',
    'dbpm.sqlite.backup-notes',
    'other.sqlite.backup-20261123T092500Z',
    'dbpm.sqlite.backup-20261120T092500Z',
  ];
  for (const name of names) writeFileSync(join(folder.path, name), '');
  const listed = () => listBackups(folder.file, '').map(({ file, at }) => [basename(file), at]);
  expect(listed()).toEqual([
    ['dbpm.sqlite.backup-20261122T092500Z', Date.parse('2026-11-22T09:25:00Z')],
    ['dbpm.sqlite.backup-20261121T092500Z', Date.parse('2026-11-21T09:25:00Z')],
    ['dbpm.sqlite.backup-20261120T092500Z', Date.parse('2026-11-20T09:25:00Z')],
  ]);
  removeOldBackups(folder.file, { everyMs: 86_400_000, keep: 1, directory: '' });
  expect(listed().map(([name]) => name)).toEqual(['dbpm.sqlite.backup-20261122T092500Z']);
  expect(readdirSync(folder.path).length).toBe(4);
  expect(listBackups(folder.file, join(folder.path, 'nowhere'))).toEqual([]);
});

test('a file that was never a history is refused, and stays where it is', () => {
  using folder = new HistoryFolder();
  writeFileSync(folder.file, 'notes '.repeat(1000));
  expect(checkHistoryFile(folder.file)).toMatch(/^which is no history/);
  expect(() => folder.openWhole(now)).toThrow(/file is not a database/);
  expect(readFileSync(folder.file, 'utf8')).toMatch(/^notes/);
});

test('a history that cannot be opened for another reason stays where it is', () => {
  using folder = new HistoryFolder();
  const first = folder.openListed([]);
  expect(() => folder.openWhole(now)).toThrow();
  folder.close(first);
  rmSync(folder.file);
  expect(folder.openWhole(now).setAside).toBeUndefined();
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
    expect(format).toBe(formatVersion);
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
    [
      'of before the first release',
      file => change(file, 'PRAGMA user_version = 12'),
      /^it was written by a dbpm-exporter from before the first release \(format 12/,
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
