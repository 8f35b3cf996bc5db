import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { readKnownFleets } from '../../src/history/fleet/fleet-size.ts';
import type { History } from '../../src/history/history.ts';
import type { HistoryOptions } from '../../src/history/history-options.ts';
import { StandbyHistory } from '../../src/history/standby-history.ts';
import { collectors } from '../../src/resources/collector.ts';
import { HistoryFolder, viewAll } from '../support/history-folder.ts';
import { mayMount } from '../support/mount-namespace.ts';
import {
  apiKeysReading,
  day,
  minute,
  projectGoneReading,
  projectReading,
  projectsReading,
  startAt,
  wireEndpoint,
  wireKey,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';
import { startRecorder } from '../support/recorder.ts';

const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65534, gid: 65534 };
const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);

/** Reads the projects of a history, and copies it, as a user who may write neither the file nor its folder. */
const readScript = `
  const { lookUp } = await import(${module('../../src/history/file/reader.ts')});
  const { backupHistory } = await import(${module('../../src/history/file/backup.ts')});
  const [file, to] = process.argv.slice(1);
  const read = each => lookUp(each, database => database.prepare('SELECT project_id FROM project').pluck().all());
  const found = read(file);
  await backupHistory({ from: file, to });
  console.log(JSON.stringify([found, read(to)]));
`;

async function readAsNobody(folder: HistoryFolder, file: string): Promise<unknown> {
  const own = join(folder.path, 'own');
  mkdirSync(own, { recursive: true });
  chmodSync(own, 0o777);
  const args = ['--input-type=module', '-e', readScript, file, join(own, `copy-${Math.random()}`)];
  const env = { PATH: process.env.PATH ?? '', TMPDIR: own };
  const { stdout } = await promisify(execFile)(process.execPath, args, { ...nobody, env });
  expect(readdirSync(own).filter(name => !name.startsWith('copy'))).toEqual([]);
  return JSON.parse(stdout);
}

/** A history that others may read, with a project in it, and a folder where they may write nothing. */
function writeHistory(folder: HistoryFolder): void {
  folder.close(folder.openListed([wireProject('p')]));
  chmodSync(folder.file, 0o644);
  chmodSync(folder.path, 0o755);
}

describe.skipIf(!isRoot)(
  'a history of another user, in a folder that may not be written, is read and copied',
  () => {
    test('though nobody has it open', async () => {
      using folder = new HistoryFolder();
      writeHistory(folder);
      const before = readdirSync(folder.path);
      expect(await readAsNobody(folder, folder.file)).toEqual([['p'], ['p']]);
      expect(readdirSync(folder.path).filter(name => name !== 'own')).toEqual(before);
    });

    test('while a daemon writes it, and after that was killed', async () => {
      using folder = new HistoryFolder();
      writeHistory(folder);
      const writer = await startRecorder(folder.file, { ids: ['p', 'q'] });
      const both = ['p', 'q'];
      expect(await readAsNobody(folder, folder.file)).toEqual([both, both]);
      await writer.kill();
      expect(existsSync(`${folder.file}-wal`)).toBe(true);
      expect(await readAsNobody(folder, folder.file)).toEqual([both, both]);
    });

    test('with a log beside it that no daemon has open', async () => {
      using folder = new HistoryFolder();
      writeHistory(folder);
      const history = folder.open();
      history.commitOne(projectsReading(startAt, [wireProject('p'), wireProject('q')]));
      const copy = join(folder.path, 'copied.sqlite');
      for (const suffix of ['', '-wal']) copyFileSync(`${folder.file}${suffix}`, `${copy}${suffix}`);
      for (const suffix of ['', '-wal']) chmodSync(`${copy}${suffix}`, 0o444);
      expect(await readAsNobody(folder, copy)).toEqual([
        ['p', 'q'],
        ['p', 'q'],
      ]);
    });

    test('in a folder where all may write, and no files of the reader are left in the way of the daemon', async () => {
      using folder = new HistoryFolder();
      writeHistory(folder);
      chmodSync(folder.path, 0o777);
      expect(await readAsNobody(folder, folder.file)).toEqual([['p'], ['p']]);
      expect(readdirSync(folder.path).toSorted()).toEqual(['dbpm.sqlite', 'dbpm.sqlite.lock', 'own']);
    });
  },
);

/** Four projects: idle with two endpoints, awake, idle with a running operation, and gone. */
function recordFleet(history: History): void {
  const projects = ['idle', 'awake', 'working', 'gone'].map(id => wireProject(id));
  const running = wireOperation('op-1', { status: 'running', updated_at: '2026-11-21T09:00:00Z' });
  const starting = wireEndpoint('ep-3', { current_state: 'idle', pending_state: 'active' });
  const stopped = wireEndpoint('ep-2', { current_state: 'stopped' });
  history.commitOne(projectsReading(startAt, projects));
  history.commitOne(apiKeysReading(startAt, [wireKey(1), wireKey(2)]));
  const read = (id: string, endpoints: readonly unknown[], operations: readonly unknown[] = []) =>
    history.commitOne(projectReading(startAt + minute, id, { endpoints, operations }));
  read('idle', [wireEndpoint('ep-1'), stopped]);
  read('awake', [starting]);
  read('working', [wireEndpoint('ep-4')], [running]);
  read('gone', [wireEndpoint('ep-5', { current_state: 'active' })]);
  history.commitOne(projectGoneReading(startAt + 2 * minute, 'gone'));
}

const known = { projects: 3, endpoints: 4, busyProjects: 2, apiKeys: 2, operationsPerDay: 1 };

describe('the fleet a history knows', () => {
  test('is what is there, not what is gone, by account; an account never read is not among them', () => {
    using folder = new HistoryFolder();
    const history = folder.open({ accounts: ['main', 'never-read'] });
    recordFleet(history);
    folder.close(history);
    expect(readKnownFleets(folder.file)).toEqual(new Map([['main', known]]));
  });

  test.each([
    { what: 'the days that are known', hours: 72, perDay: 13 / 3 },
    { what: 'a week where more is known', hours: 300, perDay: 4 },
    { what: 'a day where less is known', hours: 18, perDay: 4 },
  ])('has its operations counted over $what', ({ hours, perDay }) => {
    using folder = new HistoryFolder();
    const history = folder.open();
    history.commitOne(projectsReading(startAt, [wireProject('busy')]));
    const operations = Array.from({ length: hours / 6 + 1 }, (_, index) => {
      const created_at = new Date(startAt - index * 360 * minute).toISOString();
      return wireOperation(`op-${index}`, { status: 'finished', created_at, updated_at: created_at });
    });
    history.commitOne(projectReading(startAt, 'busy', { endpoints: [], operations }));
    folder.close(history);
    expect(readKnownFleets(folder.file).get('main')?.operationsPerDay).toBeCloseTo(perDay);
  });

  test('is read while a daemon writes, which goes on undisturbed', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    recordFleet(history);
    const files = readdirSync(folder.path);
    expect(readKnownFleets(folder.file)).toEqual(new Map([['main', known]]));
    expect(readdirSync(folder.path)).toEqual(files);
    history.commitOne(apiKeysReading(startAt + 3 * minute, [wireKey(1)]));
    expect(readKnownFleets(folder.file)).toEqual(new Map([['main', { ...known, apiKeys: 1 }]]));
  });

  test('is read without a trace: no file appears, none changes, also when a killed daemon left its log', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    recordFleet(history);
    using killed = new HistoryFolder();
    for (const suffix of ['', '-wal', '-shm']) copyFileSync(folder.file + suffix, killed.file + suffix);
    folder.close(history);
    for (const file of [folder.file, killed.file]) {
      const before = readAll(dirname(file));
      expect(readKnownFleets(file)).toEqual(new Map([['main', known]]));
      expect(readAll(dirname(file))).toEqual(before);
    }
  });

  test('is empty where there is no history yet, and nothing is created', () => {
    using folder = new HistoryFolder();
    expect(readKnownFleets(folder.file)).toEqual(new Map());
    writeFileSync(folder.file, '');
    expect(readKnownFleets(folder.file)).toEqual(new Map());
    expect(readdirSync(folder.path)).toEqual(['dbpm.sqlite']);
  });

  test('cannot be told from a file that is no history', () => {
    using folder = new HistoryFolder();
    writeFileSync(folder.file, 'not a database, though as long as a header of one would be'.repeat(20));
    expect(() => readKnownFleets(folder.file)).toThrow(
      `${folder.file} cannot be used as a history (file is not a database): restore it from a backup or choose another file`,
    );
  });
});

/** What is on disk but for the shared memory, which every reader marks. */
function readAll(folder: string): Record<string, string> {
  const names = readdirSync(folder).sort();
  return Object.fromEntries(
    names.map(name => [name, name.endsWith('-shm') ? '' : readFileSync(join(folder, name), 'base64')]),
  );
}

/** Takes the right to write away from every folder that is for temporary files, and from the one the process is in. */
const readOnly = `history=$1; shift
mount --bind "$history" /mnt
for folder in /tmp /var/tmp "$PWD"; do mount --bind $folder $folder && mount -o remount,bind,ro $folder; done
cd "$PWD" && exec "$@" /mnt/dbpm.sqlite`;

test.skipIf(!mayMount())('readings are written where the folder of the history alone may be', () => {
  using folder = new HistoryFolder();
  const program = [process.execPath, join(import.meta.dirname, 'record-elsewhere.ts')];
  const words = ['--mount', 'sh', '-ec', readOnly, 'sh', folder.path, ...program];
  const env = { ...process.env, TMPDIR: '/nonexistent', SQLITE_TMPDIR: '' };
  const said = execFileSync('unshare', words, { encoding: 'utf8', env });
  expect(said).toBe('recorded\n');
});

function optionsOf({ file }: HistoryFolder): HistoryOptions {
  return { file, accounts: ['main'], collectors, staleAfterMs: 45 * day, dropAfterMs: 10 * minute };
}

const openStandby = (folder: HistoryFolder) => new StandbyHistory(optionsOf(folder));

/** The projects that changed, with their compute; undefined for a project that is shown no more. */
function shownBy(standby: StandbyHistory) {
  const [account] = standby.snapshot(startAt);
  return [...(account?.projects ?? [])].map(([id, view]) => [id, view?.cpuUsedSeconds]);
}

test('a standby shows what another daemon wrote, and what it writes later', () => {
  using folder = new HistoryFolder();
  const active = folder.openListed([wireProject('p', { cpu_used_sec: 70 })]);
  const standby = openStandby(folder);
  expect(standby.wasWritten()).toBe(true);
  expect(standby.wasWritten()).toBe(false);
  expect(standby.snapshot(startAt).map(({ account }) => account)).toEqual(
    viewAll(folder.reopen(active), startAt).map(({ projects: _projects, ...account }) => account),
  );
  expect(shownBy(standby)).toEqual([['p', 70]]);
  standby.close();
});

test('a project that came, one that used more and one that went are shown so', () => {
  using folder = new HistoryFolder();
  const active = folder.openListed([wireProject('stays', { cpu_used_sec: 1 }), wireProject('goes')]);
  const standby = openStandby(folder);
  shownBy(standby);
  active.commitOne(
    projectsReading(startAt + minute, [wireProject('stays', { cpu_used_sec: 2 }), wireProject('new')]),
  );
  expect(standby.wasWritten()).toBe(true);
  expect(new Map(shownBy(standby) as [string, unknown][])).toEqual(
    new Map<string, unknown>([
      ['stays', 2],
      ['goes', undefined],
      ['new', expect.any(Number)],
    ]),
  );
  standby.close();
});

test('a standby shows what a restarted daemon would, to the last sample, and writes not a byte', () => {
  using folder = new HistoryFolder();
  const active = folder.openListed([wireProject('p', { cpu_used_sec: 70 }), wireProject('q')]);
  const bytes = () => ['', '-wal'].map(suffix => readFileSync(folder.file + suffix, 'latin1'));
  const before = bytes();
  const standby = openStandby(folder);
  const [shown] = standby.snapshot(startAt);
  expect(standby.hasData()).toBe(true);
  expect(bytes()).toEqual(before);
  standby.close();
  const [again] = viewAll(folder.reopen(active), startAt);
  expect({ ...shown?.account, projects: [...(shown?.projects.values() ?? [])] }).toEqual(again);
});

test('an account that the other daemon does not know yet is shown once it does', () => {
  using folder = new HistoryFolder();
  const active = folder.open({ accounts: ['other'] });
  const standby = openStandby(folder);
  expect(standby.snapshot(startAt)).toEqual([]);
  expect(standby.hasData()).toBe(false);
  folder.close(active);
  folder.openListed([wireProject('p', { cpu_used_sec: 3 })]);
  expect(shownBy(standby)).toEqual([['p', 3]]);
  standby.close();
});

test('a standby counts the takeovers of the history, and not its starts', () => {
  using folder = new HistoryFolder();
  const active = folder.open();
  const standby = openStandby(folder);
  expect(standby.takeovers()).toBe(0);
  folder.close(active);
  const next = folder.open({ takeover: 'free' });
  expect([standby.takeovers(), next.takeovers()]).toEqual([1, 1]);
  expect(folder.reopen(next).takeovers()).toBe(1);
  standby.close();
});

test('a history of an older version, and one that was replaced, are said to be so', () => {
  using folder = new HistoryFolder();
  folder.close(folder.openListed([]));
  const standby = openStandby(folder);
  const other = new Database(folder.file);
  other.pragma('user_version = 3');
  other.close();
  expect(() => standby.snapshot(startAt)).toThrow(
    'was written by a dbpm-exporter from before the first release',
  );
  expect(() => openStandby(folder)).toThrow('was written by a dbpm-exporter from before the first release');
  renameSync(folder.file, join(folder.path, 'elsewhere'));
  folder.close(folder.open());
  expect(() => standby.wasWritten()).toThrow('was removed or replaced');
  standby.close();
});
