import type { Database } from 'better-sqlite3';
import { dayMs } from '../../resources/duration.ts';
import type { Granularity } from '../../resources/meter.ts';
import { statementsOf } from '../file/statement.ts';
import { dayOf } from '../usage/roll-up-query.ts';
import { UsageRollUp } from '../usage/usage-roll-up.ts';
import { type RetentionTimes, retentionKinds, retentionOf } from './retention.ts';

/** Projects in one step: few enough that readings do not wait for it long. */
const projectsPerStep = 25;

/** Work a history needs now and then: use is written by hours and days, and rows that are too old are deleted. */
export class Upkeep {
  readonly #rollUp: UsageRollUp;
  readonly #retention;
  readonly #pruneMeter;

  constructor(database: Database, times: RetentionTimes) {
    this.#rollUp = new UsageRollUp(database);
    this.#retention = retentionOf(database, times);
    this.#pruneMeter = meterPruning(database);
  }

  /**
   * Does a step, in a transaction of the caller; what an earlier one did by a clock that was ahead is taken back.
   *
   * @param now an instant of the confirmed clock, in epoch milliseconds.
   * @returns whether there may be more to do now.
   */
  step(now: number): boolean {
    this.#retention.takeBack(now);
    this.#rollUp.takeBack(now);
    if (this.#rollUp.advance(now, projectsPerStep) > 0) return true;
    const samplesAt = this.#retention.horizonOf('samples', now);
    if (this.#rollUp.advanceTo(samplesAt, projectsPerStep) > 0) return true;
    const horizons = {
      hoursAt: this.#retention.horizonOf('hours', now),
      daysAt: this.#retention.horizonOf('days', now),
    };
    return (
      retentionKinds.some(kind => this.#retention.prune(kind, now, projectsPerStep)) ||
      this.#pruneMeter(horizons, now, projectsPerStep)
    );
  }
}

/** Instants before which hours and days of the meter may go. */
interface Horizons {
  readonly hoursAt: number;
  readonly daysAt: number;
}

interface Told {
  readonly granularity: Granularity;
  readonly horizon: number;
}

/** Timeframes that the service may tell again stay: 168 hours by the hour and 60 days by the day, and a day more. */
const leastKeptDays = { hours: 8, days: 61 };

/**
 * Deletes what was metered longer ago than it is kept, a few projects at a time; what months came to stays for ever. Its horizons
 * are beginnings of days of UTC, `now` is an instant of the confirmed clock; it answers whether there may be more to do.
 */
function meterPruning(database: Database) {
  const sql = statementsOf(database);
  const prune = (rows: string) =>
    sql.run<[{ metered_ref: number; horizon: number }]>`
      DELETE FROM ${rows} < @horizon AND metered_ref = @metered_ref`;
  const next = sql.values<[number, number], number>`
    SELECT metered_ref FROM metered_project WHERE metered_ref > ? ORDER BY metered_ref LIMIT ?`;
  const pruneHours = prune("metered_timeframe WHERE granularity = 'hourly' AND timeframe_start");
  const pruneDays = prune("metered_timeframe WHERE granularity = 'daily' AND timeframe_start");
  const pruneSums = prune('metered_day WHERE day');
  const forget = sql.run<[Told]>`
    DELETE FROM meter_told WHERE granularity = @granularity AND until_at <= @horizon`;
  const cut = sql.run<[Told]>`
    UPDATE meter_told SET from_at = @horizon WHERE granularity = @granularity AND from_at < @horizon`;
  /** The project to go on with, and until when rows are deleted. */
  let progress: (Horizons & { readonly metered_ref: number }) | undefined;
  return (horizons: Horizons, now: number, projects: number): boolean => {
    const daysAgo = (days: number) => dayOf(now) * dayMs - days * dayMs;
    const hoursAt = Math.min(horizons.hoursAt, daysAgo(leastKeptDays.hours));
    const daysAt = Math.min(horizons.daysAt, daysAgo(leastKeptDays.days));
    if (Math.max(hoursAt, daysAt) <= 0) return false;
    const isBegun = progress?.hoursAt === hoursAt && progress.daysAt === daysAt;
    const from = isBegun ? (progress?.metered_ref ?? 0) : 0;
    if (from === Number.POSITIVE_INFINITY) return false;
    // What rows do not tell any more lies in the time that is gone.
    const cuts = [
      { granularity: 'hourly', horizon: hoursAt },
      { granularity: 'daily', horizon: daysAt },
    ] as const;
    for (const told of isBegun ? [] : cuts) {
      forget(told);
      cut(told);
    }
    const refs = next(from, projects);
    for (const metered_ref of refs) {
      pruneHours({ metered_ref, horizon: hoursAt });
      pruneDays({ metered_ref, horizon: daysAt });
      pruneSums({ metered_ref, horizon: daysAt / dayMs });
    }
    const isMore = refs.length === projects;
    progress = { hoursAt, daysAt, metered_ref: isMore ? (refs.at(-1) ?? 0) : Number.POSITIVE_INFINITY };
    return isMore;
  };
}
