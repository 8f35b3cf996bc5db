import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { HistoryOptions } from '../../src/history/history-options.ts';
import { StandbyHistory } from '../../src/history/standby-history.ts';
import { collectors } from '../../src/resources/collector.ts';
import { HistoryFolder, viewAll } from '../support/history-folder.ts';
import { day, minute, projectsReading, startAt, wireProject } from '../support/reading-builder.ts';

function optionsOf({ file }: HistoryFolder): HistoryOptions {
  return { file, accounts: ['main'], collectors, staleAfterMs: 45 * day, dropAfterMs: 10 * minute };
}

const openStandby = (folder: HistoryFolder) => new StandbyHistory(optionsOf(folder));

/** The projects that changed, with their compute; undefined for those that are shown no more. */
function shownBy(standby: StandbyHistory) {
  const [account] = standby.changes(startAt);
  return [...(account?.projects ?? [])].map(([id, view]) => [id, view?.cpuUsedSeconds]);
}

test('a standby shows what another daemon wrote, and what it writes later', () => {
  using folder = new HistoryFolder();
  const active = folder.openListed([wireProject('p', { cpu_used_sec: 70 })]);
  const standby = openStandby(folder);
  expect(standby.wasWritten()).toBe(true);
  expect(standby.wasWritten()).toBe(false);
  expect(standby.changes(startAt).map(({ account }) => account)).toEqual(
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
  active.record(
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
  const [shown] = standby.changes(startAt);
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
  expect(standby.changes(startAt)).toEqual([]);
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
  expect(() => standby.changes(startAt)).toThrow('was last written by an older dbpm-exporter');
  expect(() => openStandby(folder)).toThrow('was last written by an older dbpm-exporter');
  renameSync(folder.file, join(folder.path, 'elsewhere'));
  folder.close(folder.open());
  expect(() => standby.wasWritten()).toThrow('was removed or replaced');
  standby.close();
});
