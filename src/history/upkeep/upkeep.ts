import type { Database } from 'better-sqlite3';
import { UsageRollUp } from '../usage/usage-roll-up.ts';
import { MeterRetention } from './meter-retention.ts';
import { Retention, type RetentionTimes, retentionKinds } from './retention.ts';

/** Work on so many projects is one step: short enough that readings do not wait for it long. */
const projectsPerStep = 25;

/** Work a history needs now and then: use is written by hours and days, and rows that are too old are deleted. */
export class Upkeep {
  readonly #rollUp: UsageRollUp;
  readonly #retention: Retention;
  readonly #meter: MeterRetention;

  constructor(database: Database, times: RetentionTimes) {
    this.#rollUp = new UsageRollUp(database);
    this.#retention = new Retention(database, times);
    this.#meter = new MeterRetention(database);
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
    const samplesAt = this.#retention.horizonAt('samples', now);
    if (this.#rollUp.advanceTo(samplesAt, projectsPerStep) > 0) return true;
    const horizons = {
      hoursAt: this.#retention.horizonAt('hours', now),
      daysAt: this.#retention.horizonAt('days', now),
    };
    return (
      retentionKinds.some(kind => this.#retention.prune(kind, now, projectsPerStep)) ||
      this.#meter.prune(horizons, now, projectsPerStep)
    );
  }
}
