import type { LogFields, Logger } from '../log/logger.ts';
import { secondMs } from '../resources/duration.ts';
import { renderDuration } from '../resources/duration-text.ts';

export interface HeartbeatOptions {
  readonly log: Logger;
  /** 0 for none. */
  readonly everyMs: number;
  /** Whether everything was read once: then the first line comes, and need not wait for its time. */
  readonly isComplete: () => boolean;
  /** How the daemon is doing, and what it did since the last call. */
  readonly describe: () => LogFields;
}

/** How often it is looked whether everything was read once. */
const lookEveryMs = secondMs;

/** Logs a line now and then that says how the daemon is doing. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #saidAtMs = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    if (options.everyMs > 0) this.#timer = setInterval(() => this.#look(), lookEveryMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const { everyMs, isComplete } = this.#options;
    if (performance.now() - this.#saidAtMs < everyMs && !isComplete()) return;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#beat(), everyMs).unref();
    this.#beat();
  }

  #beat(): void {
    const now = performance.now();
    const period = renderDuration(now - this.#saidAtMs);
    this.#saidAtMs = now;
    this.#options.log.info({ period, ...this.#options.describe() }, 'heartbeat');
  }
}
