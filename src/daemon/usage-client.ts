import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { ReportServiceData } from '../console/desk/report-order.ts';
import type { UsageEvent, UsageWorkerData } from '../report/usage/message.ts';
import type { UsageOptions } from '../report/usage/options.ts';
import { minuteMs } from '../resources/duration.ts';

export interface UsageListeners {
  /** Takes the end of the channel that the calculations of a worker come over, of each worker another one. */
  readonly onStarted: (calculations: MessagePort) => void;
  readonly onFailed: (error: unknown) => void;
  /** Told where it failed because the history is damaged. */
  readonly onDamage?: () => void;
  /** Told each time that all was worked out. */
  readonly onDone?: () => void;
  /** The reports that the thread makes besides; absent where nobody looks at them. */
  readonly reports?: ReportServiceData;
}

/** The settings that the thread is started with. */
export interface UsageThreadData extends Pick<UsageListeners, 'reports'> {
  readonly usage: UsageWorkerData;
}

/** A young generation this large takes the arrays of an analysis without growing. */
const maxYoungGenerationSizeMb = 16;

/** A worker that ended is followed by another one, but not at once: what ended it may not be over yet. */
const defaultRestartMs = minuteMs;

/** Has use and cost worked out by a worker thread, until it is closed. */
export class UsageClient {
  /** Resolves when nothing is known to work out, or that failed: then there is no use waiting for a calculation. */
  readonly nothingToShow: Promise<void>;
  readonly #nothingToShow = Promise.withResolvers<void>();
  /** Resolves when use and cost were worked out for the first time, with all that a look at the whole history tells. */
  readonly workedOut: Promise<void>;
  readonly #workedOut = Promise.withResolvers<void>();
  #isUnknown = false;
  readonly #options: UsageOptions;
  readonly #listeners: UsageListeners;
  readonly #restartMs: number;
  #worker: Worker;
  #restart: NodeJS.Timeout | undefined;
  #closing = false;

  constructor(options: UsageOptions, listeners: UsageListeners, restartMs = defaultRestartMs) {
    this.#options = options;
    this.#listeners = listeners;
    this.#restartMs = restartMs;
    this.nothingToShow = this.#nothingToShow.promise;
    this.workedOut = this.#workedOut.promise;
    this.#worker = this.#start();
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#restart);
    await this.#worker.terminate();
  }

  /** Ends the thread, as a report of it hangs, and has another one go on. */
  startAnew(): void {
    const before = this.#worker;
    clearTimeout(this.#restart);
    if (!this.#closing) this.#worker = this.#start();
    void before.terminate();
  }

  #start(): Worker {
    const { port1, port2 } = new MessageChannel();
    const { reports } = this.#listeners;
    const workerData: UsageThreadData = {
      usage: { options: this.#options, calculations: port1 },
      ...(reports && { reports }),
    };
    const worker = new Worker(new URL('./usage-worker.ts', import.meta.url), {
      workerData,
      transferList: [port1],
      resourceLimits: { maxYoungGenerationSizeMb },
    });
    this.#listeners.onStarted(port2);
    worker.on('message', (event: UsageEvent) => this.#handle(event));
    let cause: unknown = new Error('the thread that works out use and cost ended');
    worker.once('error', error => {
      cause = error;
    });
    worker.once('exit', () => {
      if (this.#worker === worker) this.#startAgain(cause);
    });
    return worker;
  }

  #handle(event: UsageEvent): void {
    if (event.kind === 'done') {
      this.#listeners.onDone?.();
      if (!this.#isUnknown) this.#workedOut.resolve();
      this.#isUnknown = false;
      return;
    }
    if (event.kind === 'unknown') this.#isUnknown = true;
    if (event.kind === 'failed') {
      this.#listeners.onFailed(event.error);
      if (event.isDamage) this.#listeners.onDamage?.();
    }
    this.#nothingToShow.resolve();
  }

  /** All but the metrics of use goes on meanwhile. */
  #startAgain(cause: unknown): void {
    if (this.#closing) return;
    this.#listeners.onFailed(cause);
    this.#nothingToShow.resolve();
    this.#restart = setTimeout(() => {
      this.#worker = this.#start();
    }, this.#restartMs);
  }
}
