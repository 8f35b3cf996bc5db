import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/history/file/database.ts';
import { formatVersion } from '../../src/history/file/format.ts';
import { checkHistoryFile, checkReadableHistory } from '../../src/history/file/history-check.ts';
import { HistoryError, unwritten } from '../../src/history/file/history-error.ts';
import { historySizeBytes } from '../../src/history/file/reader.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import { minute, projectsReading, startAt, wireProject } from '../support/reading-builder.ts';
import { refusalOf, startRecorder } from '../support/recorder.ts';

/** Makes a database and leaves no log beside it, so that its bytes are all there is. */
function write(file: string, sql: string): Buffer {
  const database = new Database(file);
  database.exec(sql);
  database.close();
  return readFileSync(file);
}

describe('a new history', () => {
  test('is made with its folder, readable by its owner only, its logs too', () => {
    using folder = new HistoryFolder();
    const file = join(folder.path, 'a', 'b', 'dbpm.sqlite');
    const history = folder.open({ file });
    history.commitOne(projectsReading(startAt, [wireProject('p')]));
    const modes = readdirSync(join(folder.path, 'a', 'b')).map(
      name => `${name} ${(statSync(join(folder.path, 'a', 'b', name)).mode & 0o777).toString(8)}`,
    );
    expect(modes.toSorted()).toEqual([
      'dbpm.sqlite 600',
      'dbpm.sqlite-shm 600',
      'dbpm.sqlite-wal 600',
      'dbpm.sqlite.lock 600',
    ]);
    expect((statSync(join(folder.path, 'a')).mode & 0o777).toString(8)).toBe('700');
    expect(historySizeBytes(file)).toBeGreaterThan(statSync(file).size);
  });

  test('keeps a write-ahead log, syncs every commit and has the format of now', () => {
    using folder = new HistoryFolder();
    const { database, close } = openDatabase(folder.file);
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(database.pragma('synchronous', { simple: true })).toBe(2);
    expect(database.pragma('foreign_keys', { simple: true })).toBe(1);
    expect(database.pragma('user_version', { simple: true })).toBe(formatVersion);
    expect(database.pragma('application_id', { simple: true })).toBe(0x6462706d);
    expect(database.pragma('foreign_key_check')).toEqual([]);
    close();
    expect(readdirSync(folder.path).toSorted()).toEqual(['dbpm.sqlite', 'dbpm.sqlite.lock']);
  });

  test('is refused where its folder cannot be made', () => {
    using folder = new HistoryFolder();
    writeFileSync(join(folder.path, 'plain'), '');
    const file = join(folder.path, 'plain', 'dbpm.sqlite');
    expect(refusalOf(file)).toMatch(
      /^cannot create FILE \(.+\): choose a folder this user may write to with history\.file$/,
    );
  });
});

describe('one history file', () => {
  test('is refused to a second daemon, by name, and free again when the first closes', () => {
    using folder = new HistoryFolder();
    const first = folder.open();
    expect(refusalOf(folder.file)).toBe(
      'FILE is in use by another dbpm-exporter: stop that one, or give this one a history file of its own',
    );
    first.commitOne(projectsReading(startAt, [wireProject('p')]));
    const second = folder.reopen(first);
    expect(viewOf(second, startAt).projects.map(({ project_id }) => project_id)).toEqual(['p']);
  });

  test('is free again at once when its daemon is killed, and keeps what was recorded', async () => {
    using folder = new HistoryFolder();
    const daemon = await startRecorder(folder.file);
    expect(refusalOf(folder.file)).toMatch(/^FILE is in use by another dbpm-exporter/);
    await daemon.kill();
    expect(viewOf(folder.open(), startAt).projects.map(({ cpuUsedSeconds }) => cpuUsedSeconds)).toEqual([70]);
  });

  test('is free again, with all that was recorded, though its log could not be moved into it at the end', () => {
    using folder = new HistoryFolder();
    const { database, close } = openDatabase(folder.file);
    database.exec("INSERT INTO account (account) VALUES ('main')");
    // With a transaction under way SQLite refuses a checkpoint, as it does on a full disk.
    database.exec("BEGIN; INSERT INTO account (account) VALUES ('uncommitted')");
    close();
    const again = openDatabase(folder.file);
    expect(again.database.prepare('SELECT account FROM account').pluck().all()).toEqual(['main']);
    again.close();
  });

  test('serves two daemons after each other without counting anything twice', () => {
    using folder = new HistoryFolder();
    let history = folder.open();
    for (const [index, cpu_used_sec] of [50, 50, 70, 70].entries()) {
      history.commitOne(projectsReading(startAt + index * minute, [wireProject('p', { cpu_used_sec })]));
      history = folder.reopen(history);
    }
    expect(viewOf(history, startAt).cpuUsedSeconds).toBe(70);
  });
});

describe('a file that is no history of this version is refused unharmed:', () => {
  test.each([
    [
      'a newer version',
      99,
      `FILE was written by a newer dbpm-exporter (format 99, this one knows ${formatVersion}): use that version or name another file`,
    ],
    [
      'before the first release',
      12,
      `FILE was written by a dbpm-exporter from before the first release (format 12, this one knows ${formatVersion}): move it away, and a new history is begun`,
    ],
  ])('one of %s', (_, version, refusal) => {
    using folder = new HistoryFolder();
    openDatabase(folder.file).close();
    const before = write(folder.file, `PRAGMA user_version = ${version}`);
    expect(refusalOf(folder.file)).toBe(refusal);
    expect(readFileSync(folder.file).equals(before)).toBe(true);
  });

  test.each([
    ['without a version', 'CREATE TABLE note (text TEXT)'],
    ['with a version of its own', 'CREATE TABLE note (text TEXT); PRAGMA user_version = 7'],
    ['still empty', 'PRAGMA application_id = 1234; PRAGMA user_version = 7'],
  ])('a database of another program, %s', (_, sql) => {
    using folder = new HistoryFolder();
    const before = write(folder.file, sql);
    expect(refusalOf(folder.file)).toBe(
      'FILE is a database of another program: choose another file with history.file',
    );
    expect(readFileSync(folder.file).equals(before)).toBe(true);
  });

  test('a file that is no database', () => {
    using folder = new HistoryFolder();
    writeFileSync(folder.file, 'not a database, but long enough to look for a header in it '.repeat(20));
    const before = readFileSync(folder.file);
    expect(refusalOf(folder.file)).toBe(
      'FILE cannot be used as a history (file is not a database): restore it from a backup or choose another file',
    );
    expect(readFileSync(folder.file).equals(before)).toBe(true);
  });

  test('a history whose tables are damaged', () => {
    using folder = new HistoryFolder();
    openDatabase(folder.file).close();
    const bytes = readFileSync(folder.file);
    writeFileSync(folder.file, bytes.fill(0x5a, 100, 4096));
    expect(refusalOf(folder.file)).toBe(
      'FILE cannot be used as a history (database disk image is malformed): restore it from a backup or choose another file',
    );
  });

  test('a history whose tables are missing', () => {
    using folder = new HistoryFolder();
    openDatabase(folder.file).close();
    write(folder.file, 'DROP TABLE key_use');
    const message = `${folder.file} cannot be used as a history (no such table: key_use): restore it from a backup or choose another file`;
    expect(() => folder.open()).toThrow(new HistoryError(message));
    expect(() => folder.open()).toThrow(new HistoryError(message));
  });

  test('a history that is locked, with the advice to end who holds it, not to restore it', () => {
    using folder = new HistoryFolder();
    openDatabase(folder.file).close();
    const other = new Database(folder.file);
    other.exec('BEGIN IMMEDIATE');
    expect(refusalOf(folder.file)).toBe(
      'FILE cannot be used as a history (database is locked): another program holds it: end that one',
    );
    other.close();
  });

  test('a lock file that is something else', () => {
    using folder = new HistoryFolder();
    writeFileSync(`${folder.file}.lock`, 'somebody kept notes in here, long enough for a header '.repeat(20));
    expect(refusalOf(folder.file)).toBe(
      'FILE.lock cannot be used as a lock (file is not a database): remove it or choose another file with history.file',
    );
  });
});

test('a refused file is left unlocked', () => {
  using folder = new HistoryFolder();
  write(folder.file, 'CREATE TABLE note (text TEXT)');
  expect(refusalOf(folder.file)).toBe(refusalOf(folder.file));
});

test('a reading that cannot be written is refused with the reason, and the next one is recorded', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([wireProject('p')]);
  const other = new Database(folder.file, { timeout: 0 });
  other.exec("CREATE TRIGGER full BEFORE INSERT ON project BEGIN SELECT raise(ABORT, 'disk full'); END");
  const more = projectsReading(startAt + minute, [wireProject('p', { cpu_used_sec: 9 }), wireProject('q')]);
  expect(() => history.commitOne(more)).toThrow(
    `the reading of main could not be written to ${folder.file} (disk full): check the disk's space and rights`,
  );
  expect(viewOf(history, startAt).projects.map(({ cpuUsedSeconds }) => cpuUsedSeconds)).toEqual([0]);
  other.exec('DROP TRIGGER full');
  other.close();
  history.commitOne(more);
  expect(viewOf(history, startAt).projects.map(({ cpuUsedSeconds }) => cpuUsedSeconds)).toEqual([9, 0]);
});

test('a file that is removed while in use is noticed at the next reading, not at the end', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([]);
  rmSync(folder.file);
  expect(() => history.commitOne(projectsReading(startAt, []))).toThrow(
    /the file was removed or replaced while in use: start dbpm-exporter again/,
  );
});

test('a reading that is not written says one remedy, which is that of its cause', () => {
  const failed = (message: string, code: string) => Object.assign(new Error(message), { code });
  const removed = new HistoryError('the file was removed while in use: start dbpm-exporter again');
  const told = [
    failed('database or disk is full', 'SQLITE_FULL'),
    failed('database disk image is malformed', 'SQLITE_CORRUPT'),
    removed,
  ].map(cause => {
    const { message, advice } = unwritten('main', 'h.sqlite', cause);
    return [message, advice];
  });
  const subject = 'the reading of main could not be written to h.sqlite';
  const again =
    'start dbpm-exporter again, it then sets the damaged file aside and goes on from the newest backup';
  expect(told).toEqual([
    [
      `${subject} (database or disk is full): make room on its disk`,
      'database or disk is full; make room on its disk',
    ],
    [`${subject} (database disk image is malformed): ${again}`, `database disk image is malformed; ${again}`],
    [
      `${subject}: the file was removed while in use: start dbpm-exporter again`,
      'the file was removed while in use; start dbpm-exporter again',
    ],
  ]);
});

test('a folder that cannot be made is refused at once', () => {
  expect(refusalOf('/proc/x/y/h.sqlite')).toMatch(/^cannot create FILE \(.*\): choose a folder/);
});

test('how fast an account may be asked outlives a restart', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  expect(history.budget('main')).toBeUndefined();
  const budget = {
    perMinute: 150.5,
    settledAt: startAt,
    pausedUntil: startAt + minute,
    pausedKey: '0a1b2c3d',
  };
  history.commit([], new Map([['main', { ...budget, pausedUntil: budget.pausedUntil - 0.5 }]]));
  expect(folder.reopen(history).budget('main')).toEqual(budget);
});

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

  test('that is a link to itself says so in a sentence, to whoever writes it and to whoever reads it', () => {
    using folder = new HistoryFolder();
    symlinkSync(`${folder.file}-other`, folder.file);
    symlinkSync(folder.file, `${folder.file}-other`);
    for (const check of [checkHistoryFile, checkReadableHistory])
      expect(check(folder.file)).toBe('which is a symbolic link that leads back to itself: name a file');
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
