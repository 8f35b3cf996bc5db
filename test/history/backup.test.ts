import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { backupHistory } from '../../src/history/file/backup.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import { projectsReading, startAt, wireProject } from '../support/reading-builder.ts';

/** A history of some megabytes, closed. */
function fill(folder: HistoryFolder): void {
  const history = folder.open();
  const name = 'x'.repeat(2000);
  const projects = Array.from({ length: 3000 }, (_, index) => wireProject(`p${index}`, { name }));
  history.record(projectsReading(startAt, projects));
  folder.close(history);
}

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

test('a copy of a file that is written to after every step ends, and is of the moment it began', async () => {
  using folder = new HistoryFolder();
  fill(folder);
  const writer = new Database(folder.file);
  writer.exec('CREATE TABLE a (n INTEGER); CREATE TABLE b (n INTEGER); INSERT INTO a VALUES (1)');
  writer.exec('INSERT INTO b VALUES (1)');
  const writePair = writer.transaction((n: number) => {
    writer.prepare('INSERT INTO a VALUES (?)').run(n);
    writer.prepare('INSERT INTO b VALUES (?)').run(n);
  });
  const progress: number[] = [];
  const to = join(folder.path, 'copy.sqlite');
  await backupHistory({
    from: folder.file,
    to,
    onProgress({ totalPages, remainingPages }) {
      progress.push(1 - remainingPages / totalPages);
      if (progress.length > 1000) throw new Error('the copy starts again with every write');
      writePair(progress.length + 1);
    },
  });
  writer.close();
  expect(progress.length).toBeGreaterThan(2);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(countPairs(folder.file)).toEqual({ left: progress.length + 1, right: progress.length + 1 });
  expect(countPairs(to)).toEqual({ left: 1, right: 1 });
});

test('a copy replaces the one of yesterday', async () => {
  using folder = new HistoryFolder();
  const to = join(folder.path, 'copy.sqlite');
  const history = folder.open();
  await backupHistory({ from: folder.file, to });
  history.record(projectsReading(startAt, [wireProject('p')]));
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
  fill(folder);
  const before = readFileSync(folder.file);
  const same = join(folder.path, '.', 'dbpm.sqlite');
  await expect(backupHistory({ from: folder.file, to: same })).rejects.toThrow(
    `${same} is the history itself: name another file for the copy`,
  );
  expect(readFileSync(folder.file).equals(before)).toBe(true);
});

test('a folder that does not exist, and a source that is no database, are refused in a sentence', async () => {
  using folder = new HistoryFolder();
  fill(folder);
  const nowhere = join(folder.path, 'nowhere', 'copy.sqlite');
  await expect(backupHistory({ from: folder.file, to: nowhere })).rejects.toThrow(/ could not be copied to /);
  const text = join(folder.path, 'text');
  writeFileSync(text, 'no database at all '.repeat(100));
  const to = join(folder.path, 'copy.sqlite');
  await expect(backupHistory({ from: text, to })).rejects.toThrow(/file is not a database/);
  expect(existsSync(to)).toBe(false);
});

function countPairs(file: string): { left: number; right: number } {
  const database = new Database(file, { readonly: true });
  try {
    const pairs = database
      .prepare<[], { left: number; right: number }>(
        'SELECT (SELECT count(*) FROM a) AS left, (SELECT count(*) FROM b) AS right',
      )
      .get();
    if (pairs === undefined) throw new Error('a SELECT of counts gives a row');
    return pairs;
  } finally {
    database.close();
  }
}
