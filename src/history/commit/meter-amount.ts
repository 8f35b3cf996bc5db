import type { Database } from 'better-sqlite3';
import type { Timeframe } from '../../resources/consumption.ts';
import { dayMs, minuteMs } from '../../resources/duration.ts';
import type { Granularity, MeterAmounts } from '../../resources/meter.ts';
import type { ConsumptionReading } from '../../resources/reading.ts';
import { daysOfMonth, monthStart } from '../../resources/utc-month.ts';
import { statementsOf } from '../file/statement.ts';
import {
  addAmounts,
  fromMeterRow,
  growthOf,
  isSameAmounts,
  largerAmounts,
  type MeterRow,
  meterColumns,
  toMeterRow,
  writeMeterRow,
} from '../meter-column.ts';
import { dayOf } from '../usage/roll-up-query.ts';

/** The news in a page of consumption. */
interface PageNews {
  /** The beginning of the earliest timeframe that is new or grew. */
  readonly growingFromAt?: number;
  /** The end of the last timeframe that is over. */
  readonly toldUntilAt?: number;
  /** All that projects were ever metered, of those where that grew. */
  readonly totals: ReadonlyMap<string, MeterAmounts>;
  /** Values that could not be used, and timeframes that cannot be: they are still to come. */
  readonly lost: number;
}

/** What a project grew by. */
interface Growth {
  readonly fromAt: number;
  readonly more: MeterAmounts;
  readonly total?: MeterAmounts;
}

type KnownTimeframe = MeterRow & { readonly timeframe_start: number; readonly timeframe_end: number };

/** Clocks of one service may be so far apart. */
const clockSlackMs = 5 * minuteMs;

/** What projects were metered, and what it comes to. All calls happen inside one transaction. */
export class MeteredAmounts {
  readonly #rollUp;
  readonly #statements;

  constructor(database: Database) {
    const sql = statementsOf(database);
    this.#rollUp = meterRollUpOf(database);
    this.#statements = {
      enrol: sql.value<[number, string], number>`
        INSERT INTO metered_project (account_ref, project_id) VALUES (?, ?)
        ON CONFLICT DO UPDATE SET project_id = excluded.project_id RETURNING metered_ref`,
      known: sql.all<[number, string, number, number], KnownTimeframe>`
        SELECT timeframe_start, timeframe_end, ${meterColumns} FROM metered_timeframe
        WHERE metered_ref = ? AND granularity = ? AND timeframe_start BETWEEN ? AND ?`,
      write: sql.run`${writeMeterRow(
        'metered_timeframe',
        ['metered_ref', 'granularity', 'timeframe_start'],
        ['timeframe_end'],
      )}`,
      totals: sql.all<[number], MeterRow & { readonly project_id: string }>`
        SELECT project_id, ${meterColumns} FROM metered_project WHERE account_ref = ?`,
      account: sql.one<[number], MeterRow>`
        SELECT ${meterColumns} FROM metered_account WHERE account_ref = ?`,
      grow: sql.run`
        UPDATE metered_account SET (${meterColumns}) = (${meterColumns.replaceAll(/\w+/g, '@$&')})
        WHERE account_ref = @account_ref`,
    };
  }

  /** Commits a page; nothing is written of a timeframe that is known to be no less. */
  commit(account_ref: number, { granularity, servedAt, items }: ConsumptionReading): PageNews {
    const totals = new Map<string, MeterAmounts>();
    let lost = 0;
    let grown: MeterAmounts = {};
    let growingFromAt = Number.POSITIVE_INFINITY;
    let toldUntilAt = 0;
    for (const { project_id, timeframes, lost: lostValues } of items) {
      const told = timeframes.filter(({ timeframe_start }) => timeframe_start <= servedAt + clockSlackMs);
      lost += lostValues + timeframes.length - told.length;
      const over = told.findLast(({ timeframe_end }) => timeframe_end <= servedAt);
      toldUntilAt = Math.max(toldUntilAt, over?.timeframe_end ?? 0);
      const growth = this.#growProject(account_ref, project_id, granularity, told);
      if (growth === undefined) continue;
      growingFromAt = Math.min(growingFromAt, growth.fromAt);
      grown = addAmounts(grown, growth.more);
      if (growth.total !== undefined) totals.set(project_id, growth.total);
    }
    this.#addUp(account_ref, grown);
    return {
      ...{ totals, lost },
      ...(Number.isFinite(growingFromAt) && { growingFromAt }),
      ...(toldUntilAt > 0 && { toldUntilAt }),
    };
  }

  /** All that each project of an account was ever metered. */
  totals(account_ref: number): ReadonlyMap<string, MeterAmounts> {
    const rows = this.#statements.totals(account_ref);
    return new Map(rows.map(row => [row.project_id, fromMeterRow(row) ?? {}]));
  }

  /** Adds to the account what its projects grew by. */
  #addUp(account_ref: number, grown: MeterAmounts): void {
    const before = fromMeterRow(this.#statements.account(account_ref)) ?? {};
    const after = addAmounts(before, grown);
    if (!isSameAmounts(before, after)) this.#statements.grow({ account_ref, ...toMeterRow(after) });
  }

  /** Writes what a page tells of a project; undefined where that is nothing new. */
  #growProject(
    account_ref: number,
    project_id: string,
    granularity: Granularity,
    told: readonly Timeframe[],
  ): Growth | undefined {
    const [first, last] = [told[0], told.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const metered_ref = this.#statements.enrol(account_ref, project_id) ?? 0;
    const range = [first.timeframe_start, last.timeframe_start] as const;
    const rows = this.#statements.known(metered_ref, granularity, ...range);
    const known = new Map(rows.map(row => [row.timeframe_start, row]));
    const grown = told.filter(each => this.#grow(metered_ref, granularity, each, known));
    const [earliest] = grown;
    if (earliest === undefined) return undefined;
    return { fromAt: earliest.timeframe_start, ...this.#addUpProject(metered_ref, granularity, grown) };
  }

  /** Writes a timeframe where more is known of it than before. */
  #grow(
    metered_ref: number,
    granularity: Granularity,
    { timeframe_start, timeframe_end, amounts }: Timeframe,
    known: ReadonlyMap<number, KnownTimeframe>,
  ): boolean {
    const row = known.get(timeframe_start);
    const before = fromMeterRow(row) ?? {};
    const after = largerAmounts(before, amounts);
    const end = Math.max(timeframe_end, row?.timeframe_end ?? 0);
    if (end === row?.timeframe_end && isSameAmounts(before, after)) return false;
    const key = { metered_ref, granularity, timeframe_start };
    this.#statements.write({ ...key, timeframe_end: end, ...toMeterRow(after) });
    return true;
  }

  #addUpProject(
    metered_ref: number,
    granularity: Granularity,
    grown: readonly Timeframe[],
  ): Omit<Growth, 'fromAt'> {
    const starts = grown.map(({ timeframe_start }) => timeframe_start);
    const months = new Set(starts.map(at => monthStart(at)));
    if (granularity !== 'monthly') {
      for (const day of new Set(starts.map(dayOf))) this.#rollUp.addUpDay(metered_ref, day);
    }
    let more: MeterAmounts = {};
    for (const month of months) {
      const { before, after } = this.#rollUp.addUpMonth(metered_ref, month);
      more = addAmounts(more, growthOf(before, after));
    }
    if (Object.keys(more).length === 0) return { more };
    return { more, total: this.#rollUp.addToTotal(metered_ref, more) };
  }
}

interface Grown {
  readonly before: MeterAmounts;
  readonly after: MeterAmounts;
}

/**
 * Adds up what a project was metered: hours to days, days to months, months to all. The service tells the same time by hour,
 * day and month, each as far as it is counted: it came to the most that one of them says, and nothing counts twice. What a
 * day or a month came to stays when its hours or days are pruned, and never falls.
 */
function meterRollUpOf(database: Database) {
  const sql = statementsOf(database);
  const ofTimeframes = (granularity: string) =>
    sql.all<[number, number, number], MeterRow>`
      SELECT ${meterColumns} FROM metered_timeframe
      WHERE metered_ref = ? AND granularity = '${granularity}' AND timeframe_start >= ? AND timeframe_start < ?`;
  const [ofHours, ofDays, ofMonths] = [
    ofTimeframes('hourly'),
    ofTimeframes('daily'),
    ofTimeframes('monthly'),
  ];
  const readDay = sql.one<[number, number], MeterRow>`
    SELECT ${meterColumns} FROM metered_day WHERE metered_ref = ? AND day = ?`;
  const readDays = sql.all<[number, number, number], MeterRow>`
    SELECT ${meterColumns} FROM metered_day WHERE metered_ref = ? AND day >= ? AND day < ?`;
  const readMonth = sql.one<[number, number], MeterRow>`
    SELECT ${meterColumns} FROM metered_month WHERE metered_ref = ? AND month_start = ?`;
  const readTotal = sql.one<[number], MeterRow>`
    SELECT ${meterColumns} FROM metered_project WHERE metered_ref = ?`;
  const writeDay = sql.run`${writeMeterRow('metered_day', ['metered_ref', 'day'])}`;
  const writeMonth = sql.run`${writeMeterRow('metered_month', ['metered_ref', 'month_start'])}`;
  const writeTotal = sql.run`
    UPDATE metered_project SET (${meterColumns}) = (${meterColumns.replaceAll(/\w+/g, '@$&')})
    WHERE metered_ref = @metered_ref`;
  return {
    addUpDay(metered_ref: number, day: number): void {
      const range = [day * dayMs, (day + 1) * dayMs] as const;
      const before = fromMeterRow(readDay(metered_ref, day)) ?? {};
      const after = [ofHours, ofDays]
        .map(read => sumOf(read(metered_ref, ...range)))
        .reduce(largerAmounts, before);
      if (!isSameAmounts(before, after)) writeDay({ metered_ref, day, ...toMeterRow(after) });
    },
    /** @param month_start the beginning of a month of UTC. */
    addUpMonth(metered_ref: number, month_start: number): Grown {
      const before = fromMeterRow(readMonth(metered_ref, month_start)) ?? {};
      const whole = ofMonths(metered_ref, month_start, monthStart(month_start, 1));
      const days = readDays(metered_ref, ...daysOfMonth(month_start));
      const after = [sumOf(whole), sumOf(days)].reduce(largerAmounts, before);
      if (!isSameAmounts(before, after)) writeMonth({ metered_ref, month_start, ...toMeterRow(after) });
      return { before, after };
    },
    /** @returns all that the project was ever metered. */
    addToTotal(metered_ref: number, more: MeterAmounts): MeterAmounts {
      const total = addAmounts(fromMeterRow(readTotal(metered_ref)) ?? {}, more);
      writeTotal({ metered_ref, ...toMeterRow(total) });
      return total;
    },
  };
}

function sumOf(rows: readonly MeterRow[]): MeterAmounts {
  return rows.map(row => fromMeterRow(row) ?? {}).reduce(addAmounts, {});
}
