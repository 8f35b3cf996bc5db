import type { RateLimit } from '../resources/web-access.ts';

/** Counts requests against a rate limit: a full bucket at first, and a token more each interval. */
export class TokenBucket {
  readonly #limit: RateLimit;
  #tokens: number;
  #asOf: number;

  /** @param now milliseconds of a clock that never steps. */
  constructor(limit: RateLimit, now: number) {
    this.#limit = limit;
    this.#tokens = limit.burst;
    this.#asOf = now;
  }

  /** Whether a request may pass, which then has taken its token. */
  take(now: number): boolean {
    const { burst, intervalMs } = this.#limit;
    this.#tokens = Math.min(burst, this.#tokens + (now - this.#asOf) / intervalMs);
    this.#asOf = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
