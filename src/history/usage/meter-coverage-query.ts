import type { Database } from 'better-sqlite3';
import { dayMs, hourMs } from '../../resources/duration.ts';
import { type MeterMetric, meterMetrics } from '../../resources/meter.ts';
import type { MeteredLedger } from '../../resources/usage/ledger.ts';
import type { UsagePeriod } from '../../resources/usage/view.ts';
import { daysOfMonth, monthStart } from '../../resources/utc-month.ts';

/** Slots of a whole in which something was told; `isSplit` where they do not come to all of it. */
interface ToldSlots {
  readonly fromAt: number;
  readonly slotMs: number;
  readonly slots: number;
  readonly told: ReadonlySet<number>;
  readonly isSplit: boolean;
}

/** Reads how finely the service told its meter. */
export class MeterCoverageQuery {
  readonly #metered: MeteredLedger | undefined;
  readonly #statements;
  readonly #wholes = new Map<string, ToldSlots>();

  constructor(database: Database, metered: MeteredLedger | undefined) {
    this.#metered = metered;
    this.#statements = prepare(database);
  }

  /** The metrics that were ever told of projects, by their numbers as the metered ledger has them. */
  metrics(): ReadonlyMap<number, readonly MeterMetric[]> {
    const rows = this.#statements.metrics.all();
    return new Map(
      rows.map(([ref, ...amounts]) => [ref, meterMetrics.filter((_, index) => amounts[index] !== null)]),
    );
  }

  /**
   * The time around an instant of which the service told the sum alone, so that what lies before and after the instant is
   * estimated; undefined where it is known, and where the meter tells nothing.
   */
  sumAround(account: string, at: number): UsagePeriod | undefined {
    const span = this.#metered?.knownSpan(account);
    if (span === undefined || at <= span.fromAt || at >= span.untilAt) return undefined;
    const month = monthStart(at);
    return untoldAround(this.#days(account, month), at) ?? this.#aroundInDay(account, at);
  }

  #aroundInDay(account: string, at: number): UsagePeriod | undefined {
    const dayAt = Math.floor(at / dayMs) * dayMs;
    return at === dayAt ? undefined : untoldAround(this.#hours(account, dayAt), at);
  }

  #days(account: string, month: number): ToldSlots {
    const [first, next] = daysOfMonth(month);
    return this.#lookUp(`${account} ${month}`, () => ({
      ...{ fromAt: month, slotMs: dayMs, slots: next - first },
      told: new Set(this.#statements.days.all(account, first, next).map(day => day - first)),
      isSplit: this.#statements.isMonthMore.get({ account, fromAt: month, first, next }) !== undefined,
    }));
  }

  #hours(account: string, dayAt: number): ToldSlots {
    const untilAt = dayAt + dayMs;
    const day = dayAt / dayMs;
    return this.#lookUp(`${account} day ${day}`, () => ({
      ...{ fromAt: dayAt, slotMs: hourMs, slots: 24 },
      told: new Set(this.#statements.hours.all(account, dayAt, untilAt).map(hour => hour - dayAt / hourMs)),
      isSplit: this.#statements.isDayMore.get({ account, day, fromAt: dayAt, untilAt }) !== undefined,
    }));
  }

  #lookUp(key: string, read: () => ToldSlots): ToldSlots {
    const found = this.#wholes.get(key) ?? read();
    this.#wholes.set(key, found);
    return found;
  }
}

/** The slots that are not told, where some of them lie before the instant and some after it. */
function untoldAround(
  { fromAt, slotMs, slots, told, isSplit }: ToldSlots,
  at: number,
): UsagePeriod | undefined {
  if (!isSplit) return undefined;
  const untold = Array.from({ length: slots }, (_, slot) => slot).filter(slot => !told.has(slot));
  const [firstAt, untilAt] = [untold[0] ?? slots, (untold.at(-1) ?? 0) + 1].map(
    slot => fromAt + slot * slotMs,
  ) as [number, number];
  return firstAt < at && at < untilAt ? { fromAt: firstAt, untilAt } : undefined;
}

function prepare(database: Database) {
  return {
    metrics: database
      .prepare<[], [number, ...(number | null)[]]>(
        `SELECT coalesce(project_ref, -metered_ref), ${meterMetrics.map(metric => `metered_project.${metric}`).join(', ')}
         FROM metered_project JOIN account USING (account_ref)
           LEFT JOIN project ON project.account_ref = account.account_ref AND project.project_id = metered_project.project_id`,
      )
      .raw(),
    days: database
      .prepare<[string, number, number], number>(
        `SELECT DISTINCT day FROM ${projects} JOIN metered_day USING (metered_ref)
         WHERE account = ? AND day >= ? AND day < ?`,
      )
      .pluck(),
    hours: database
      .prepare<[string, number, number], number>(
        `SELECT DISTINCT timeframe_start / ${hourMs} FROM ${projects} JOIN metered_timeframe USING (metered_ref)
         WHERE account = ? AND granularity = 'hourly' AND timeframe_start >= ? AND timeframe_start < ?`,
      )
      .pluck(),
    isMonthMore: database.prepare<[Readonly<Record<string, string | number>>]>(
      `SELECT 1 FROM ${projects} JOIN metered_month AS whole USING (metered_ref)
       WHERE account = @account AND month_start = @fromAt
         AND ${isMore('metered_day AS part WHERE part.metered_ref = whole.metered_ref AND day >= @first AND day < @next')}
       LIMIT 1`,
    ),
    isDayMore: database.prepare<[Readonly<Record<string, string | number>>]>(
      `SELECT 1 FROM ${projects} JOIN metered_day AS whole USING (metered_ref)
       WHERE account = @account AND day = @day
         AND ${isMore(`metered_timeframe AS part WHERE part.metered_ref = whole.metered_ref
           AND granularity = 'hourly' AND timeframe_start >= @fromAt AND timeframe_start < @untilAt`)}
       LIMIT 1`,
    ),
  };
}

const projects = 'account JOIN metered_project USING (account_ref)';

/** Whether some metric of a whole is more than its parts come to. */
function isMore(parts: string): string {
  const each = meterMetrics.map(
    metric => `whole.${metric} > coalesce((SELECT sum(part.${metric}) FROM ${parts}), 0)`,
  );
  return `(${each.join(' OR ')})`;
}
