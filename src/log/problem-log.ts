import { minuteMs } from '../resources/duration.ts';
import { describeError } from './error-record.ts';
import type { Logger } from './logger.ts';

const repeatAfterMs = 5 * minuteMs;

/** Logs a failed reading when it is new and again every five minutes while it lasts, with how often it occurred. */
export class ProblemLog {
  readonly #log: Logger;
  readonly #now: () => number;
  readonly #reported = new Map<string, { at: number; repeats: number }>();

  constructor(log: Logger, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  /** @param about fields that identify a problem; further fields may be added to the line. */
  report(
    about: Readonly<Record<string, string>>,
    error: unknown,
    more: Readonly<Record<string, unknown>> = {},
  ): void {
    const key = JSON.stringify([about, describeError(error)]);
    const now = this.#now();
    const reported = this.#reported.get(key);
    if (reported !== undefined && now - reported.at < repeatAfterMs) {
      reported.repeats += 1;
      return;
    }
    const repeats = reported?.repeats ?? 0;
    const fields = { ...about, ...more, ...(repeats > 0 && { repeats }), err: error };
    this.#log.warn(fields, 'a reading failed');
    this.#forgetOld(now);
    this.#reported.set(key, { at: now, repeats: 0 });
  }

  #forgetOld(now: number): void {
    for (const [key, { at }] of this.#reported) {
      if (now - at >= 2 * repeatAfterMs) this.#reported.delete(key);
    }
  }
}
