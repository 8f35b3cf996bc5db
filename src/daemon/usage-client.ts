import { Worker } from 'node:worker_threads';
import { minuteMs } from '../resources/duration.ts';
import type { Calculation } from '../usage/calculator.ts';
import type { UsageEvent } from '../usage/message.ts';
import type { UsageOptions } from '../usage/options.ts';

export interface UsageListeners {
  readonly onCalculated: (calculated: Calculation) => Promise<void>;
  readonly onFailed: (error: unknown) => void;
}

/** A young generation this large takes the arrays of a survey without growing. */
const maxYoungGenerationSizeMb = 16;

/** A thread that ended is followed by another one, but not at once: what ended it may not be over yet. */
const defaultRestartMs = minuteMs;

/** Has use and cost worked out in a thread of its own, until it is closed. */
export class UsageClient {
  /** When what is known at first was shown, or that was not to be. */
  readonly begun: Promise<void>;
  readonly #begun = Promise.withResolvers<void>();
  readonly #setting: UsageOptions;
  readonly #listeners: UsageListeners;
  readonly #restartMs: number;
  #worker: Worker;
  #restart: NodeJS.Timeout | undefined;
  #closing = false;

  constructor(setting: UsageOptions, listeners: UsageListeners, restartMs = defaultRestartMs) {
    this.#setting = setting;
    this.#listeners = listeners;
    this.#restartMs = restartMs;
    this.begun = this.#begun.promise;
    this.#worker = this.#start();
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#restart);
    await this.#worker.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL('../usage/worker.ts', import.meta.url), {
      workerData: this.#setting,
      resourceLimits: { maxYoungGenerationSizeMb },
    });
    worker.on('message', (event: UsageEvent) => this.#handle(event));
    let cause: unknown = new Error('the thread that works out use and cost ended');
    worker.once('error', error => {
      cause = error;
    });
    worker.once('exit', () => this.#follow(cause));
    return worker;
  }

  async #handle(event: UsageEvent): Promise<void> {
    const { onCalculated, onFailed } = this.#listeners;
    if (event.kind === 'failed') onFailed(event.error);
    if (event.kind === 'calculated') await onCalculated(event).catch(onFailed);
    this.#begun.resolve();
  }

  /** All but the metrics of use goes on meanwhile. */
  #follow(cause: unknown): void {
    if (this.#closing) return;
    this.#listeners.onFailed(cause);
    this.#begun.resolve();
    this.#restart = setTimeout(() => {
      this.#worker = this.#start();
    }, this.#restartMs);
  }
}
