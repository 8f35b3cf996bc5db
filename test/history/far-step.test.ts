import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AttributedUsageQuery, hoursOf } from '../../src/history/usage/attributed-usage-query.ts';
import { computeOf } from '../../src/history/usage/compute-query.ts';
import { endpointHistoriesOf } from '../../src/history/usage/endpoint-history-query.ts';
import { UsageQuery } from '../../src/history/usage/usage-query.ts';
import { layInstants, listInstants } from '../../src/resources/backfill.ts';
import { dayMs, hourMs } from '../../src/resources/duration.ts';
import { LivedHistory } from '../support/lived-history.ts';

/** A fleet with endpoints that came, went and slept, and a time in which it was not watched. */
const life = new LivedHistory({
  now: Date.UTC(2026, 9, 20, 7, 13) / 1000,
  ...{ seed: 3, projects: 10, historyDays: 12, showcase: true },
});
afterAll(() => life[Symbol.dispose]());
let database: Database.Database;

beforeAll(() => {
  const pace = { listEverySeconds: 1800, projectsEvery: 2 };
  life.watch(86_400, pace);
  life.miss(40_000);
  life.watch(86_400, pace);
  database = new Database(life.folder.file, { readonly: true });
});
afterAll(() => {
  database.close();
});

test('use and bounds of compute before each of many days are those before each day alone', () => {
  const { now } = life;
  const usage = new UsageQuery(database);
  const compute = computeOf(database);
  const instants = layInstants(now - 20 * dayMs, now + dayMs, dayMs);
  const days = [...listInstants(instants)];
  const used = usage.projects.map(({ project_ref }) => [...usage.usedAtSteps(project_ref, instants)]);
  expect(used).toEqual(
    usage.projects.map(({ project_ref }) => days.map(at => usage.usedUntil(project_ref, at))),
  );
  expect(new Set(used.flat()).size).toBeGreaterThan(60);
  const endpoints = database.prepare<[], number>('SELECT endpoint_ref FROM endpoint').pluck().all();
  const bounds = endpoints.map(ref => compute.endpointAtSteps(ref, instants));
  const none = { lower: null, upper: null };
  expect(bounds).toEqual(endpoints.map(ref => days.map(at => compute.endpoint(ref, at) ?? none)));
  expect(new Set(bounds.flat().map(({ upper }) => upper)).size).toBeGreaterThan(60);
});

test('an endpoint that could not be read for longer than is looked back is known for no time', () => {
  const later = life.now + 80 * dayMs;
  const histories = endpointHistoriesOf(database, new UsageQuery(database));
  const remembered = new UsageQuery(database).projects.flatMap(project =>
    histories.remembered(project, later - 70 * dayMs, later).filter(({ goneAt }) => goneAt === undefined),
  );
  expect(remembered.length).toBeGreaterThan(0);
  for (const { known, mostADay } of remembered) {
    expect(known.untilAt).toBe(known.fromAt);
    expect(mostADay?.() ?? 0).toBeGreaterThanOrEqual(0);
  }
});

test('no week of an endpoint has more use than is said to be the most', () => {
  const { now } = life;
  const histories = endpointHistoriesOf(database, new UsageQuery(database));
  const usage = new UsageQuery(database);
  const bounds = usage.projects.flatMap(project =>
    histories.remembered(project, now - 14 * dayMs, now).flatMap(({ known, mostADay }) => {
      const weeks = [...listInstants(layInstants(known.fromAt + 7 * dayMs, known.untilAt, 5 * hourMs))];
      const usedIn = (at: number) =>
        (usage.usedUntil(project.project_ref, at) - usage.usedUntil(project.project_ref, at - 7 * dayMs)) / 7;
      return mostADay === undefined ? [] : [{ most: mostADay(), used: Math.max(0, ...weeks.map(usedIn)) }];
    }),
  );
  expect(bounds.length).toBeGreaterThan(3);
  expect(bounds.filter(({ most, used }) => used > most)).toEqual([]);
  expect(bounds.some(({ most, used }) => used > 0 && most < 2 * used)).toBe(true);
});

test('the use in each of many hours is what was used between its ends alone', () => {
  const { now } = life;
  const accounts = database.prepare<[], string>('SELECT account FROM account').pluck().all();
  const usage = new AttributedUsageQuery(database, accounts);
  const first = Math.floor(now / hourMs) - 15 * 24;
  const hours = hoursOf(database, usage);
  const indexes = Array.from({ length: 15 * 24 + 30 }, (_, index) => index);
  const refs = usage.projects.slice(-4).map(({ project_ref }) => project_ref);
  const usedIn = (ref: number, hour: number) =>
    (usage.usedUntil(ref, (hour + 1) * hourMs) - usage.usedUntil(ref, hour * hourMs)) / 1000;
  expect(refs.map(ref => [...hours.hours(ref, first, indexes.length)])).toEqual(
    refs.map(ref => indexes.map(index => usedIn(ref, first + index))),
  );
});
