import type { Database } from 'better-sqlite3';
import { dayMs } from '../../resources/duration.ts';
import type { MeterAmounts } from '../../resources/meter.ts';
import { daysOfMonth, monthStart } from '../../resources/utc-month.ts';
import { addAmounts, isSameAmounts, largerAmounts } from '../ledger/meter-sum.ts';
import { fromMeterRow, type MeterRow, meterColumns, toMeterRow, writeMeterRow } from '../meter-column.ts';

interface Grown {
  readonly before: MeterAmounts;
  readonly after: MeterAmounts;
}

/**
 * Adds up what a project was metered: hours to days, days to months, months to all. The service tells the same time by hour,
 * day and month, each as far as it is counted: it came to the most that one of them says, and nothing counts twice. What a
 * day or a month came to stays when its hours or days are pruned, and never falls.
 */
export class MeterRollUp {
  readonly #statements;

  constructor(database: Database) {
    const ofTimeframes = (granularity: string) =>
      database.prepare<[number, number, number], MeterRow>(
        `SELECT ${meterColumns} FROM metered_timeframe
         WHERE metered_ref = ? AND granularity = '${granularity}' AND timeframe_start >= ? AND timeframe_start < ?`,
      );
    this.#statements = {
      hourly: ofTimeframes('hourly'),
      daily: ofTimeframes('daily'),
      monthly: ofTimeframes('monthly'),
      day: database.prepare<[number, number], MeterRow>(
        `SELECT ${meterColumns} FROM metered_day WHERE metered_ref = ? AND day = ?`,
      ),
      days: database.prepare<[number, number, number], MeterRow>(
        `SELECT ${meterColumns} FROM metered_day WHERE metered_ref = ? AND day >= ? AND day < ?`,
      ),
      month: database.prepare<[number, number], MeterRow>(
        `SELECT ${meterColumns} FROM metered_month WHERE metered_ref = ? AND month_start = ?`,
      ),
      total: database.prepare<[number], MeterRow>(
        `SELECT ${meterColumns} FROM metered_project WHERE metered_ref = ?`,
      ),
      writeDay: database.prepare(writeMeterRow('metered_day', ['metered_ref', 'day'])),
      writeMonth: database.prepare(writeMeterRow('metered_month', ['metered_ref', 'month_start'])),
      writeTotal: database.prepare(
        `UPDATE metered_project SET (${meterColumns}) = (${meterColumns.replaceAll(/\w+/g, '@$&')})
         WHERE metered_ref = @metered_ref`,
      ),
    };
  }

  addUpDay(metered_ref: number, day: number): void {
    const range = [day * dayMs, (day + 1) * dayMs] as const;
    const before = fromMeterRow(this.#statements.day.get(metered_ref, day)) ?? {};
    const after = [this.#statements.hourly, this.#statements.daily]
      .map(statement => sumOf(statement.all(metered_ref, ...range)))
      .reduce(largerAmounts, before);
    if (!isSameAmounts(before, after)) {
      this.#statements.writeDay.run({ metered_ref, day, ...toMeterRow(after) });
    }
  }

  /** @param month_start the beginning of a month of UTC. */
  addUpMonth(metered_ref: number, month_start: number): Grown {
    const before = fromMeterRow(this.#statements.month.get(metered_ref, month_start)) ?? {};
    const ofMonth = this.#statements.monthly.all(metered_ref, month_start, monthStart(month_start, 1));
    const ofDays = this.#statements.days.all(metered_ref, ...daysOfMonth(month_start));
    const after = [sumOf(ofMonth), sumOf(ofDays)].reduce(largerAmounts, before);
    if (!isSameAmounts(before, after)) {
      this.#statements.writeMonth.run({ metered_ref, month_start, ...toMeterRow(after) });
    }
    return { before, after };
  }

  /** @returns all that the project was ever metered. */
  addToTotal(metered_ref: number, more: MeterAmounts): MeterAmounts {
    const total = addAmounts(fromMeterRow(this.#statements.total.get(metered_ref)) ?? {}, more);
    this.#statements.writeTotal.run({ metered_ref, ...toMeterRow(total) });
    return total;
  }
}

function sumOf(rows: readonly MeterRow[]): MeterAmounts {
  return rows.map(row => fromMeterRow(row) ?? {}).reduce(addAmounts, {});
}
