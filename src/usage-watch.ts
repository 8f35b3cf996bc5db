import { Worker } from 'node:worker_threads';
import type { Calculated } from './usage-calculator.ts';
import type { UsageEvent } from './usage-message.ts';
import type { UsageSetting } from './usage-setting.ts';

export interface UsageListeners {
  readonly onCalculated: (calculated: Calculated) => void;
  readonly onFailed: (error: unknown) => void;
}

/** A young generation this large takes the arrays of a survey without growing. */
const maxYoungGenerationSizeMb = 16;

/** Has use and cost worked out in a thread of its own, until it is closed. */
export class UsageWatch {
  readonly #worker: Worker;
  #closing = false;

  constructor(setting: UsageSetting, { onCalculated, onFailed }: UsageListeners) {
    this.#worker = new Worker(new URL('./usage-thread.ts', import.meta.url), {
      workerData: setting,
      resourceLimits: { maxYoungGenerationSizeMb },
    });
    this.#worker.on('message', (event: UsageEvent) => {
      if (event.kind === 'calculated') onCalculated(event);
      else onFailed(event.error);
    });
    // Without it all but the metrics of use go on.
    this.#worker.on('error', onFailed);
    this.#worker.on('exit', () => {
      if (!this.#closing) onFailed(new Error('the thread that works out use and cost ended'));
    });
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#worker.terminate();
  }
}
