import { Worker } from 'node:worker_threads';
import type { Calculated } from './usage-calculator.ts';
import type { UsageEvent } from './usage-message.ts';
import type { UsageSetting } from './usage-setting.ts';

export interface UsageListeners {
  readonly onCalculated: (calculated: Calculated) => Promise<void>;
  readonly onFailed: (error: unknown) => void;
}

/** A young generation this large takes the arrays of a survey without growing. */
const maxYoungGenerationSizeMb = 16;

/** Has use and cost worked out in a thread of its own, until it is closed. */
export class UsageWatch {
  /** When what is known at first was shown, or that was not to be. */
  readonly begun: Promise<void>;
  readonly #worker: Worker;
  #closing = false;

  constructor(setting: UsageSetting, { onCalculated, onFailed }: UsageListeners) {
    this.#worker = new Worker(new URL('./usage-thread.ts', import.meta.url), {
      workerData: setting,
      resourceLimits: { maxYoungGenerationSizeMb },
    });
    const begun = Promise.withResolvers<void>();
    this.begun = begun.promise;
    const fail = (error: unknown) => {
      onFailed(error);
      begun.resolve();
    };
    this.#worker.on('message', async (event: UsageEvent) => {
      if (event.kind === 'failed') onFailed(event.error);
      if (event.kind === 'calculated') await onCalculated(event).catch(onFailed);
      begun.resolve();
    });
    // Without it all but the metrics of use go on.
    this.#worker.on('error', fail);
    this.#worker.on('exit', () => {
      if (!this.#closing) fail(new Error('the thread that works out use and cost ended'));
    });
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#worker.terminate();
  }
}
