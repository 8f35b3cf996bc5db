import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { AttributedUsageQuery, hoursOf } from '../../src/history/usage/attributed-usage-query.ts';
import { openReportHistory } from '../../src/history/usage/report-history.ts';
import { UsageQuery } from '../../src/history/usage/usage-query.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import {
  day,
  importReading,
  instant,
  minute,
  projectGoneReading,
  projectReading,
  projectsReading,
  startAt,
  type WireItem,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';

const at = (instant: string) => Date.parse(`2026-11-${instant}Z`);
const created_at = '2026-11-01T00:00:00Z';

/** A history to be filled, and what a project used between two instants by it, in compute seconds. */
function openHistory() {
  const folder = new HistoryFolder();
  const history = folder.open();
  const database = new Database(folder.file);
  onTestFinished(() => {
    database.close();
    folder[Symbol.dispose]();
  });
  const usage = () => new UsageQuery(database);
  const used = (from: string, until: string, project_ref = 1) =>
    (usage().usedUntil(project_ref, at(until)) - usage().usedUntil(project_ref, at(from))) / 1000;
  return { history, database, usage, used };
}

function list(history: History, instant: string, cpu_used_sec: number): void {
  history.commitOne(projectsReading(at(instant), [{ id: 'p', created_at, cpu_used_sec }]));
}

/** Starts and suspends that have ended, newest first as the service lists them. */
function changesAt(...instants: readonly string[]): WireItem[] {
  return instants
    .map((instant, index) => ({
      id: `op-${instant}`,
      endpoint_id: 'ep-1',
      action: index % 2 === 0 ? 'start_compute' : 'suspend_compute',
      status: 'finished',
      created_at: new Date(at(instant) - 1000).toISOString(),
      updated_at: new Date(at(instant)).toISOString(),
    }))
    .toReversed();
}

const endpoint = (fields: WireItem = {}) =>
  wireEndpoint('ep-1', {
    created_at,
    autoscaling_limit_min_cu: 1,
    autoscaling_limit_max_cu: 1,
    current_state: 'idle',
    ...fields,
  });

test('what is used across midnight falls on both days by when the endpoint was awake', () => {
  const { history, used } = openHistory();
  list(history, '10T23:50:00', 0);
  history.commitOne(projectReading(at('10T23:50:00'), 'p', { endpoints: [endpoint()], operations: [] }));
  // It was not read for half an hour. It was awake for ten minutes before midnight and five after it.
  list(history, '11T00:20:00', 900);
  const operations = changesAt('10T23:50:00', '11T00:05:00');
  history.commitOne(projectReading(at('11T00:20:00'), 'p', { endpoints: [endpoint()], operations }));
  expect(used('10T00:00:00', '11T00:00:00')).toBe(600);
  expect(used('11T00:00:00', '12T00:00:00')).toBe(300);
  expect(used('10T23:55:00', '11T00:02:00')).toBe(420);
});

test('endpoints are there from their creation until they are gone, for price books that count them', () => {
  const { history, usage } = openHistory();
  list(history, '10T00:00:00', 0);
  const other = wireEndpoint('ep-2', { created_at: '2026-11-05T00:00:00Z', branch_id: 'br-2' });
  const endpoints = [endpoint({ branch_id: 'br-1' }), other];
  history.commitOne(projectReading(at('10T00:00:00'), 'p', { endpoints, operations: [] }));
  history.commitOne(
    projectReading(at('12T00:00:00'), 'p', { endpoints: endpoints.slice(0, 1), operations: [] }),
  );
  expect(usage().endpointLives()).toEqual([
    { project_ref: 1, branch_id: 'br-1', created_at: at('01T00:00:00') },
    { project_ref: 1, branch_id: 'br-2', created_at: at('05T00:00:00'), gone_at: at('12T00:00:00') },
  ]);
});

test('an endpoint that is created again under one id has lives of its own, each with its branch', () => {
  const { history, usage } = openHistory();
  list(history, '10T00:00:00', 0);
  const read = (when: string, ...endpoints: readonly ReturnType<typeof endpoint>[]) =>
    history.commitOne(projectReading(at(when), 'p', { endpoints, operations: [] }));
  const created = (when: string, branch_id: string) =>
    endpoint({ branch_id, created_at: `2026-11-${when}Z` });
  read('10T00:00:00', created('01T00:00:00', 'br-1'));
  // A creation that is told otherwise, though it was read since, is no other life.
  read('10T12:00:00', created('01T06:00:00', 'br-1'));
  // Its first end was seen; the second one was deleted between two readings.
  read('12T00:00:00');
  read('15T00:00:00', created('14T00:00:00', 'br-2'));
  read('16T00:00:00', created('14T00:00:00', 'br-2'));
  read('17T00:00:00', created('16T12:00:00', 'br-2'));
  read('18T00:00:00');
  expect(usage().endpointLives()).toEqual([
    { project_ref: 1, branch_id: 'br-1', created_at: at('01T06:00:00'), gone_at: at('12T00:00:00') },
    { project_ref: 1, branch_id: 'br-2', created_at: at('14T00:00:00'), gone_at: at('16T12:00:00') },
    { project_ref: 1, branch_id: 'br-2', created_at: at('16T12:00:00'), gone_at: at('18T00:00:00') },
  ]);
  // What came back as it was goes on.
  read('19T00:00:00', created('16T12:00:00', 'br-2'));
  expect(usage().endpointLives()).toHaveLength(3);
});

test('while nothing is known of endpoints it is spread evenly', () => {
  const { history, used } = openHistory();
  list(history, '10T23:45:00', 0);
  list(history, '11T00:15:00', 900);
  expect(used('10T00:00:00', '11T00:00:00')).toBe(450);
  expect(used('11T00:00:00', '12T00:00:00')).toBe(450);
});

test('an unchanged value was read until shortly before it changed', () => {
  const { history, used } = openHistory();
  for (const instant of ['10T10:00:00', '10T10:30:00', '10T10:59:50']) list(history, instant, 50);
  list(history, '10T11:00:10', 70);
  expect(used('10T10:00:00', '10T10:59:50')).toBe(0);
  expect(used('10T10:59:50', '10T11:00:00')).toBe(10);
  expect(used('10T11:00:00', '10T12:00:00')).toBe(10);
});

test('a counter that was set back at midnight counts from there', () => {
  const { history, used } = openHistory();
  list(history, '10T22:00:00', 30_000);
  history.commitOne(
    projectReading(at('10T22:00:00'), 'p', {
      endpoints: [endpoint({ current_state: 'active' })],
      operations: changesAt('10T21:00:00'),
    }),
  );
  // Awake all the time; the counter began anew at midnight and was not read for four hours.
  for (const instant of ['11T02:00:00', '11T02:00:10']) list(history, instant, 7200);
  history.commitOne(
    projectReading(at('11T02:00:00'), 'p', {
      endpoints: [endpoint({ current_state: 'active' })],
      operations: [],
    }),
  );
  expect(used('11T00:00:00', '11T02:00:00')).toBe(7200);
  expect(used('11T00:00:00', '11T01:00:00')).toBe(3600);
  expect(used('10T22:00:00', '11T00:00:00')).toBe(0);
});

test('the first value was used since the project was created, when its endpoints were awake', () => {
  const { history, used, usage } = openHistory();
  list(history, '10T00:00:00', 7200);
  const operations = changesAt('03T10:00:00', '03T11:00:00', '07T10:00:00', '07T11:00:00');
  history.commitOne(projectReading(at('10T00:00:00'), 'p', { endpoints: [endpoint()], operations }));
  expect(used('01T00:00:00', '03T10:00:00')).toBe(0);
  expect(used('03T10:00:00', '03T10:30:00')).toBe(1800);
  expect(used('07T00:00:00', '08T00:00:00')).toBe(3600);
  expect(usage().knownFrom('main')).toBe(at('01T00:00:00'));
});

test('an account is known from the end of the last gap before it was watched, in whatever order they are found', () => {
  const { history, usage } = openHistory();
  const ends = { p: '02T05:00:00', q: '04T05:00:00', r: '03T05:00:00' };
  const items = Object.keys(ends).map(id => ({ id, created_at, cpu_used_sec: 7200 }));
  history.commitOne(projectsReading(at('10T00:00:00'), items));
  for (const [id, end] of Object.entries(ends)) {
    // The counter was set back after it had been awake: it has what was used later alone.
    const operations = changesAt('02T00:00:00', end, '07T10:00:00', '07T12:00:00');
    history.commitOne(projectReading(at('10T00:00:00'), id, { endpoints: [endpoint()], operations }));
  }
  // The beginning of a count is looked for to the second.
  const toSecond = (instant = 0) => Math.floor(instant / 1000) * 1000;
  expect(toSecond(usage().knownFrom('main'))).toBe(at(ends.q));
});

test('a first value that lags is no later beginning of the count', () => {
  const { history, usage, used } = openHistory();
  // It counts the first two hours, and nothing yet of the ten minutes before it was read.
  list(history, '10T00:10:00', 7200);
  history.commitOne(
    projectReading(at('10T00:10:00'), 'p', {
      endpoints: [endpoint({ current_state: 'active' })],
      operations: changesAt('03T10:00:00', '03T12:00:00', '10T00:00:00'),
    }),
  );
  expect(usage().knownFrom('main')).toBe(at('01T00:00:00'));
  expect(used('03T00:00:00', '04T00:00:00')).toBeGreaterThan(6500);
  expect(used('01T00:00:00', '11T00:00:00')).toBe(7200);
});

test('use that is found to belong to hours that were rolled up is moved there', () => {
  const { history, database, used } = openHistory();
  list(history, '10T00:00:00', 7200);
  history.commitOne(projectReading(at('10T00:00:00'), 'p', { endpoints: [endpoint()] }));
  for (const instant of ['11T06:00:00', '11T12:00:00']) list(history, instant, 7200);
  while (history.upkeep(at('11T12:00:00')));
  const hours = () => database.prepare('SELECT hour, total FROM usage_hour ORDER BY hour').raw().all();
  // Without operations nothing tells in which hours it was used.
  expect(hours()).toEqual([]);
  history.commitOne(
    projectReading(at('11T12:00:00'), 'p', {
      endpoints: [endpoint()],
      operations: changesAt('03T10:00:00', '03T12:00:00'),
    }),
  );
  while (history.upkeep(at('11T14:30:00')));
  const hour = at('03T10:00:00') / 3_600_000;
  expect(hours()).toEqual([
    [hour, 3_600_000],
    [hour + 1, 7_200_000],
  ]);
  expect(used('03T00:00:00', '04T00:00:00')).toBe(7200);
});

test('operations that are imported page by page are waited for', () => {
  const { history, used } = openHistory();
  list(history, '10T00:00:00', 3600);
  const progress = { headAt: at('09T00:00:00'), tailCursor: 'more' };
  const [suspend, start] = changesAt('05T10:00:00', '05T11:00:00');
  history.commitOne(
    projectReading(at('10T00:00:00'), 'p', { endpoints: [endpoint()], operations: [suspend] }, { progress }),
  );
  expect(used('05T00:00:00', '06T00:00:00')).toBe(400);
  history.commitOne(importReading(at('10T00:01:00'), 'p', [start]));
  expect(used('05T00:00:00', '06T00:00:00')).toBe(3600);
});

test('a deleted project keeps what it used, and uses nothing any more', () => {
  const { history, used, usage } = openHistory();
  list(history, '10T00:00:00', 0);
  list(history, '10T00:10:00', 60);
  history.commitOne(projectGoneReading(at('10T00:20:00'), 'p'));
  expect(usage().projects).toEqual([
    {
      project_ref: 1,
      account: 'main',
      project_id: 'p',
      created_at: Date.parse(created_at),
      gone_at: at('10T00:20:00'),
    },
  ]);
  expect(used('01T00:00:00', '30T00:00:00')).toBe(60);
});

test('what a project used while others watched it was not all used since the last list, which did not have it', () => {
  using folder = new HistoryFolder();
  const own = wireProject('own');
  const lent = (cpu_used_sec: number) => wireProject('lent', { cpu_used_sec });
  const first = folder.open();
  first.commitOne(projectsReading(startAt, [own, lent(100)]));
  const second = folder.reopen(first);
  second.commitOne(projectsReading(startAt + minute, [own]));
  second.commitOne(projectsReading(startAt + day, [own]));
  const third = folder.reopen(second);
  third.commitOne(projectsReading(startAt + day + minute, [own, lent(50_000)]));
  folder.close(third);
  const database = new Database(folder.file, { readonly: true });
  const { usage } = openReportHistory(database, ['main']);
  const project_ref = usage.projects.find(({ project_id }) => project_id === 'lent')?.project_ref ?? 0;
  const usedAfter = (ms: number) =>
    usage.usedUntil(project_ref, startAt + day + minute) - usage.usedUntil(project_ref, startAt + ms);
  expect(usedAfter(0)).toBe(49_900_000);
  // Evenly, as nothing tells when it was awake.
  expect(usedAfter(day / 2) / usedAfter(0)).toBeCloseTo(0.5, 2);
  database.close();
});

const hour = 60 * minute;

/** Samples are kept for less time than the project exists. */
const keep = { samples: 90 * day, hours: 400 * day, days: 1830 * day, operations: 400 * day };
const createdAt = startAt - 300 * day;
const oldEndpoint = wireEndpoint('ep-1', {
  created_at: instant(createdAt),
  autoscaling_limit_min_cu: 1,
  autoscaling_limit_max_cu: 1,
});

/** A history that keeps samples for 90 days, of a project that is older. */
function openOld() {
  const folder = new HistoryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const history = folder.open({ keep });
  const database = new Database(folder.file, { readonly: true });
  onTestFinished(() => void database.close());
  const list = (at: number, hours: number, created = createdAt) => {
    const fields = { cpu_used_sec: hours * 3600, created_at: instant(created) };
    history.commitOne(projectsReading(at, [wireProject('p', fields)]));
  };
  const usage = () => new AttributedUsageQuery(database, ['main']);
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
  const { history, list, usage, used } = openOld();
  list(startAt, 103);
  expect(used(-400, 1)).toBe(0);
  expect(usage().unattributed('main')).toEqual([
    { project_ref: 1, account: 'main', untilAt: startAt, cuMs: 103 * hour },
  ]);
  expect(usage().importsLeft('main')).toBe(1);
  list(startAt + hour, 104);
  expect([used(-400, 0), used(0, 1)]).toEqual([0, 1]);
  const [suspend, start, ...older] = changes();
  const progress = { headAt: startAt, tailCursor: 'more' };
  const newest = { endpoints: [oldEndpoint], operations: [suspend, start] };
  history.commitOne(projectReading(startAt + hour, 'p', newest, { progress }));
  expect([used(-400, 0), used(0, 1)]).toEqual([0, 1]);
  history.commitOne(importReading(startAt + hour, 'p', older));
  expect(usage().unattributed('main')).toEqual([]);
  expect(usage().importsLeft('main')).toBe(0);
  expect(used(-201, -190)).toBeCloseTo(100, 2);
  expect(used(-90, 0)).toBeCloseTo(3, 2);
  expect(used(0, 1)).toBe(1);
});

test('upkeep before, during and after the import neither books it into the present nor loses it', () => {
  const { history, database, list, usage, used, keepUp } = openOld();
  list(startAt, 103);
  keepUp(startAt);
  expect(used(-400, 1)).toBe(0);
  const hours = hoursOf(database, usage());
  expect(Math.max(...hours.hours(1, Math.floor(startAt / hour) - 24, 30))).toBe(0);
  list(startAt + 2 * day, 105);
  keepUp(startAt + 2 * day);
  expect([used(-400, 0), used(0, 2)]).toEqual([0, 2]);
  history.commitOne(
    projectReading(startAt + 2 * day, 'p', { endpoints: [oldEndpoint], operations: changes() }),
  );
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

test('an hour that is over counts before it is rolled up, also where a first value reaches into it', () => {
  const { history, list, used, keepUp } = openOld();
  const readAt = startAt + hour + 3 * minute;
  const awakeHours = (at: number) => (at - startAt) / hour + 2400;
  const fields = { created_at: instant(startAt - 100 * day), updated_at: instant(startAt - 100 * day) };
  const start = wireOperation('start', { action: 'start_compute', ...fields });
  const endpoints = [{ ...oldEndpoint, current_state: 'active' }];
  for (const at of [readAt, readAt + minute]) {
    list(at, awakeHours(at));
    history.commitOne(projectReading(at, 'p', { endpoints, operations: [start] }));
    keepUp(at);
  }
  expect(used(-1, 0)).toBeCloseTo(24, 2);
  expect(used(0, 1 / 24)).toBeCloseTo(1, 2);
  expect(used(0, 1 / 48)).toBeCloseTo(0.5, 2);
});

test('a project that was created while it was watched, or just before, has all its use placed', () => {
  const { list, used, usage, history } = openOld();
  list(startAt, 0.5, startAt - 40 * minute);
  expect(usage().unattributed('main')).toEqual([]);
  expect(used(-1, 1)).toBe(0.5);
  const born = wireProject('q', { cpu_used_sec: 7200, created_at: instant(startAt + minute) });
  history.commitOne(projectsReading(startAt + 3 * hour, [born]));
  expect(usage().unattributed('main')).toEqual([]);
});

test('use that is too much for the present month goes back to the first of the month that it fits since', () => {
  const { history, list, used } = openOld();
  list(startAt, 1200);
  history.commitOne(projectReading(startAt, 'p', { endpoints: [oldEndpoint], operations: [] }));
  const began = (Date.UTC(2026, 9, 1) - startAt) / day;
  expect(used(-400, began)).toBe(0);
  expect(used(began, 0)).toBe(1200);
});

test('use of a project that was never seen awake lies in the present month, as the service counts anew in each', () => {
  const { history, list, used } = openOld();
  const asleep = { ...oldEndpoint, current_state: 'idle' };
  list(startAt, 103);
  history.commitOne(projectReading(startAt, 'p', { endpoints: [asleep], operations: [] }));
  const monthBegan = (Date.UTC(2026, 10, 1) - startAt) / day;
  expect(used(-400, monthBegan)).toBe(0);
  expect(used(monthBegan, monthBegan / 2)).toBeCloseTo(51.5, 2);
  expect(used(monthBegan / 2, 0)).toBeCloseTo(51.5, 2);
});
