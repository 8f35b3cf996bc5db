import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../src/history/file/database.ts';
import { LockBeat } from '../../src/history/file/lock.ts';
import { findStoppedWriter, type Takeover } from '../../src/history/file/owner.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import { mayMount, withMount } from '../support/mount-namespace.ts';
import { minute, projectsReading, startAt, wireProject } from '../support/reading-builder.ts';
import { Recorder, refusalOf, startRecorder } from '../support/recorder.ts';

/** The process that holds the lock of a history, by the table of the system. */
function lockHolder(file: string): number | undefined {
  const { ino } = statSync(`${file}.lock`);
  const line = readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .find(each => each.includes(`:${ino} `));
  return line === undefined ? undefined : Number(line.split(/\s+/)[4]);
}

const inUse =
  'FILE is in use by another dbpm-exporter: stop that one, or give this one a history file of its own';

describe('a history that a daemon has open is refused to another one', () => {
  test('by a symbolic link, by the file it is a link to, and by a linked folder', async () => {
    using folder = new HistoryFolder();
    mkdirSync(join(folder.path, 'elsewhere'));
    const link = join(folder.path, 'elsewhere', 'link.sqlite');
    symlinkSync(folder.file, link);
    symlinkSync(folder.path, join(folder.path, 'elsewhere', 'folder'));
    const recorder = await startRecorder(link);
    expect(refusalOf(folder.file)).toBe(inUse);
    expect(refusalOf(link)).toBe(inUse);
    expect(refusalOf(join(folder.path, 'elsewhere', 'folder', 'dbpm.sqlite'))).toBe(inUse);
    await recorder.kill();
    expect(refusalOf(folder.file)).toBe('none');
  });

  test.skipIf(!mayMount())('in another container that has the folder under another name', async () => {
    using folder = new HistoryFolder();
    const mounted = join(folder.path, 'mounted');
    mkdirSync(mounted);
    mkdirSync(join(folder.path, 'volume'));
    const file = join(folder.path, 'volume', 'dbpm.sqlite');
    const inContainer = ['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c'];
    const mount = `mount --bind '${join(folder.path, 'volume')}' '${mounted}' && exec "$@"`;
    await startRecorder(join(mounted, 'dbpm.sqlite'), { command: [...inContainer, mount, 'sh'] });
    expect(refusalOf(file)).toBe(inUse);
  });
});

test.skipIf(!mayMount())('a file that is mounted alone is refused: its log would lie outside', async () => {
  using folder = new HistoryFolder();
  folder.close(folder.openListed([]));
  const mounted = join(folder.path, 'alone.sqlite');
  writeFileSync(mounted, '');
  const recorder = new Recorder(mounted, {
    command: withMount(`mount --bind '${folder.file}' '${mounted}'`),
  });
  expect(await recorder.end()).toContain(
    `${mounted} is mounted as a file, without the files beside it: mount its folder`,
  );
});

test('a file with two names is refused under both, as each name has a log of its own', () => {
  using folder = new HistoryFolder();
  folder.close(folder.openListed([]));
  mkdirSync(join(folder.path, 'other'));
  const other = join(folder.path, 'other', 'dbpm.sqlite');
  linkSync(folder.file, other);
  const sentence =
    'FILE has 2 names (hard links), under which others may write it: remove the other ones, or copy it with "dbpm-exporter backup"';
  expect([refusalOf(folder.file), refusalOf(other)]).toEqual([sentence, sentence]);
  rmSync(other);
  expect(refusalOf(folder.file)).toBe('none');
});

test('a lock that is removed while a daemon runs lets nobody in', async () => {
  using folder = new HistoryFolder();
  const recorder = await startRecorder(folder.file);
  rmSync(`${folder.file}.lock`);
  const refused =
    /^FILE is in use by process \d+ on .+, whose lock file was removed: stop that one, or give this one a history file of its own$/;
  expect(refusalOf(folder.file)).toMatch(refused);
  // By now there is a lock file again, which no daemon holds.
  expect(refusalOf(folder.file)).toMatch(refused);
  await recorder.record();
  await recorder.kill();
  expect(refusalOf(folder.file)).toBe('none');
});

test('who lost the file to a standby, its lock being removed, stops at its next reading and counts nothing', async () => {
  using folder = new HistoryFolder();
  const recorder = await startRecorder(folder.file);
  await recorder.record();
  rmSync(`${folder.file}.lock`);
  const second = folder.open({ takeover: 'free' });
  expect(viewOf(second, startAt).cpuUsedSeconds).toBe(71);
  second.commitOne(projectsReading(startAt + 2 * minute, [wireProject('p', { cpu_used_sec: 72 })]));
  expect(await recorder.end()).toMatch(
    new RegExp(`the history was taken over by another dbpm-exporter \\(process ${process.pid} on .+\\)`),
  );
  expect(viewOf(second, startAt).cpuUsedSeconds).toBe(72);
});

test('every way of writing is refused to who lost the file', () => {
  using folder = new HistoryFolder();
  const first = folder.openListed([wireProject('p')]);
  const other = new Database(folder.file);
  other.exec("UPDATE owner SET token = 'another', pid = 7, host = 'elsewhere'");
  other.close();
  const budget = { perMinute: 1, settledAt: startAt, pausedUntil: startAt };
  const taken = 'the history was taken over by another dbpm-exporter (process 7 on elsewhere)';
  expect(() => first.commitOne(projectsReading(startAt, []))).toThrow(taken);
  expect(() => first.saveBudgets(new Map([['main', budget]]))).toThrow(taken);
  expect(() => first.saveAccruals([])).toThrow(taken);
  expect(() => first.followClock(0)).toThrow(taken);
  expect(() => first.upkeep(startAt)).toThrow(taken);
});

describe('a standby takes a history whose lock is held', () => {
  test('from a daemon that is stopped, which notices when it goes on, and counts nothing', async () => {
    using folder = new HistoryFolder();
    const recorder = await startRecorder(folder.file);
    recorder.signal('SIGSTOP');
    const second = folder.open({ takeover: 'held' });
    second.commitOne(projectsReading(startAt + minute, [wireProject('p', { cpu_used_sec: 72 })]));
    expect(refusalOf(folder.file)).toBe(inUse);
    recorder.signal('SIGCONT');
    expect(await recorder.end()).toContain('the history was taken over by another dbpm-exporter');
    expect(viewOf(second, startAt).cpuUsedSeconds).toBe(72);
    expect(second.takeovers()).toBe(1);
    // The lock that the first one let go is taken at once.
    await vi.waitFor(() => expect(lockHolder(folder.file)).toBe(process.pid), 30_000);
  });

  test('but not from a command, which gives no signs of life', async () => {
    using folder = new HistoryFolder();
    folder.close(folder.openListed([]));
    const command = openDatabase(folder.file);
    expect(() => folder.open({ takeover: 'held' })).toThrow(
      new RegExp(`^the history is in use by process ${process.pid} on .+: it is taken over after that$`),
    );
    command.close();
    expect(folder.open({ takeover: 'free' }).takeovers()).toBe(1);
  });

  test('only once a daemon is gone that was stopped in the midst of a write, which can be found', async () => {
    using folder = new HistoryFolder();
    const script = `
      const { openDatabase } = await import(${JSON.stringify(new URL('../../src/history/file/database.ts', import.meta.url).href)});
      openDatabase(${JSON.stringify(folder.file)}, { beats: true }).transact(() => {
        console.log('writing');
        process.kill(process.pid, 'SIGSTOP');
      });
    `;
    const writer = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void writer.kill('SIGKILL'));
    await once(writer.stdout, 'data');
    await vi.waitFor(() => expect(findStoppedWriter(folder.file)).toBe(writer.pid), 30_000);
    expect(() => folder.open({ takeover: 'held' })).toThrow('database is locked');
    writer.kill('SIGKILL');
    await once(writer, 'exit');
    expect(findStoppedWriter(folder.file)).toBeUndefined();
    expect(folder.open({ takeover: 'held' }).takeovers()).toBe(1);
  });
});

test('the history of another shard is as it was when it is refused', () => {
  using folder = new HistoryFolder();
  folder.close(folder.open({ shard: { index: 0, count: 3 } }));
  const before = readFileSync(folder.file);
  expect(() => folder.open({ shard: { index: 1, count: 3 } })).toThrow('is the history of shard 0/3');
  expect(readFileSync(folder.file)).toEqual(before);
});

test('a copy is a history of its own, also beside the daemon that writes the first', async () => {
  using folder = new HistoryFolder();
  const recorder = await startRecorder(folder.file);
  const copy = join(folder.path, 'copy.sqlite');
  for (const suffix of ['', '-wal']) copyFileSync(`${folder.file}${suffix}`, `${copy}${suffix}`);
  const history = folder.open({ file: copy });
  expect(viewOf(history, startAt).cpuUsedSeconds).toBe(70);
  history.commitOne(projectsReading(startAt + minute, [wireProject('p', { cpu_used_sec: 90 })]));
  await recorder.record();
  expect(viewOf(history, startAt).cpuUsedSeconds).toBe(90);
});

/** A daemon as far as it takes a history; all are of one process and one host, as in containers that share a host name. */
interface Holder {
  readonly beats: LockBeat;
  readonly database: OpenDatabase;
}

function hold(file: string, takeover?: Takeover): Holder {
  const beats = new LockBeat(file);
  const database = openDatabase(file, { beats: true, takeover });
  beats.noteTaken(database.ownerToken);
  onTestFinished(() => {
    beats.close();
    if (database.database.open) database.close();
  });
  return { beats, database };
}

/** Time that passes for all, until the test is over. */
function holdTime() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
}

test('a history is that of its daemon, whoever looks at it and however long it was stopped', () => {
  holdTime();
  using folder = new HistoryFolder();
  const { beats } = hold(folder.file);
  expect(beats.isOurs()).toBe(true);
  vi.advanceTimersByTime(10_000);
  expect(beats.isOurs()).toBe(true);
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
  expect(beats.isOurs()).toBe(true);
});

test('who was stopped is told from another one with the same process id and host name', () => {
  holdTime();
  using folder = new HistoryFolder();
  const { beats } = hold(folder.file);
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 6000);
  const other = hold(folder.file, 'held');
  expect(beats.isOurs()).toBe(false);
  expect(other.beats.isOurs()).toBe(true);
});

test('who goes on just before another one takes the history notices at once, without a write', () => {
  holdTime();
  using folder = new HistoryFolder();
  const { beats } = hold(folder.file);
  vi.advanceTimersByTime(3000);
  expect(beats.isOurs()).toBe(true);
  vi.advanceTimersByTime(300);
  const other = hold(folder.file, 'held');
  expect([beats.isOurs(), other.beats.isOurs()]).toEqual([false, true]);
  vi.advanceTimersByTime(10_000);
  expect([beats.isOurs(), other.beats.isOurs()]).toEqual([false, true]);
});

test('who lets the history go to take it anew, as for another configuration, may show meanwhile what was', () => {
  holdTime();
  using folder = new HistoryFolder();
  const before = hold(folder.file);
  before.database.close();
  before.beats.close();
  vi.advanceTimersByTime(300);
  const after = hold(folder.file);
  vi.advanceTimersByTime(5000);
  expect([before.beats.isOurs(), after.beats.isOurs()]).toEqual([true, true]);
});

test('who lost the history before it let it go never shows again what was', () => {
  holdTime();
  using folder = new HistoryFolder();
  const before = hold(folder.file);
  vi.advanceTimersByTime(300);
  hold(folder.file, 'held');
  before.beats.close();
  expect(before.beats.isOurs()).toBe(false);
});
