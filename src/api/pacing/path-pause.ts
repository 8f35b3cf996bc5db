import { minuteMs } from '../../resources/duration.ts';
import type { ApiError } from '../message/api-error.ts';

export type PausingError = ApiError & { readonly retryAt: number };

/** How often paths nobody asks for any more are forgotten. */
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
