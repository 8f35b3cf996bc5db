import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openOrBeginAnew } from '../../src/history/file/damaged-file.ts';
import { checkHistoryFile } from '../../src/history/file/history-check.ts';
import { findNewestBackup } from '../../src/history/file/newest-backup.ts';
import { trySalvage } from '../../src/history/salvage/saved-history.ts';
import { damageTable, overwrite } from '../support/damaged-history.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
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
