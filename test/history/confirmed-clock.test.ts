import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { ConfirmedClock } from '../../src/history/upkeep/confirmed-clock.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { day, minute, projectsReading, startAt, wireProject } from '../support/reading-builder.ts';

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

test('it is not known before a list was read, and is then the date of its answer', () => {
  const folder = new HistoryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  folder.close(folder.open());
  const clock = openClock(folder);
  expect(clock.run(hour)).toEqual([]);
  expect(clock.at).toBeUndefined();
  expect(clock.run(minute, 0)).toEqual([]);
  expect(clock.aheadMs).toBe(0);
});

test('it follows the service while that goes on evenly, also after hours without an answer', () => {
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
  history.record(projectsReading(startAt, [wireProject('p')]));
  expect(history.followClock(0)).toEqual({ at: startAt });
});
