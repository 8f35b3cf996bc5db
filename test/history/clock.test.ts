import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { ConfirmedClock } from '../../src/history/upkeep/confirmed-clock.ts';
import { UsageQuery } from '../../src/history/usage/usage-query.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import {
  day,
  minute,
  projectReading,
  projectsReading,
  second,
  startAt,
  wireEndpoint,
  wireProject,
} from '../support/reading-builder.ts';

const hour = 60 * minute;

/** A clock over the file of a history that read its list last at `startAt`. */
function openClock(folder = listedFolder()) {
  const database = new Database(folder.file);
  onTestFinished(() => {
    database.close();
  });
  const state = { runningMs: 0, clock: new ConfirmedClock(database) };
  const look = (...servedAts: readonly number[]) =>
    state.clock.follow(new Map(servedAts.map((at, index) => [`a${index}`, at])), state.runningMs);
  return {
    /** Answers of accounts, each so far from `startAt` plus the time that passed; then a look every minute. */
    run(ms: number, ...aheadMs: readonly number[]) {
      const jumps = [];
      const untilMs = state.runningMs + ms;
      for (; state.runningMs < untilMs; state.runningMs += minute) {
        const jump = look(...aheadMs.map(each => startAt + state.runningMs + each));
        if (jump !== undefined) jumps.push(jump);
      }
      return jumps;
    },
    restart() {
      state.clock = new ConfirmedClock(database);
    },
    get at() {
      return state.clock.at;
    },
    /** How far it is from `startAt` plus the time that passed, in milliseconds. */
    get aheadMs() {
      return (state.clock.at ?? Number.NaN) - startAt - state.runningMs + minute;
    },
  };
}

function listedFolder(): HistoryFolder {
  const folder = new HistoryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  folder.close(folder.openListed([wireProject('p')]));
  return folder;
}

test('the confirmed clock is not known before a list was read, and is then the date of its answer', () => {
  const folder = new HistoryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  folder.close(folder.open());
  const clock = openClock(folder);
  expect(clock.run(hour)).toEqual([]);
  expect(clock.at).toBeUndefined();
  expect(clock.run(minute, 0)).toEqual([]);
  expect(clock.aheadMs).toBe(0);
});

test('the confirmed clock follows the service while that goes on evenly, also after hours without an answer', () => {
  const clock = openClock();
  expect(clock.run(5 * hour, 0)).toEqual([]);
  expect(clock.aheadMs).toBe(0);
  clock.run(30 * hour);
  expect(clock.run(3 * minute, 0)).toEqual([]);
  expect(clock.aheadMs).toBe(0);
});

test('less than a day of downtime is made up for at once', () => {
  const clock = openClock();
  expect(clock.run(minute, 20 * hour)).toEqual([]);
  expect(clock.aheadMs).toBe(20 * hour);
});

test('a jump counts once it was seen for six hours, is told of once, and is then followed a day at a time', () => {
  const clock = openClock();
  clock.run(hour, 0);
  expect(clock.run(6 * hour, 10 * day)).toMatchObject([{ isConfirmed: false }]);
  expect(clock.aheadMs).toBeLessThanOrEqual(0);
  const [confirmed, ...more] = clock.run(2 * minute, 10 * day);
  expect(more).toEqual([]);
  expect(confirmed).toMatchObject({ isConfirmed: true });
  expect((confirmed?.toAt ?? 0) - (confirmed?.fromAt ?? 0)).toBeGreaterThan(10 * day);
  expect(clock.aheadMs).toBeLessThan(3 * day);
  expect(clock.run(20 * minute, 10 * day)).toEqual([]);
  expect(clock.aheadMs).toBe(10 * day);
});

test('a jump that goes away again within hours leaves nothing behind', () => {
  const clock = openClock();
  clock.run(hour, 0);
  clock.run(5 * hour, 200 * day);
  expect(clock.run(2 * hour, 0)).toEqual([]);
  expect(clock.aheadMs).toBe(0);
  clock.run(5 * hour, 200 * day);
  expect(clock.aheadMs).toBeLessThanOrEqual(0);
});

test('a restart confirms nothing: after 200 days the wait begins with it, and again with the next', () => {
  const clock = openClock();
  for (let restarts = 0; restarts < 4; restarts += 1) {
    clock.restart();
    expect(clock.run(5 * hour, 200 * day)).toMatchObject([{ isConfirmed: false }]);
    expect(clock.at).toBe(startAt);
  }
  clock.run(2 * hour, 200 * day);
  expect(clock.at).toBeGreaterThan(startAt);
});

test('one account that is ahead of another is not followed', () => {
  const clock = openClock();
  clock.run(hour, 0, 0);
  expect(clock.run(12 * hour, 0, 400 * day)).toEqual([]);
  expect(clock.aheadMs).toBe(0);
});

test('a clock that was set back is followed after hours, and nothing is done by it before', () => {
  const clock = openClock();
  clock.run(6 * hour + 5 * minute, 3 * day);
  clock.run(hour, 3 * day);
  expect(clock.aheadMs).toBe(3 * day);
  expect(clock.run(5 * hour, 0)).toMatchObject([{ isConfirmed: false }]);
  expect(clock.at).toBeUndefined();
  expect(clock.run(2 * hour, 0)).toMatchObject([{ isConfirmed: true }]);
  expect(clock.aheadMs).toBe(0);
});

test('what was confirmed is still so after a restart', () => {
  const folder = listedFolder();
  const clock = openClock(folder);
  clock.run(hour, 0);
  const before = clock.at;
  clock.restart();
  clock.run(minute, 0);
  expect(clock.at).toBeGreaterThanOrEqual(before ?? Number.POSITIVE_INFINITY);
  using other = new HistoryFolder();
  const history = other.open();
  history.commitOne(projectsReading(startAt, [wireProject('p')]));
  expect(history.followClock(0)).toEqual({ at: startAt });
});

const year = 365 * day;

/** Reads a project with an endpoint that is always active, at a second after the start. */
function read(history: History, seconds: number, cpu_used_sec: number, aheadMs = 0): void {
  const at = startAt + seconds * second;
  const servedAt = at + aheadMs;
  history.commitOne(projectsReading(at, [wireProject('p', { cpu_used_sec })], { servedAt }));
  const endpoints = [wireEndpoint('ep-1', { current_state: 'active' })];
  history.commitOne(projectReading(at, 'p', { endpoints, operations: [] }, { servedAt }));
}

function activeSeconds(history: History): number {
  const durations = viewOf(history, startAt).projects[0]?.endpoints[0]?.stateDurations ?? [];
  return (durations.find(({ state }) => state === 'active')?.durationMs ?? 0) / 1000;
}

function query<Answer>(file: string, ask: (database: Database.Database) => Answer): Answer {
  const database = new Database(file, { readonly: true });
  try {
    return ask(database);
  } finally {
    database.close();
  }
}

test.each(['the same daemon', 'the next daemon'])(
  'what a clock a year ahead dated comes back with it, and goes on counting (%s)',
  who => {
    using folder = new HistoryFolder();
    let history = folder.open();
    read(history, 0, 100);
    read(history, 10, 110);
    read(history, 20, 120, year);
    read(history, 30, 130, year);
    if (who === 'the next daemon') history = folder.reopen(history);
    read(history, 40, 140);
    const before = activeSeconds(history);
    read(history, 100, 200);
    read(history, 160, 260);
    expect(activeSeconds(history) - before).toBe(120);
    expect(viewOf(history, startAt).projects[0]?.cpuUsedSeconds).toBe(260);
    const used = (seconds: number) =>
      query(
        folder.file,
        database => new UsageQuery(database).usedUntil(1, startAt + seconds * second) / 1000,
      );
    expect([used(10), used(40), used(100), used(130), used(160), used(400 * 86_400)]).toEqual([
      110, 140, 200, 230, 260, 260,
    ]);
    const laterRows = query(folder.file, database =>
      [
        'cpu_sample.at',
        'state_interval.from_at',
        'compute_interval.from_at',
        'account.projects_listed_at',
      ].map(column => {
        const [table] = column.split('.');
        return database
          .prepare(`SELECT count(*) FROM ${table} WHERE ${column} > ?`)
          .pluck()
          .get(startAt + day);
      }),
    );
    expect(laterRows).toEqual([0, 0, 0, 0]);
    const both = [
      wireProject('p', { cpu_used_sec: 260 }),
      wireProject('q', { created_at: new Date(startAt + 165 * second).toISOString() }),
    ];
    history.commitOne(projectsReading(startAt + 170 * second, both));
    const born = viewOf(history, startAt).projects.find(({ project_id }) => project_id === 'q');
    expect(born?.operations?.ended).toEqual([]);
  },
);

test('a clock that is a year behind that of the host takes nothing back', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  read(history, 0, 100);
  read(history, 3600, 200);
  read(history, 3610, 200, -year);
  read(history, 3620, 210);
  expect(activeSeconds(history)).toBe(3620);
});

test('a list that is served a little earlier than the one before changes nothing', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  read(history, 3600, 100);
  read(history, 7200, 200);
  read(history, 3700, 200);
  expect(activeSeconds(history)).toBe(3600);
});
