import type { Database } from 'better-sqlite3';
import { dayMs, hourMs, type Span } from '../../resources/duration.ts';
import { compact } from '../../resources/field.ts';
import { type Granularity, granularities, type MeterAmounts, timeframeStart } from '../../resources/meter.ts';
import type { ConsumptionReading, ConsumptionRefusal, MeterState } from '../../resources/reading.ts';
import { longestImportMs } from '../clause.ts';
import { statementsOf } from '../file/statement.ts';
import { MeteredAmounts } from './meter-amount.ts';

/** The changes by a page of the meter. */
interface MeterChanges {
  /** What projects were metered ever, of those whose amounts are shown anew: once all of the past is read, and as they grow. */
  readonly totals: ReadonlyMap<string, MeterAmounts>;
  /** Values and timeframes that could not be used. */
  readonly lost: number;
}

/** The ledger of the service's own meter. All calls happen inside the transaction of one reading. */
export class MeterLedger {
  readonly #amounts: MeteredAmounts;
  readonly #statements;

  constructor(database: Database) {
    this.#amounts = new MeteredAmounts(database);
    this.#statements = prepare(database);
  }

  /** The state from which the next reading goes on; undefined before the first. */
  state(account_ref: number): MeterState | undefined {
    const account = this.#statements.account(account_ref);
    if (account === undefined) return undefined;
    const { scope, refused_at } = account;
    const passes = this.#statements
      .passes(account_ref)
      .map(row => [row.granularity, compact({ settledUntilAt: row.settled_until_at, readAt: row.read_at })]);
    return { scope, passes: Object.fromEntries(passes), ...compact({ refusedAt: refused_at }) };
  }

  /** Commits a page: reading it again changes nothing. */
  commitPage(account_ref: number, reading: ConsumptionReading): MeterChanges {
    const { granularity } = reading;
    this.#enter(account_ref, reading);
    const wasImporting = this.#isImporting(account_ref);
    const { totals, lost, growingFromAt, toldUntilAt } = this.#amounts.commit(account_ref, reading);
    this.#statements.note(account_ref, granularity, growingFromAt ?? null, toldUntilAt ?? null);
    if (reading.end !== undefined) this.#noteEnd(account_ref, reading);
    if (!wasImporting) return { totals, lost };
    return {
      totals: this.#isImporting(account_ref) ? new Map() : this.#amounts.totals(account_ref),
      lost,
    };
  }

  /** Takes note that the meter is going to be asked for, so that nothing is shown that it will change. */
  await(account_ref: number, servedAt: number): void {
    this.#statements.await(account_ref, servedAt);
  }

  /** @returns whether the service offered its meter before. */
  commitRefusal(account_ref: number, refusal: ConsumptionRefusal): boolean {
    const passes = Object.values(this.state(account_ref)?.passes ?? {});
    this.#enter(account_ref, refusal);
    return passes.some(({ readAt }) => readAt !== undefined);
  }

  /** Takes note that the service tells of a part of the account, or does not. */
  #enter(account_ref: number, reading: ConsumptionReading | ConsumptionRefusal): void {
    const { scope } = reading;
    if (this.#statements.account(account_ref)?.scope !== scope) this.#statements.forget(account_ref);
    const refusedAt = reading.kind === 'consumption_refused' ? reading.readAt : null;
    this.#statements.enter(account_ref, scope, refusedAt, reading.servedAt);
  }

  /** Whether the past that the service tells of is still being read for the first time. */
  #isImporting(account_ref: number): boolean {
    return this.#statements.isImporting(account_ref) === 1;
  }

  /** Takes note that the last page was read; what could not be read whole is read again. */
  #noteEnd(account_ref: number, { granularity, fromAt, servedAt, readAt, end }: ConsumptionReading): void {
    // What has no id cannot be counted the next time either.
    const isWhole = end?.complete || (end?.rejected ?? 0) > 0;
    this.#statements.read(readAt, account_ref, granularity);
    if (isWhole) this.#settle(account_ref, { granularity, fromAt, servedAt });
    this.#statements.imported({ account_ref, lateAt: servedAt - longestImportMs });
  }

  #settle(
    account_ref: number,
    { granularity, fromAt, servedAt }: Pick<ConsumptionReading, 'granularity' | 'fromAt' | 'servedAt'>,
  ): void {
    const { settled_until_at = null, told_until_at = null } =
      this.#statements.pass(account_ref, granularity) ?? {};
    const own = { account_ref, granularity, fromAt };
    // What may have grown since and is not told any more is as if it had never been told.
    if (settled_until_at !== null && settled_until_at < fromAt) {
      this.#statements.drop({ ...own, untilAt: settled_until_at });
      this.#statements.cut({ ...own, untilAt: settled_until_at });
    }
    if (told_until_at !== null && fromAt < told_until_at) this.#tell({ ...own, untilAt: told_until_at });
    const mostAt = timeframeStart[granularity](servedAt - leastSettlingMs[granularity]);
    this.#statements.settle({ mostAt, account_ref, granularity });
    this.#statements.until(account_ref);
  }

  #tell(told: Told): void {
    const whole = this.#statements.told(told);
    this.#statements.join(told);
    this.#statements.tell({ ...told, ...whole });
  }
}

/** Timeframes are read again until they did not grow any more, and at least for so long after they began. */
const leastSettlingMs: Readonly<Record<Granularity, number>> = {
  hourly: 12 * hourMs,
  daily: 3 * dayMs,
  monthly: 41 * dayMs,
};

interface PassRow {
  readonly granularity: Granularity;
  readonly settled_until_at: number | null;
  readonly told_until_at: number | null;
  readonly read_at: number | null;
}

/** A stretch that one granularity tells of. */
interface Told extends Span {
  readonly account_ref: number;
  readonly granularity: Granularity;
}

const isOwn = 'account_ref = @account_ref AND granularity = @granularity';
const isJoined = `${isOwn} AND from_at <= @untilAt AND until_at >= @fromAt`;

function prepare(database: Database) {
  const sql = statementsOf(database);
  return {
    account: sql.one<[number], { scope: string; refused_at: number | null }>`
      SELECT scope, refused_at FROM metered_account WHERE account_ref = ?`,
    // The past is read from when the meter is first offered.
    enter: sql.run<[number, string, number | null, number]>`
      INSERT INTO metered_account (account_ref, scope, refused_at, importing_since) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET scope = excluded.scope, refused_at = excluded.refused_at,
        importing_since = iif(refused_at IS NULL OR importing_since IS NULL, importing_since, excluded.importing_since)`,
    isImporting: sql.value<[number], number>`
      SELECT importing_since IS NOT NULL FROM metered_account WHERE account_ref = ?`,
    // Months go back furthest; the month and day that are under way may be told by finer ones alone.
    imported: sql.run<[{ readonly account_ref: number; readonly lateAt: number }]>`
      UPDATE metered_account SET importing_since = NULL WHERE account_ref = @account_ref AND (importing_since <= @lateAt
      OR (SELECT count(*) FROM meter_pass
          WHERE account_ref = @account_ref AND settled_until_at IS NOT NULL) = ${granularities.length})`,
    await: sql.run<[number, number]>`
      INSERT OR IGNORE INTO metered_account (account_ref, scope, importing_since) VALUES (?, '', ?)`,
    forget: sql.run<[number]>`DELETE FROM meter_pass WHERE account_ref = ?`,
    passes: sql.all<[number], PassRow>`SELECT * FROM meter_pass WHERE account_ref = ?`,
    note: sql.run<[number, Granularity, number | null, number | null]>`
      INSERT INTO meter_pass (account_ref, granularity, growing_from_at, told_until_at) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET
        growing_from_at = min(coalesce(growing_from_at, excluded.growing_from_at),
          coalesce(excluded.growing_from_at, growing_from_at)),
        told_until_at = max(coalesce(told_until_at, excluded.told_until_at),
          coalesce(excluded.told_until_at, told_until_at))`,
    settle: sql.run<[Pick<Told, 'account_ref' | 'granularity'> & { readonly mostAt: number }]>`
      UPDATE meter_pass SET settled_until_at = min(coalesce(growing_from_at, @mostAt), @mostAt),
      growing_from_at = NULL WHERE account_ref = @account_ref AND granularity = @granularity`,
    read: sql.run<[number, number, Granularity]>`
      UPDATE meter_pass SET read_at = ? WHERE account_ref = ? AND granularity = ?`,
    pass: sql.one<[number, Granularity], PassRow>`
      SELECT * FROM meter_pass WHERE account_ref = ? AND granularity = ?`,
    drop: sql.run<[Told]>`DELETE FROM meter_told WHERE ${isOwn} AND from_at >= @untilAt`,
    cut: sql.run<[Told]>`UPDATE meter_told SET until_at = @untilAt WHERE ${isOwn} AND until_at > @untilAt`,
    told: sql.one<[Told], Span>`
      SELECT min(@fromAt, coalesce(min(from_at), @fromAt)) AS fromAt,
        max(@untilAt, coalesce(max(until_at), @untilAt)) AS untilAt
      FROM meter_told WHERE ${isJoined}`,
    join: sql.run<[Told]>`DELETE FROM meter_told WHERE ${isJoined}`,
    tell: sql.run<[Told]>`INSERT INTO meter_told VALUES (@account_ref, @granularity, @fromAt, @untilAt)`,
    until: sql.run<[number]>`
      UPDATE metered_account SET metered_until_at = (SELECT max(told_until_at) FROM meter_pass
        WHERE meter_pass.account_ref = metered_account.account_ref AND read_at IS NOT NULL)
      WHERE account_ref = ?`,
  };
}
