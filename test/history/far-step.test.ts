import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { ComputeQuery } from '../../src/history/usage/compute-query.ts';
import { UsageQuery } from '../../src/history/usage/usage-query.ts';
import { layInstants, listInstants } from '../../src/resources/backfill.ts';
import { dayMs } from '../../src/resources/duration.ts';
import { LivedHistory } from '../support/lived-history.ts';

/** A fleet with endpoints that came, went and slept, and a time in which nobody watched it. */
function live(): { readonly database: Database.Database; readonly now: number } {
  const life = new LivedHistory({
    now: Date.UTC(2026, 9, 20, 7, 13) / 1000,
    ...{ seed: 3, projects: 10, historyDays: 12, showcase: true },
  });
  onTestFinished(() => life[Symbol.dispose]());
  const pace = { listEverySeconds: 1800, projectsEvery: 2 };
  life.watch(86_400, pace);
  life.miss(40_000);
  life.watch(86_400, pace);
  const database = new Database(life.folder.file, { readonly: true });
  onTestFinished(() => {
    database.close();
  });
  return { database, now: life.now };
}

test('use and bounds of compute before each of many days are those before each day alone', () => {
  const { database, now } = live();
  const usage = new UsageQuery(database);
  const compute = new ComputeQuery(database);
  const instants = layInstants(now - 20 * dayMs, now + dayMs, dayMs);
  const days = [...listInstants(instants)];
  const used = usage.projects.map(({ project_ref }) => [...usage.usedAtSteps(project_ref, instants)]);
  expect(used).toEqual(
    usage.projects.map(({ project_ref }) => days.map(at => usage.usedUntil(project_ref, at))),
  );
  expect(new Set(used.flat()).size).toBeGreaterThan(60);
  const endpoints = database.prepare<[], number>('SELECT endpoint_ref FROM endpoint').pluck().all();
  const untilAt = now + dayMs;
  const bounds = endpoints.map(ref => compute.endpointAtSteps(ref, { ...instants, untilAt }));
  const none = { lower: null, upper: null };
  expect(bounds).toEqual(endpoints.map(ref => days.map(at => compute.endpoint(ref, at) ?? none)));
  expect(new Set(bounds.flat().map(({ upper }) => upper)).size).toBeGreaterThan(60);
});
