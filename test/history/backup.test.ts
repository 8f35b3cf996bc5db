import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { backupHistory } from '../../src/history/file/backup.ts';
import { examineHistory } from '../../src/history/soundness/examination.ts';
import { findDifferences } from '../support/history-difference.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import { projectsReading, startAt, wireProject } from '../support/reading-builder.ts';
import { lastReading, listSteady, steadyReading } from './load/steady-reading.ts';

test('a copy holds what the history held, is private and leaves nothing else behind', async () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([wireProject('p', { cpu_used_sec: 70 })]);
  const to = join(folder.path, 'copy.sqlite');
  expect(await backupHistory({ from: folder.file, to })).toBe(statSync(to).size);
  expect((statSync(to).mode & 0o777).toString(8)).toBe('600');
  expect(readdirSync(folder.path).filter(name => name.startsWith('copy'))).toEqual(['copy.sqlite']);
  const copy = folder.open({ file: to });
  expect(viewOf(copy, startAt)).toEqual(viewOf(history, startAt));
});

test('a copy beside a daemon that records ends, hinders no reading, and is of the moment it began', async () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  history.commitOne(listSteady());
  const readings = (from: number) => Array.from({ length: 100 }, (_, index) => steadyReading(from + index));
  expect(history.commit(readings(0)).filter(hasFailed)).toEqual([]);
  const other = new Database(folder.file);
  // Enough pages that they are copied in several steps.
  other.exec('CREATE TABLE pages AS SELECT zeroblob(20000000); DROP TABLE pages');
  const expected = join(folder.path, 'expected.sqlite');
  other.prepare('VACUUM INTO ?').run(expected);
  const progress: number[] = [];
  const to = join(folder.path, 'copy.sqlite');
  await backupHistory({
    from: folder.file,
    to,
    onProgress({ totalPages, remainingPages }) {
      progress.push(1 - remainingPages / totalPages);
      if (progress.length > 1000) throw new Error('the copy starts again with every write');
      expect(history.commit(readings(100 * progress.length)).filter(hasFailed)).toEqual([]);
    },
  });
  expect(progress.length).toBeGreaterThan(3);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(lastReading(other)).toBe(100 * (progress.length + 1) - 1);
  other.close();
  expect(examineHistory(to).flaws).toEqual([]);
  expect(findDifferences(to, expected)).toEqual([]);
});

test('a copy replaces the one of yesterday', async () => {
  using folder = new HistoryFolder();
  const to = join(folder.path, 'copy.sqlite');
  const history = folder.open();
  await backupHistory({ from: folder.file, to });
  history.commitOne(projectsReading(startAt, [wireProject('p')]));
  await backupHistory({ from: folder.file, to });
  expect(viewOf(folder.open({ file: to }), startAt).projects).toHaveLength(1);
});

test('a history that does not exist is refused, and nothing is made', async () => {
  using folder = new HistoryFolder();
  const to = join(folder.path, 'copy.sqlite');
  await expect(backupHistory({ from: folder.file, to })).rejects.toThrow(
    `there is no history at ${folder.file}: name it with --history.file`,
  );
  expect(readdirSync(folder.path)).toEqual([]);
});

test('a copy onto itself is refused', async () => {
  using folder = new HistoryFolder();
  folder.close(folder.openListed([wireProject('p')]));
  const before = readFileSync(folder.file);
  const same = join(folder.path, '.', 'dbpm.sqlite');
  await expect(backupHistory({ from: folder.file, to: same })).rejects.toThrow(
    `${same} is the history itself: name another file for the copy`,
  );
  expect(readFileSync(folder.file).equals(before)).toBe(true);
});

test('a folder that does not exist, and a source that is no database, are refused in a sentence', async () => {
  using folder = new HistoryFolder();
  folder.close(folder.openListed([wireProject('p')]));
  const nowhere = join(folder.path, 'nowhere', 'copy.sqlite');
  await expect(backupHistory({ from: folder.file, to: nowhere })).rejects.toThrow(/ could not be copied to /);
  const text = join(folder.path, 'text');
  writeFileSync(text, 'no database at all '.repeat(100));
  const to = join(folder.path, 'copy.sqlite');
  await expect(backupHistory({ from: text, to })).rejects.toThrow(/file is not a database/);
  expect(existsSync(to)).toBe(false);
});

function hasFailed(recorded: object): boolean {
  return 'error' in recorded;
}
