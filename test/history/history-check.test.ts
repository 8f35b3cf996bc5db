import { chmodSync, linkSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { checkHistoryFile, checkReadableHistory } from '../../src/history/file/history-check.ts';
import { HistoryFolder } from '../support/history-folder.ts';

const asRoot = process.getuid?.() === 0;

describe('a history file', () => {
  test('that a start could use has nothing wrong with it: none yet, empty, or one of ours, also while in use', () => {
    using folder = new HistoryFolder();
    expect(checkHistoryFile(folder.file)).toBeUndefined();
    expect(checkHistoryFile(join(folder.file, '..', 'new', 'folder', 'x.sqlite'))).toBeUndefined();
    writeFileSync(folder.file, '');
    expect(checkHistoryFile(folder.file)).toBeUndefined();
    const history = folder.open();
    expect(checkHistoryFile(folder.file)).toBeUndefined();
    folder.close(history);
    expect(checkHistoryFile(folder.file)).toBeUndefined();
  });

  test('of a newer version, of another program, or no database is told by its header', () => {
    using folder = new HistoryFolder();
    folder.close(folder.open());
    const database = new Database(folder.file);
    database.pragma('user_version = 999');
    database.close();
    expect(checkHistoryFile(folder.file)).toMatch(
      /^which was written by a newer dbpm-exporter \(format 999, this one knows \d+\): use that version or name another file$/,
    );
    const other = new Database(`${folder.file}-other`);
    other.exec('PRAGMA application_id = 7; CREATE TABLE t (a)');
    other.close();
    expect(checkHistoryFile(`${folder.file}-other`)).toBe(
      'which is a database of another program: name another file',
    );
    truncateSync(folder.file, 10);
    // A start sets a damaged history aside.
    expect(checkHistoryFile(folder.file)).toBeUndefined();
    expect(checkReadableHistory(folder.file)).toMatch(/^which is no history/);
    rmSync(`${folder.file}.lock`);
    expect(checkHistoryFile(folder.file)).toBe(
      'which is no history: name another file, or restore it from a backup',
    );
  });

  test('that is a folder, or lies where nothing can be made, is told', () => {
    using folder = new HistoryFolder();
    mkdirSync(folder.file);
    expect(checkHistoryFile(folder.file)).toBe('which is not a file: name a file');
    writeFileSync(`${folder.file}-file`, 'x');
    expect(checkHistoryFile(join(`${folder.file}-file`, 'below', 'x.sqlite'))).toBe(
      `which cannot be created: ${folder.file}-file is no folder this user may write to`,
    );
  });

  test.skipIf(asRoot)('that this user may not write is told', () => {
    using folder = new HistoryFolder();
    folder.close(folder.open());
    chmodSync(folder.file, 0o400);
    expect(checkHistoryFile(folder.file)).toBe(
      'which this user may not read and write: change its rights or name another file',
    );
  });
});

test.each([
  [':memory:', 'which keeps nothing: name a file'],
  ['file:dbpm.sqlite?mode=ro', 'which is a URI: write the path of the file alone'],
  [' dbpm.sqlite', 'which begins or ends with a blank: write the path without it'],
  ['dbpm.sqlite\n', 'which begins or ends with a blank: write the path without it'],
  ['/dev/null', 'which is not a file: name a file'],
])('%j is told to be no place for a history', (file, clause) => {
  expect(checkHistoryFile(file)).toBe(clause);
  expect(checkReadableHistory(file)).toBe(clause);
});

test('a history with two names is told, as each has a log of its own', () => {
  using folder = new HistoryFolder();
  folder.close(folder.open());
  linkSync(folder.file, join(folder.path, 'other.sqlite'));
  expect(checkHistoryFile(folder.file)).toMatch(/^which has 2 names \(hard links\)/);
});
