import type { Database } from 'better-sqlite3';
import { hourMs } from '../../resources/duration.ts';
import type { PlacedUsageQuery } from './placed-usage-query.ts';

/** Reads the use of projects hour by hour. */
export class HourQuery {
  readonly #usage: PlacedUsageQuery;
  readonly #statements;

  constructor(database: Database, usage: PlacedUsageQuery) {
    this.#usage = usage;
    this.#statements = {
      hours: database
        .prepare<[number, number, number], readonly [hour: number, total: number]>(
          'SELECT hour, total FROM usage_hour WHERE project_ref = ? AND hour >= ? AND hour < ? ORDER BY hour',
        )
        .raw(),
      rolled: database
        .prepare<[number], number>('SELECT rolled_until_hour FROM project WHERE project_ref = ?')
        .pluck(),
    };
  }

  /**
   * Use of a project in each of `count` hours of UTC, in compute seconds.
   *
   * @param firstHour hours since 1970.
   * @param use filled and returned: one that is given for many projects spares an array of each.
   */
  hours(
    project_ref: number,
    firstHour: number,
    count: number,
    use: Float64Array = new Float64Array(count),
  ): Float64Array {
    use.fill(0);
    const untilHour = firstHour + count;
    const rolledUntil = Math.min(
      Math.max(this.#statements.rolled.get(project_ref) ?? 0, firstHour),
      untilHour,
    );
    let before = this.#usage.usedUntil(project_ref, firstHour * hourMs);
    for (const [hour, rolled] of this.#statements.hours.all(project_ref, firstHour, rolledUntil)) {
      const total = this.#usage.placed(project_ref, rolled);
      use[hour - firstHour] = (total - before) / 1000;
      before = total;
    }
    const left = { fromAt: (rolledUntil + 1) * hourMs, stepMs: hourMs, count: untilHour - rolledUntil };
    let index = rolledUntil - firstHour;
    for (const total of left.count > 0 ? this.#usage.usedAtSteps(project_ref, left) : []) {
      use[index++] = (total - before) / 1000;
      before = total;
    }
    return use;
  }
}
