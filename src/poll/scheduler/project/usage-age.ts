import { minuteMs } from '../../../resources/duration.ts';
import { useRefreshMs } from '../budget-share.ts';

/** Seen on live services: what was used shows up to so much later. */
const longestLagMs = 15 * minuteMs;

/** When the use of a project was read for itself, and whether it is to be read again. Instants are of the service's clock. */
export class UsageAge {
  #readAt: number | undefined;
  #triedAt: number | undefined;
  #awakeAt: number | undefined;

  /** Goes on from when an earlier run read it. */
  continueFrom(readAt: number): void {
    this.#readAt = Math.max(readAt, this.#readAt ?? readAt);
  }

  /** Notes that an endpoint was awake at an instant. */
  noteAwake(at: number): void {
    this.#awakeAt = Math.max(at, this.#awakeAt ?? at);
  }

  noteTried(at: number): void {
    this.#triedAt = at;
  }

  noteRead(at: number): void {
    this.#readAt = at;
  }

  /** Whether it was awake since it was last read; and once more when all it used then must show. */
  isDue(now: number): boolean {
    const readAt = this.#readAt;
    const awakeAt = this.#awakeAt;
    // Further ahead than that, the clock was set back.
    if (this.#triedAt !== undefined && Math.abs(now - this.#triedAt) < useRefreshMs) return false;
    if (readAt === undefined || readAt > now) return true;
    if (awakeAt === undefined) return false;
    return readAt < awakeAt || (readAt < awakeAt + longestLagMs && now >= awakeAt + longestLagMs);
  }
}
