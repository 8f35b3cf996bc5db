import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openOrBeginAnew } from '../../src/history/file/damaged-file.ts';
import { checkHistoryFile } from '../../src/history/file/history-check.ts';
import { overwrite } from '../support/damaged-history.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import { startAt, wireProject } from '../support/reading-builder.ts';

const now = Date.parse('2026-11-22T09:25:00.123Z');

function begin(folder: HistoryFolder) {
  return openOrBeginAnew(folder.file, () => folder.open(), now);
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
])('one with a damaged %s is set aside as it is, and another one begun', (_, offset, problem) => {
  using folder = new HistoryFolder();
  writeHistory(folder);
  overwrite(folder.file, offset, 100);
  const before = readFileSync(folder.file);
  expect(checkHistoryFile(folder.file)).toBeUndefined();
  const { opened, setAside } = begin(folder);
  const aside = `${folder.file}.damaged-20261122T092500Z`;
  expect(setAside).toEqual({ at: now, file: aside, problem: expect.stringContaining(problem) });
  expect(readFileSync(aside).equals(before)).toBe(true);
  expect(viewOf(opened, startAt).projects).toEqual([]);
  if (setAside !== undefined) opened.noteSetAside(setAside);
  expect(folder.reopen(opened).setAside()).toEqual(setAside);
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
