import { minuteMs } from '../../resources/duration.ts';
import type { ApiError } from '../message/api-error.ts';

/**
 * Milliseconds to wait from `now`, read from a `Retry-After` header in either form, between 0 and `longestMs`: a typing
 * error of the service must not silence it for a day. Parts of seconds count (live services). `now` is epoch milliseconds by
 * the clock of the host that wrote the header. Undefined when there is nothing usable.
 */
export function parseRetryAfter(
  header: string | undefined,
  now: number,
  longestMs: number,
): number | undefined {
  const text = header?.trim() ?? '';
  const isSeconds = /^\d+(?:\.\d+)?$/.test(text);
  const waitMs = isSeconds ? Math.ceil(Number(text) * 1000) : (parseHttpDate(text) ?? Number.NaN) - now;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), longestMs);
}

const firstDelayMs = 500;
const longestDelayMs = 20_000;

/** Milliseconds to wait after failed attempt 1, 2, …: exponential with full jitter. `random` answers in [0, 1). */
export function retryDelayMs(attempt: number, random: () => number): number {
  return random() * Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1));
}

const httpDate = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i;

/** Reads a date of an HTTP header (RFC 9110, section 5.6.7, all three forms) in epoch milliseconds; undefined when it is none. */
export function parseHttpDate(text: string): number | undefined {
  if (!httpDate.test(text)) return undefined;
  // The asctime form names no zone and means GMT, where Date.parse would take the zone of this machine.
  const at = Date.parse(/GMT\s*$/i.test(text) ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : at;
}

export type PausingError = ApiError & { readonly retryAt: number };

/** How often paths whose pause is over are forgotten. */
const forgetEveryMs = minuteMs;

/** Remembers which paths the service does not want to be asked for, and until when. */
export class PathPause {
  readonly #errors = new Map<string, PausingError>();
  #forgotAt = 0;

  /** How many paths are remembered. */
  get size(): number {
    return this.#errors.size;
  }

  /** Nothing is asked of `path` before `error.retryAt`. */
  set(path: string, error: PausingError, now: number): void {
    this.#forgetOver(now);
    const retryAt = this.#errors.get(path)?.retryAt ?? 0;
    if (error.retryAt >= retryAt) this.#errors.set(path, error);
  }

  /** Everything may be asked again. */
  lift(): void {
    this.#errors.clear();
  }

  /** The error that paused `path`, while the pause lasts. */
  get(path: string, now: number): PausingError | undefined {
    const error = this.#errors.get(path);
    return error !== undefined && error.retryAt > now ? error : undefined;
  }

  #forgetOver(now: number): void {
    if (Math.abs(now - this.#forgotAt) < forgetEveryMs) return;
    this.#forgotAt = now;
    for (const [path, error] of this.#errors) if (error.retryAt <= now) this.#errors.delete(path);
  }
}
