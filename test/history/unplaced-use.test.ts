import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { HourQuery } from '../../src/history/usage/hour-query.ts';
import { PlacedUsageQuery } from '../../src/history/usage/placed-usage-query.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import {
  day,
  importReading,
  instant,
  minute,
  projectReading,
  projectsReading,
  startAt,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';

const hour = 60 * minute;
const keep = { samples: 90 * day, hours: 400 * day, days: 1830 * day, operations: 400 * day };
const createdAt = startAt - 300 * day;
const endpoint = wireEndpoint('ep-1', {
  created_at: instant(createdAt),
  autoscaling_limit_min_cu: 1,
  autoscaling_limit_max_cu: 1,
});

/** A history that keeps samples for 90 days, of a project that is older. */
function openHistory() {
  const folder = new HistoryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const history = folder.open({ keep });
  const database = new Database(folder.file, { readonly: true });
  onTestFinished(() => void database.close());
  const list = (at: number, hours: number, created = createdAt) => {
    const fields = { cpu_used_sec: hours * 3600, created_at: instant(created) };
    history.record(projectsReading(at, [wireProject('p', fields)]));
  };
  const usage = () => new PlacedUsageQuery(database, ['main']);
  /** Compute hours used between two instants, in days from the first reading. */
  const used = (fromDay: number, untilDay: number) =>
    (usage().usedUntil(1, startAt + untilDay * day) - usage().usedUntil(1, startAt + fromDay * day)) / hour;
  const keepUp = (at: number) => {
    while (history.upkeep(at));
  };
  return { history, database, list, usage, used, keepUp };
}

/** The project was awake for 100 hours 200 days ago, and for 3 two days ago. */
function changes(prefix = '') {
  const change = (action: string, at: number) => {
    const fields = { created_at: instant(at), updated_at: instant(at) };
    return wireOperation(`${prefix}${at}`, { action, ...fields });
  };
  return [
    change('suspend_compute', startAt - 2 * day + 3 * hour),
    change('start_compute', startAt - 2 * day),
    change('suspend_compute', startAt - 200 * day + 100 * hour),
    change('start_compute', startAt - 200 * day),
  ];
}

test('use from before the first reading is in no time until the operations are imported', () => {
  const { history, list, usage, used } = openHistory();
  list(startAt, 103);
  expect(used(-400, 1)).toBe(0);
  expect(usage().unplaced('main')).toEqual([
    { project_ref: 1, account: 'main', untilAt: startAt, cuMs: 103 * hour },
  ]);
  expect(usage().importsLeft('main')).toBe(1);
  list(startAt + hour, 104);
  expect([used(-400, 0), used(0, 1)]).toEqual([0, 1]);
  const [suspend, start, ...older] = changes();
  const progress = { headAt: startAt, tailCursor: 'more' };
  const newest = { endpoints: [endpoint], operations: [suspend, start] };
  history.record(projectReading(startAt + hour, 'p', newest, { progress }));
  expect([used(-400, 0), used(0, 1)]).toEqual([0, 1]);
  history.record(importReading(startAt + hour, 'p', older));
  expect(usage().unplaced('main')).toEqual([]);
  expect(usage().importsLeft('main')).toBe(0);
  expect(used(-201, -190)).toBeCloseTo(100, 2);
  expect(used(-90, 0)).toBeCloseTo(3, 2);
  expect(used(0, 1)).toBe(1);
});

test('upkeep before, during and after the import neither books it into the present nor loses it', () => {
  const { history, database, list, usage, used, keepUp } = openHistory();
  list(startAt, 103);
  keepUp(startAt);
  expect(used(-400, 1)).toBe(0);
  const hours = new HourQuery(database, usage());
  expect(Math.max(...hours.hours(1, Math.floor(startAt / hour) - 24, 30))).toBe(0);
  list(startAt + 2 * day, 105);
  keepUp(startAt + 2 * day);
  expect([used(-400, 0), used(0, 2)]).toEqual([0, 2]);
  history.record(projectReading(startAt + 2 * day, 'p', { endpoints: [endpoint], operations: changes() }));
  const check = () => {
    expect(used(-201, -190)).toBeCloseTo(100, 1);
    expect(used(-190, -90)).toBeCloseTo(0, 1);
    expect(used(-90, 0)).toBeCloseTo(3, 1);
    expect(used(0, 2)).toBe(2);
  };
  check();
  keepUp(startAt + 2 * day);
  check();
  list(startAt + 3 * day, 105);
  keepUp(startAt + 3 * day);
  check();
});

test('a project that was created while it was watched, or just before, has all its use placed', () => {
  const { list, used, usage, history } = openHistory();
  list(startAt, 0.5, startAt - 40 * minute);
  expect(usage().unplaced('main')).toEqual([]);
  expect(used(-1, 1)).toBe(0.5);
  const born = wireProject('q', { cpu_used_sec: 7200, created_at: instant(startAt + minute) });
  history.record(projectsReading(startAt + 3 * hour, [born]));
  expect(usage().unplaced('main')).toEqual([]);
});

test('use that is too much for the present month goes back to the first of the month that it fits since', () => {
  const { history, list, used } = openHistory();
  list(startAt, 1200);
  history.record(projectReading(startAt, 'p', { endpoints: [endpoint], operations: [] }));
  const began = (Date.UTC(2026, 9, 1) - startAt) / day;
  expect(used(-400, began)).toBe(0);
  expect(used(began, 0)).toBe(1200);
});

test('use of a project that was never seen awake lies in the present month, as the service counts anew in each', () => {
  const { history, list, used } = openHistory();
  const asleep = { ...endpoint, current_state: 'idle' };
  list(startAt, 103);
  history.record(projectReading(startAt, 'p', { endpoints: [asleep], operations: [] }));
  const monthBegan = (Date.UTC(2026, 10, 1) - startAt) / day;
  expect(used(-400, monthBegan)).toBe(0);
  expect(used(monthBegan, monthBegan / 2)).toBeCloseTo(51.5, 2);
  expect(used(monthBegan / 2, 0)).toBeCloseTo(51.5, 2);
});
