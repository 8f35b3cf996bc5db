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
      hours: database.prepare<[number, number, number], { readonly hour: number; readonly total: number }>(
        'SELECT hour, total FROM usage_hour WHERE project_ref = ? AND hour >= ? AND hour < ? ORDER BY hour',
      ),
      rolled: database
        .prepare<[number], number>('SELECT rolled_until_hour FROM project WHERE project_ref = ?')
        .pluck(),
    };
  }

  /**
   * Use of a project in each of `count` hours of UTC, in compute seconds.
   *
   * @param firstHour hours since 1970.
   */
  hours(project_ref: number, firstHour: number, count: number): Float64Array {
    const use = new Float64Array(count);
    const untilHour = firstHour + count;
    const rolledUntil = Math.min(
      Math.max(this.#statements.rolled.get(project_ref) ?? 0, firstHour),
      untilHour,
    );
    let before = this.#usage.usedUntil(project_ref, firstHour * hourMs);
    for (const row of this.#statements.hours.iterate(project_ref, firstHour, rolledUntil)) {
      const { hour } = row;
      const total = this.#usage.placed(project_ref, row.total);
      use[hour - firstHour] = (total - before) / 1000;
      before = total;
    }
    for (let hour = rolledUntil; hour < untilHour; hour += 1) {
      const total = this.#usage.usedUntil(project_ref, (hour + 1) * hourMs);
      use[hour - firstHour] = (total - before) / 1000;
      before = total;
    }
    return use;
  }
}
