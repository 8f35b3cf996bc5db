import { hourMs, minuteMs } from '../resources/duration.ts';

/** A failure within this time after it was over is the same problem. */
const returnsWithinMs = 10 * minuteMs;
/** Time without a failure after which a thing is taken for no longer tried, as a project that is gone. */
const forgottenAfterMs = hourMs;

/**
 * A failure that may last: decides when it is worth a line. Lines come when it begins, after one minute, ten minutes, and
 * then every hour; and when it is over. Where failures and successes take turns, it is over after ten minutes without a
 * failure. Instants are milliseconds of a clock that never steps.
 */
export class Problem {
  readonly sinceAt: number;
  #failures = 0;
  #failedAt: number;
  /** When each of what fails last did. */
  readonly #failing = new Map<string, number>();
  #scheduledFrom: number;
  #nextLineAt: number;
  #lastLineAt = Number.NEGATIVE_INFINITY;
  #clearAt: number | undefined;
  #hasReturned = false;
  #isOverSaid = false;
  #lookedAt: number;

  constructor(now: number) {
    this.sinceAt = now;
    this.#failedAt = now;
    this.#lookedAt = now;
    this.#scheduledFrom = now;
    this.#nextLineAt = now;
  }

  /** How often it failed. */
  get failures(): number {
    return this.#failures;
  }

  /** When it failed last. */
  get failedAt(): number {
    return this.#failedAt;
  }

  /** How many things fail now. */
  get failing(): number {
    return this.#failing.size;
  }

  /** How long it lasted until all worked again; until `now` while it lasts. */
  lastedMs(now: number): number {
    return (this.#clearAt ?? now) - this.sinceAt;
  }

  /**
   * Notes a failure.
   *
   * @param what the one of several things that failed.
   * @returns whether to say so.
   */
  fail(what: string, now: number): boolean {
    this.#failures += 1;
    this.#failedAt = now;
    this.#failing.set(what, now);
    if (this.#clearAt !== undefined) this.#return(now);
    if (now < this.#nextLineAt) return false;
    this.#lastLineAt = now;
    this.#nextLineAt = nextLineAfter(now, this.#scheduledFrom);
    return true;
  }

  /** Notes a success. */
  succeed(what: string, now: number): void {
    if (this.#failing.delete(what) && this.#failing.size === 0) this.#clearAt = now;
  }

  /** Whether to say now that it is over: true once each time. */
  takeEnd(now: number): boolean {
    if (this.#clearAt === undefined || this.#isOverSaid) return false;
    if (this.#hasReturned && now - this.#clearAt < returnsWithinMs) return false;
    this.#isOverSaid = true;
    return true;
  }

  /** Whether a failure that comes now is another problem. */
  isPast(now: number): boolean {
    if (this.#clearAt !== undefined) return this.#isOverSaid && now - this.#clearAt >= returnsWithinMs;
    // Thousands may fail, and each of them asks.
    if (now - this.#lookedAt < minuteMs) return false;
    this.#lookedAt = now;
    for (const [what, failedAt] of this.#failing) {
      if (now - failedAt >= forgottenAfterMs) this.#failing.delete(what);
    }
    return this.#failing.size === 0;
  }

  #return(now: number): void {
    this.#clearAt = undefined;
    this.#hasReturned = true;
    if (!this.#isOverSaid) return;
    this.#isOverSaid = false;
    this.#scheduledFrom = now;
    this.#nextLineAt = Math.max(now, this.#lastLineAt + minuteMs);
  }
}

function nextLineAfter(now: number, from: number): number {
  const hours = Math.floor((now - from) / hourMs) + 1;
  const nextAts = [from + minuteMs, from + 10 * minuteMs, from + hours * hourMs];
  return nextAts.find(at => at > now) ?? now + hourMs;
}
