import { minuteMs } from '../../resources/duration.ts';

/** A renewal is followed by a rest of so many times as long. */
const restPerWork = 9;
/** How long something that was asked for goes before what is newer. */
const wantedForMs = minuteMs;

interface Wanted {
  readonly madeAt: number;
  readonly askedAt: number;
}

/**
 * Paces what is made again for the next reader: one thing after the other, the oldest first, and at most one part in ten of the
 * time is spent on all together. A large fleet has a dozen reports, and each at a pace of its own would keep a processor busy.
 * All instants are milliseconds by the same clock.
 */
export class RenewalPace {
  readonly #wanted = new Map<string, Wanted>();
  #isBusy = false;
  #restsUntil = Number.NEGATIVE_INFINITY;

  /** Whether something that was asked for, and is not fresh, is to be renewed now. */
  isTurnOf(key: string, madeAt: number, now: number): boolean {
    this.#wanted.set(key, { madeAt, askedAt: now });
    for (const [other, { askedAt }] of this.#wanted)
      if (now - askedAt >= wantedForMs) this.#wanted.delete(other);
    if (this.#isBusy || now < this.#restsUntil) return false;
    return !this.#wanted.values().some(other => other.madeAt < madeAt);
  }

  /** Renews something whose turn it is. */
  async renew<Made>(key: string, work: () => Promise<Made>, now: () => number): Promise<Made> {
    const beganAt = now();
    this.#isBusy = true;
    this.#wanted.delete(key);
    try {
      return await work();
    } finally {
      const endedAt = now();
      this.#isBusy = false;
      this.#restsUntil = endedAt + restPerWork * (endedAt - beganAt);
    }
  }
}
