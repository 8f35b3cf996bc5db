import type { Database } from 'better-sqlite3';
import type { ProjectConsumption, Timeframe } from '../../resources/consumption.ts';
import { dayMs, minuteMs } from '../../resources/duration.ts';
import type { Granularity, MeterAmounts } from '../../resources/meter.ts';
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

/** A page of consumption as it is committed. */
interface RecordedPage {
  readonly account_ref: number;
  readonly granularity: Granularity;
  /** By the service's clock. */
  readonly servedAt: number;
}

/** The news in a project's consumption. */
export interface MeterNews {
  /** The beginning of the earliest timeframe that is new or grew. */
  readonly growingFromAt?: number;
  /** The end of the last timeframe that is over. */
  readonly toldUntilAt?: number;
  /** All that the project was ever metered, where that grew. */
  readonly total?: MeterAmounts;
  /** Timeframes that cannot be: they are still to come. */
  readonly lost: number;
}

type KnownTimeframe = MeterRow & { readonly timeframe_start: number; readonly timeframe_end: number };

/** Clocks of one service may be so far apart. */
const clockSlackMs = 5 * minuteMs;

/** What projects were metered, and what it comes to. All calls happen inside one transaction. */
export class MeteredAmounts {
  readonly #rollUp;
  readonly #statements;
  #grown: MeterAmounts = {};

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

  /** Begins to add up: what was counted of a page that was not written counts for nothing. */
  begin(): void {
    this.#grown = {};
  }

  /** Commits the consumption of a project; nothing is written of a timeframe that is known to be no less. */
  commit(page: RecordedPage, { project_id, timeframes }: ProjectConsumption): MeterNews {
    const { account_ref, granularity, servedAt } = page;
    const told = timeframes.filter(({ timeframe_start }) => timeframe_start <= servedAt + clockSlackMs);
    const lost = timeframes.length - told.length;
    const [first, last] = [told[0], told.at(-1)];
    if (first === undefined || last === undefined) return { lost };
    const metered_ref = this.#statements.enrol(account_ref, project_id) ?? 0;
    const range = [first.timeframe_start, last.timeframe_start] as const;
    const rows = this.#statements.known(metered_ref, granularity, ...range);
    const known = new Map(rows.map(row => [row.timeframe_start, row]));
    const grown = told.filter(each => this.#grow(metered_ref, granularity, each, known));
    const toldUntilAt = told.findLast(({ timeframe_end }) => timeframe_end <= servedAt)?.timeframe_end;
    const news = { lost, ...(toldUntilAt !== undefined && { toldUntilAt }) };
    const [earliest] = grown;
    if (earliest === undefined) return news;
    return {
      ...news,
      growingFromAt: earliest.timeframe_start,
      ...this.#addUpProject(metered_ref, granularity, grown),
    };
  }

  /** Adds to the account what its projects grew by since the beginning. */
  addUp(account_ref: number): void {
    const before = fromMeterRow(this.#statements.account(account_ref)) ?? {};
    const after = addAmounts(before, this.#grown);
    if (!isSameAmounts(before, after)) this.#statements.grow({ account_ref, ...toMeterRow(after) });
  }

  /** All that each project of an account was ever metered. */
  totals(account_ref: number): ReadonlyMap<string, MeterAmounts> {
    const rows = this.#statements.totals(account_ref);
    return new Map(rows.map(row => [row.project_id, fromMeterRow(row) ?? {}]));
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
  ): Pick<MeterNews, 'total'> {
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
    if (Object.keys(more).length === 0) return {};
    this.#grown = addAmounts(this.#grown, more);
    return { total: this.#rollUp.addToTotal(metered_ref, more) };
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
