import { clockSkewMs, toServiceClock } from '../../resources/clock-skew.ts';
import { minuteMs } from '../../resources/duration.ts';

/** Further apart than this, the service's clock is not believed without a second answer. */
const toleranceMs = minuteMs;

/**
 * Follows the clock skew of an account by the dates of its answers. What was read is dated by the service's clock, so one
 * answer with a wrong date, from a gateway whose clock is off, must not count: a jump has to be confirmed by another answer.
 * Instants are epoch milliseconds.
 */
export class ServiceClock {
  #skewMs = 0;

  /** Follows the date of an answer; false when it is too far off to be believed by itself. */
  follow(servedAt: number, now: number): boolean {
    if (!areClose(servedAt, this.estimate(now))) return false;
    this.#skewMs = clockSkewMs({ readAt: now, servedAt });
    return true;
  }

  /** Follows a jump that two answers after each other agree about; false when they do not. */
  followJump(first: number, second: number, now: number): boolean {
    if (!areClose(first, second)) return false;
    this.#skewMs = clockSkewMs({ readAt: now, servedAt: second });
    return true;
  }

  /** The instant of the service's clock as it should be now. */
  estimate(now: number): number {
    return toServiceClock(now, this.#skewMs);
  }
}

function areClose(a: number, b: number): boolean {
  return Math.abs(a - b) <= toleranceMs;
}
