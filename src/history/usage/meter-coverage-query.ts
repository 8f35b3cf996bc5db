import type { Database } from 'better-sqlite3';
import { dayMs, hourMs, type Span } from '../../resources/duration.ts';
import { type Granularity, type MeterMetric, meterMetrics } from '../../resources/meter.ts';
import { maxOf, minOf } from '../../resources/min-max.ts';
import type { MeteredLedger } from '../../resources/usage/ledger.ts';
import { daysOfMonth, monthStart } from '../../resources/utc-month.ts';
import { statementsOf } from '../file/statement.ts';
import type { SlotRow } from '../ledger/even-rest.ts';

/** How finely the service told its meter. */
export function meterCoverageOf(database: Database, metered: MeteredLedger | undefined) {
  const sql = statementsOf(database);
  const told = toldTimeOf(database);
  const lives = sql.all<[Asked], MeteredLife>;
  const readMetrics = sql.tuples<[], [number, ...(number | null)[]]>`
    SELECT coalesce(project_ref, -metered_ref), ${meterMetrics.map(metric => `metered_project.${metric}`).join(', ')}
    FROM ${projects}`;
  const ofMonths = lives`
    SELECT ${life} FROM ${projects} JOIN metered_month AS whole USING (metered_ref)
    WHERE account = @account AND month_start = @fromAt
      AND ${isMore('metered_day AS part WHERE part.metered_ref = whole.metered_ref AND day >= @first AND day < @next')}`;
  const ofDays = lives`
    SELECT ${life} FROM ${projects} JOIN metered_day AS whole USING (metered_ref)
    WHERE account = @account AND day = @day
      AND ${isMore(`metered_timeframe AS part WHERE part.metered_ref = whole.metered_ref
        AND granularity = 'hourly' AND timeframe_start >= @fromAt AND timeframe_start < @untilAt`)}`;
  /** Of a month or day of an account: the time of which a project's sum alone is known, of each project that has one. */
  const sums = new Map<string, readonly Span[]>();

  function sumsOfMonth(account: string, fromAt: number): readonly Span[] {
    const [first, next] = daysOfMonth(fromAt);
    const slots = { fromAt, slotMs: dayMs, count: next - first };
    return lookUp(`${account} ${fromAt}`, () =>
      ofMonths({ account, fromAt, first, next }).map(each =>
        hullOf(told.unsettled(each, slots, ['daily', 'hourly'])),
      ),
    );
  }

  function sumsOfDay(account: string, fromAt: number): readonly Span[] {
    const [day, untilAt] = [fromAt / dayMs, fromAt + dayMs];
    const slots = { fromAt, slotMs: hourMs, count: dayMs / hourMs };
    return lookUp(`${account} day ${day}`, () =>
      ofDays({ account, day, fromAt, untilAt }).map(each => hullOf(told.unsettled(each, slots, ['hourly']))),
    );
  }

  function lookUp(key: string, read: () => readonly Span[]): readonly Span[] {
    const found = sums.get(key) ?? read();
    sums.set(key, found);
    return found;
  }

  return {
    /** The metrics that were ever told of projects, by their numbers as the metered ledger has them. */
    metrics: (): ReadonlyMap<number, readonly MeterMetric[]> =>
      new Map(
        readMetrics().map(([ref, ...amounts]) => [
          ref,
          meterMetrics.filter((_, index) => amounts[index] !== null),
        ]),
      ),
    /** The end of the time that the meter told of an account, by hours, days or months; undefined where it told nothing. */
    toldUntil: sql.value<[account: string], number>`
      SELECT max(until_at) FROM meter_told JOIN account USING (account_ref) WHERE account = ?`,
    /**
     * The time around an instant of which the sum alone is known, so that what lies before and after the instant is estimated:
     * the service did not tell its parts, or they may have grown since. Undefined where it is known, and where the meter tells
     * nothing.
     */
    sumAround(account: string, at: number): Span | undefined {
      if (metered?.knownSpan(account) === undefined) return undefined;
      const dayAt = Math.floor(at / dayMs) * dayMs;
      const around = [...sumsOfMonth(account, monthStart(at)), ...sumsOfDay(account, dayAt)].filter(
        ({ fromAt, untilAt }) => fromAt < at && at < untilAt,
      );
      return around.length === 0 ? undefined : hullOf(around);
    },
  };
}

/** From the first stretch to the last: how much of a sum lies in each is not known. */
function hullOf(stretches: readonly Span[]): Span {
  const fromAt = minOf(stretches.map(each => each.fromAt));
  return { fromAt, untilAt: maxOf(stretches.map(each => each.untilAt)) };
}

type Asked = Readonly<Record<string, string | number>>;

const life = 'account.account_ref, created_at, gone_at';

const projects = `metered_project JOIN account USING (account_ref)
  LEFT JOIN project ON project.account_ref = account.account_ref AND project.project_id = metered_project.project_id`;

/** Whether some metric of a whole is more than its parts come to. */
function isMore(parts: string): string {
  const each = meterMetrics.map(
    metric => `whole.${metric} > coalesce((SELECT sum(part.${metric}) FROM ${parts}), 0)`,
  );
  return `(${each.join(' OR ')})`;
}

/** A project that is metered, and when it was there as far as that is known; instants in epoch milliseconds. */
export interface MeteredLife {
  readonly account_ref: number;
  readonly created_at: number | null;
  readonly gone_at: number | null;
}

interface Stretch extends Span {
  readonly granularity: Granularity;
  /** What was told of later time may have grown since. */
  readonly settledUntilAt: number;
}

/** Reads which time the meter told finely. What a month or a day came to besides was used in other time. */
export function toldTimeOf(database: Database) {
  const sql = statementsOf(database);
  const readStretches = sql.all<[number], Stretch>`
    SELECT granularity, from_at AS fromAt, until_at AS untilAt,
      max(from_at, min(until_at, coalesce(settled_until_at, from_at))) AS settledUntilAt
    FROM meter_told LEFT JOIN meter_pass USING (account_ref, granularity)
    WHERE account_ref = ? AND granularity <> 'monthly' ORDER BY from_at`;
  const lastReadAt = sql.value<[number], number>`SELECT max(read_at) FROM meter_pass WHERE account_ref = ?`;
  const known = new Map<number, ReturnType<typeof read>>();

  /** The stretches by hours and days, in order of time, and until when anything was told. */
  function read(account_ref: number) {
    const stretches = readStretches(account_ref);
    const readAt = lastReadAt(account_ref) ?? Number.POSITIVE_INFINITY;
    return { stretches, untilAt: stretches.reduce((latest, told) => Math.max(latest, told.untilAt), readAt) };
  }

  /** A project's time in a row of slots without what was told of it, or without what is settled of that. */
  function leaveOutTold(
    { account_ref, created_at, gone_at }: MeteredLife,
    { fromAt, slotMs, count }: SlotRow,
    by: readonly Granularity[],
    end: 'untilAt' | 'settledUntilAt',
  ): Span[] {
    const { stretches, untilAt } = known.get(account_ref) ?? read(account_ref);
    known.set(account_ref, { stretches, untilAt });
    const endAt = fromAt + count * slotMs;
    const whole = { fromAt, untilAt: untilAt > fromAt ? Math.min(endAt, untilAt) : endAt };
    return stretches
      .filter(({ granularity }) => by.includes(granularity))
      .map(told => ({ fromAt: told.fromAt, untilAt: told[end] }))
      .reduce<Span[]>(
        (rest, told) => rest.flatMap(each => leaveOut(each, told)),
        [livedWithin({ created_at, gone_at }, whole)],
      );
  }

  /** The stretches in which it may have used it: all of the time where no slot may have grown. */
  function unsettled(life: MeteredLife, slots: SlotRow, by: readonly Granularity[]): Span[] {
    const left = leaveOutTold(life, slots, by, 'settledUntilAt');
    return left.length > 0 ? left : leaveOutTold(life, slots, [], 'untilAt');
  }

  return {
    /**
     * The stretches of a month or day in which a project is taken to have used what is not told of its slots: where it was there,
     * and the slots were not told. Where they all were, some may have grown since.
     *
     * @param by the granularities that tell of slots.
     * @returns at least one, in order of time.
     */
    untold(life: MeteredLife, slots: SlotRow, by: readonly Granularity[]): Span[] {
      const left = leaveOutTold(life, slots, by, 'untilAt');
      return left.length > 0 ? left : unsettled(life, slots, by);
    },
    unsettled,
  };
}

/** The part of a stretch in which a project was there; all of it where that was in no part. */
export function livedWithin(
  { created_at, gone_at }: Pick<MeteredLife, 'created_at' | 'gone_at'>,
  whole: Span,
): Span {
  const fromAt = Math.max(created_at ?? whole.fromAt, whole.fromAt);
  const untilAt = Math.min(gone_at ?? whole.untilAt, whole.untilAt);
  return fromAt < untilAt ? { fromAt, untilAt } : whole;
}

/** The parts of a stretch before and after another. */
function leaveOut(one: Span, other: Span): Span[] {
  const before = { fromAt: one.fromAt, untilAt: Math.min(one.untilAt, other.fromAt) };
  const after = { fromAt: Math.max(one.fromAt, other.untilAt), untilAt: one.untilAt };
  return [before, after].filter(({ fromAt, untilAt }) => fromAt < untilAt);
}
