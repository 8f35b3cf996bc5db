import type { Database } from 'better-sqlite3';
import { dayMs, hourMs } from '../../resources/duration.ts';
import { type Granularity, type MeterMetric, meterMetrics } from '../../resources/meter.ts';
import { maxOf, minOf } from '../../resources/min-max.ts';
import type { MeteredLedger } from '../../resources/usage/ledger.ts';
import type { UsagePeriod } from '../../resources/usage/view.ts';
import { daysOfMonth, monthStart } from '../../resources/utc-month.ts';
import type { SlotRow } from '../ledger/even-rest.ts';

/** Reads how finely the service told its meter. */
export class MeterCoverageQuery {
  readonly #metered: MeteredLedger | undefined;
  readonly #told: ToldTimeQuery;
  readonly #statements;
  /** Of a month or day of an account: the time of which a project's sum alone is known, of each project that has one. */
  readonly #sums = new Map<string, readonly UsagePeriod[]>();

  constructor(database: Database, metered: MeteredLedger | undefined) {
    this.#metered = metered;
    this.#told = new ToldTimeQuery(database);
    this.#statements = prepare(database);
  }

  /** The metrics that were ever told of projects, by their numbers as the metered ledger has them. */
  metrics(): ReadonlyMap<number, readonly MeterMetric[]> {
    const rows = this.#statements.metrics.all();
    return new Map(
      rows.map(([ref, ...amounts]) => [ref, meterMetrics.filter((_, index) => amounts[index] !== null)]),
    );
  }

  /** The end of the time that the meter told of an account, by hours, days or months; undefined where it told nothing. */
  toldUntil(account: string): number | undefined {
    return this.#statements.toldUntil.get(account) ?? undefined;
  }

  /**
   * The time around an instant of which the sum alone is known, so that what lies before and after the instant is estimated:
   * the service did not tell its parts, or they may have grown since. Undefined where it is known, and where the meter tells
   * nothing.
   */
  sumAround(account: string, at: number): UsagePeriod | undefined {
    if (this.#metered?.knownSpan(account) === undefined) return undefined;
    const dayAt = Math.floor(at / dayMs) * dayMs;
    const around = [...this.#sumsOfMonth(account, monthStart(at)), ...this.#sumsOfDay(account, dayAt)].filter(
      ({ fromAt, untilAt }) => fromAt < at && at < untilAt,
    );
    if (around.length === 0) return undefined;
    return {
      fromAt: minOf(around.map(({ fromAt }) => fromAt)),
      untilAt: maxOf(around.map(({ untilAt }) => untilAt)),
    };
  }

  #sumsOfMonth(account: string, fromAt: number): readonly UsagePeriod[] {
    const [first, next] = daysOfMonth(fromAt);
    const slots = { fromAt, slotMs: dayMs, count: next - first };
    return this.#lookUp(`${account} ${fromAt}`, () =>
      this.#statements.ofMonths
        .all({ account, fromAt, first, next })
        .map(life => hullOf(this.#told.unsettled(life, slots, ['daily', 'hourly']))),
    );
  }

  #sumsOfDay(account: string, fromAt: number): readonly UsagePeriod[] {
    const [day, untilAt] = [fromAt / dayMs, fromAt + dayMs];
    const slots = { fromAt, slotMs: hourMs, count: dayMs / hourMs };
    return this.#lookUp(`${account} day ${day}`, () =>
      this.#statements.ofDays
        .all({ account, day, fromAt, untilAt })
        .map(life => hullOf(this.#told.unsettled(life, slots, ['hourly']))),
    );
  }

  #lookUp(key: string, read: () => readonly UsagePeriod[]): readonly UsagePeriod[] {
    const found = this.#sums.get(key) ?? read();
    this.#sums.set(key, found);
    return found;
  }
}

/** From the first stretch to the last: how much of a sum lies in each is not known. */
function hullOf(stretches: readonly UsagePeriod[]): UsagePeriod {
  const fromAt = minOf(stretches.map(each => each.fromAt));
  return { fromAt, untilAt: maxOf(stretches.map(each => each.untilAt)) };
}

type Asked = Readonly<Record<string, string | number>>;

function prepare(database: Database) {
  return {
    metrics: database
      .prepare<[], [number, ...(number | null)[]]>(
        `SELECT coalesce(project_ref, -metered_ref), ${meterMetrics.map(metric => `metered_project.${metric}`).join(', ')}
         FROM ${projects}`,
      )
      .raw(),
    toldUntil: database
      .prepare<[string], number | null>(
        'SELECT max(until_at) FROM meter_told JOIN account USING (account_ref) WHERE account = ?',
      )
      .pluck(),
    ofMonths: database.prepare<[Asked], MeteredLife>(
      `SELECT ${life} FROM ${projects} JOIN metered_month AS whole USING (metered_ref)
       WHERE account = @account AND month_start = @fromAt
         AND ${isMore('metered_day AS part WHERE part.metered_ref = whole.metered_ref AND day >= @first AND day < @next')}`,
    ),
    ofDays: database.prepare<[Asked], MeteredLife>(
      `SELECT ${life} FROM ${projects} JOIN metered_day AS whole USING (metered_ref)
       WHERE account = @account AND day = @day
         AND ${isMore(`metered_timeframe AS part WHERE part.metered_ref = whole.metered_ref
           AND granularity = 'hourly' AND timeframe_start >= @fromAt AND timeframe_start < @untilAt`)}`,
    ),
  };
}

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

interface Stretch extends UsagePeriod {
  readonly granularity: Granularity;
  /** What was told of later time may have grown since. */
  readonly settledUntilAt: number;
}

interface ToldTime {
  /** By hours and days, in order of time. */
  readonly stretches: readonly Stretch[];
  /** Nothing was told of later time. */
  readonly untilAt: number;
}

/** Reads which time the meter told finely. What a month or a day came to besides was used in other time. */
export class ToldTimeQuery {
  readonly #statements;
  readonly #known = new Map<number, ToldTime>();

  constructor(database: Database) {
    this.#statements = {
      stretches: database.prepare<[number], Stretch>(
        `SELECT granularity, from_at AS fromAt, until_at AS untilAt,
           max(from_at, min(until_at, coalesce(settled_until_at, from_at))) AS settledUntilAt
         FROM meter_told LEFT JOIN meter_pass USING (account_ref, granularity)
         WHERE account_ref = ? AND granularity <> 'monthly' ORDER BY from_at`,
      ),
      readAt: database
        .prepare<[number], number | null>('SELECT max(read_at) FROM meter_pass WHERE account_ref = ?')
        .pluck(),
    };
  }

  /**
   * The stretches of a month or day in which a project is taken to have used what is not told of its slots: where it was there,
   * and the slots were not told. Where they all were, some may have grown since.
   *
   * @param by the granularities that tell of slots.
   * @returns at least one, in order of time.
   */
  untold(life: MeteredLife, slots: SlotRow, by: readonly Granularity[]): UsagePeriod[] {
    const left = this.#leaveOut(life, slots, by, 'untilAt');
    return left.length > 0 ? left : this.unsettled(life, slots, by);
  }

  /** Likewise, the stretches in which it may have used it. That is all of the time where no slot may have grown. */
  unsettled(life: MeteredLife, slots: SlotRow, by: readonly Granularity[]): UsagePeriod[] {
    const left = this.#leaveOut(life, slots, by, 'settledUntilAt');
    return left.length > 0 ? left : this.#leaveOut(life, slots, [], 'untilAt');
  }

  /** A project's time in a row of slots without what was told of it, or without what is settled of that. */
  #leaveOut(
    { account_ref, created_at, gone_at }: MeteredLife,
    { fromAt, slotMs, count }: SlotRow,
    by: readonly Granularity[],
    end: 'untilAt' | 'settledUntilAt',
  ): UsagePeriod[] {
    const { stretches, untilAt } = this.#told(account_ref);
    const endAt = fromAt + count * slotMs;
    const whole = { fromAt, untilAt: untilAt > fromAt ? Math.min(endAt, untilAt) : endAt };
    const lived = {
      fromAt: Math.max(created_at ?? fromAt, fromAt),
      untilAt: Math.min(gone_at ?? whole.untilAt, whole.untilAt),
    };
    const own = lived.fromAt < lived.untilAt ? lived : whole;
    return stretches
      .filter(({ granularity }) => by.includes(granularity))
      .map(told => ({ fromAt: told.fromAt, untilAt: told[end] }))
      .reduce<UsagePeriod[]>((rest, told) => rest.flatMap(each => leaveOut(each, told)), [own]);
  }

  #told(account_ref: number): ToldTime {
    const known = this.#known.get(account_ref);
    if (known !== undefined) return known;
    const stretches = this.#statements.stretches.all(account_ref);
    const readAt = this.#statements.readAt.get(account_ref) ?? Number.POSITIVE_INFINITY;
    const untilAt = stretches.reduce((latest, told) => Math.max(latest, told.untilAt), readAt);
    const found = { stretches, untilAt };
    this.#known.set(account_ref, found);
    return found;
  }
}

/** The parts of a stretch before and after another. */
function leaveOut(one: UsagePeriod, other: UsagePeriod): UsagePeriod[] {
  const before = { fromAt: one.fromAt, untilAt: Math.min(one.untilAt, other.fromAt) };
  const after = { fromAt: Math.max(one.fromAt, other.untilAt), untilAt: one.untilAt };
  return [before, after].filter(({ fromAt, untilAt }) => fromAt < untilAt);
}
