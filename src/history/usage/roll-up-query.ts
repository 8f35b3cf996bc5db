import type { Database } from 'better-sqlite3';
import { dayMs, hourMs } from '../../resources/duration.ts';
import { statementsOf } from '../file/statement.ts';

type DayTotal = readonly [day: number, total: number];

/**
 * Reads roll-ups: use before each of many midnights of UTC at once, in CU-milliseconds, NaN where the day is not rolled
 * up yet and has to be looked up alone.
 */
export function rollUpsOf(database: Database) {
  const sql = statementsOf(database);
  // A year has many rows: arrays, all at once, take half of the time of objects.
  const rolledDay = (ofProject: string) =>
    `(SELECT rolled_until_hour / 24 FROM project WHERE project_ref = ${ofProject})`;
  const readRolled = sql.value<[number], number>`SELECT ${rolledDay('?')}`;
  const readBefore = sql.value<[number, number], number>`
    SELECT total FROM usage_day WHERE project_ref = ? AND day < ? ORDER BY day DESC LIMIT 1`;
  const readUsed = sql.tuples<[number, number, number], DayTotal>`
    SELECT day, total FROM usage_day WHERE project_ref = ? AND day >= ? AND day < ? ORDER BY day`;
  const readCompute = sql.tuples<[number, number, number], DayTotal>`
    SELECT day, (lower_total + upper_total) / 2 AS total
    FROM compute_day JOIN endpoint USING (endpoint_ref)
    WHERE endpoint_ref = ? AND day >= ? AND day < ? AND day < ${rolledDay('endpoint.project_ref')}`;
  return {
    /**
     * Use of a project before the midnights that begin `count` days.
     *
     * @param firstDay days of UTC since 1970.
     * @param totals filled and returned: one for many projects spares an array of each.
     */
    used(project_ref: number, firstDay: number, count: number, totals: Float64Array) {
      totals.fill(Number.NaN);
      const known = Math.min(count, (readRolled(project_ref) ?? 0) - firstDay + 1);
      let total = readBefore(project_ref, firstDay) ?? 0;
      let next = 0;
      for (const [day, after] of readUsed(project_ref, firstDay, firstDay + count)) {
        for (; next <= day - firstDay && next < known; next += 1) totals[next] = total;
        total = after;
      }
      for (; next < known; next += 1) totals[next] = total;
      return totals;
    },
    /** Mean of the bounds of an endpoint's compute before the same midnights. */
    compute(endpoint_ref: number, firstDay: number, count: number, totals: Float64Array) {
      totals.fill(Number.NaN);
      for (const [day, total] of readCompute(endpoint_ref, firstDay - 1, firstDay + count - 1))
        totals[day + 1 - firstDay] = total;
      return totals;
    },
  };
}

type ProjectTotal = readonly [project_ref: number, total: number | null];

/** All projects are read together once this share of them was asked for one by one: either takes much the same time. */
const worthwhileShare = 1 / 8;
/** Fewer projects are always read one by one. */
const fewestAsked = 32;
/** Hours that are remembered, at 8 bytes a project where all were read: the ends of a year's billing periods, and some more. */
const mostHours = 24;

interface Hour {
  /** How often it was asked for. */
  asked: number;
  /** By `project_ref`; absent until enough were asked for. */
  totals?: Float64Array;
}

/**
 * Reads what projects used before an hour of UTC since 1970, no later than they are rolled up to, from the hourly roll-ups, in
 * CU-milliseconds. What projects of an account share is worked out from all of them at the same few hours: such an hour is read
 * for all projects together, in a fifth of the time.
 */
export function hourTotalsOf(database: Database) {
  const sql = statementsOf(database);
  const before = (ofProject: string) =>
    `SELECT total FROM usage_hour WHERE usage_hour.project_ref = ${ofProject} AND hour < ? ORDER BY hour DESC LIMIT 1`;
  const readOne = sql.value<[number, number], number>`${before('?')}`;
  const readAll = sql.tuples<[number], ProjectTotal>`
    SELECT project_ref, (${before('project.project_ref')}) FROM project ORDER BY project_ref`;
  const countProjects = sql.value<[], number>`SELECT count(*) FROM project`;
  const hours = new Map<number, Hour>();
  /** How many projects are read one by one at most. */
  let mostAlone: number | undefined;

  /** Forgets the oldest hour in exchange: after all projects were asked for it, it is hardly asked for again. */
  function keep(hour: number): Hour {
    const [first] = hours.keys();
    if (hours.size >= mostHours && first !== undefined) hours.delete(first);
    const kept: Hour = { asked: 0 };
    hours.set(hour, kept);
    return kept;
  }

  function lookAtAll(hour: number): Float64Array {
    const rows = readAll(hour);
    const totals = new Float64Array((rows.at(-1)?.[0] ?? 0) + 1);
    for (const [project_ref, total] of rows) totals[project_ref] = total ?? 0;
    return totals;
  }

  return (project_ref: number, hour: number): number => {
    const known = hours.get(hour) ?? keep(hour);
    known.asked += 1;
    mostAlone ??= Math.max(fewestAsked, (countProjects() ?? 0) * worthwhileShare);
    if (known.totals === undefined && known.asked > mostAlone) known.totals = lookAtAll(hour);
    return known.totals?.[project_ref] ?? readOne(project_ref, hour) ?? 0;
  };
}

/** The hour of UTC an instant lies in, counted since 1970 as roll-ups number them. */
export function hourOf(at: number): number {
  return Math.floor(at / hourMs);
}

/** The day of UTC an instant lies in, counted since 1970. */
export function dayOf(at: number): number {
  return Math.floor(at / dayMs);
}
