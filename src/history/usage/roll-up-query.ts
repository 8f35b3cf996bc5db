import type { Database } from 'better-sqlite3';

type DayTotal = readonly [day: number, total: number];

/**
 * Reads roll-ups: use before each of many midnights of UTC at once, in CU-milliseconds, NaN where the day is not rolled
 * up yet and has to be looked up alone.
 */
export class RollUpQuery {
  readonly #statements;

  constructor(database: Database) {
    // A year has many rows: arrays, all at once, take half of the time of objects.
    const totals = (sql: string) => database.prepare<[number, number, number], DayTotal>(sql).raw();
    const rolledDay = (ofProject: string) =>
      `(SELECT rolled_until_hour / 24 FROM project WHERE project_ref = ${ofProject})`;
    this.#statements = {
      rolled: database.prepare<[number], number>(`SELECT ${rolledDay('?')}`).pluck(),
      before: database
        .prepare<[number, number], number>(
          'SELECT total FROM usage_day WHERE project_ref = ? AND day < ? ORDER BY day DESC LIMIT 1',
        )
        .pluck(),
      used: totals(
        'SELECT day, total FROM usage_day WHERE project_ref = ? AND day >= ? AND day < ? ORDER BY day',
      ),
      compute: totals(
        `SELECT day, (lower_total + upper_total) / 2 AS total
         FROM compute_day JOIN endpoint USING (endpoint_ref)
         WHERE endpoint_ref = ? AND day >= ? AND day < ? AND day < ${rolledDay('endpoint.project_ref')}`,
      ),
    };
  }

  /**
   * Use of a project before the midnights that begin `count` days.
   *
   * @param firstDay days of UTC since 1970.
   * @param totals filled and returned: one that is given for many projects spares an array of each.
   */
  used(
    project_ref: number,
    firstDay: number,
    count: number,
    totals: Float64Array = new Float64Array(count),
  ): Float64Array {
    totals.fill(Number.NaN);
    const known = Math.min(count, (this.#statements.rolled.get(project_ref) ?? 0) - firstDay + 1);
    let total = this.#statements.before.get(project_ref, firstDay) ?? 0;
    let next = 0;
    for (const [day, after] of this.#statements.used.all(project_ref, firstDay, firstDay + count)) {
      for (; next <= day - firstDay && next < known; next += 1) totals[next] = total;
      total = after;
    }
    for (; next < known; next += 1) totals[next] = total;
    return totals;
  }

  /** Mean of the bounds of an endpoint's compute before the same midnights. */
  compute(
    endpoint_ref: number,
    firstDay: number,
    count: number,
    totals: Float64Array = new Float64Array(count),
  ): Float64Array {
    totals.fill(Number.NaN);
    const rows = this.#statements.compute.all(endpoint_ref, firstDay - 1, firstDay + count - 1);
    for (const [day, total] of rows) totals[day + 1 - firstDay] = total;
    return totals;
  }
}
