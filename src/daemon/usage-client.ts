import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { ConsoleConfig } from '../console/console-config.ts';
import type { UsageOptions } from '../report/usage-view/options.ts';
import { minuteMs } from '../resources/duration.ts';
import { transfer } from '../thread/link.ts';
import { startWorker, type Thread } from '../thread/worker.ts';
import type { UsageApi, UsageThreadData, UsageThreadListeners } from './usage-worker.ts';

interface UsageListeners {
  /** Takes the end of the channel that the calculations of a worker come over, of each worker another one. */
  readonly onStarted: (calculations: MessagePort) => void;
  readonly onFailed: (error: unknown) => void;
  /** Told each time that all was worked out. */
  readonly onDone?: () => void;
  /** Told that another thread follows one that ended. */
  readonly onFollowed?: () => void;
  /** The configuration of the reports that the thread makes besides; absent where the console is off. */
  readonly reports?: ConsoleConfig;
}

/** A young generation this large takes the arrays of an analysis without growing. */
const maxYoungGenerationSizeMb = 16;

/** A worker that ended is followed by another one, but not at once: what ended it may not be over yet. */
const defaultRestartMs = minuteMs;

/** Has use and cost worked out by a worker thread, until it is closed. */
export class UsageClient {
  readonly #nothingToShow = Promise.withResolvers<void>();
  /** Resolves when nothing is known to work out, or that failed: then there is no use waiting for a calculation. */
  readonly nothingToShow = this.#nothingToShow.promise;
  readonly #workedOut = Promise.withResolvers<void>();
  /** Resolves when use and cost were worked out for the first time, with all that a look at the whole history tells. */
  readonly workedOut = this.#workedOut.promise;
  #isUnknown = false;
  readonly #heard: UsageThreadListeners = {
    onUnknown: () => {
      this.#isUnknown = true;
      this.#nothingToShow.resolve();
    },
    onDone: () => {
      this.#listeners.onDone?.();
      if (!this.#isUnknown) this.#workedOut.resolve();
      this.#isUnknown = false;
    },
    onFailed: error => {
      this.#listeners.onFailed(error);
      this.#nothingToShow.resolve();
    },
  };
  readonly #options: UsageOptions;
  readonly #listeners: UsageListeners;
  readonly #restartMs: number;
  #thread: Thread<UsageApi>;
  #restart: NodeJS.Timeout | undefined;
  #closing = false;

  constructor(options: UsageOptions, listeners: UsageListeners, restartMs = defaultRestartMs) {
    this.#options = options;
    this.#listeners = listeners;
    this.#restartMs = restartMs;
    this.#thread = this.#start();
  }

  /** Has the thread make the reports that are asked for over a port. */
  serveReports(port: MessagePort): void {
    this.#thread.tell.serveReports(transfer(port, [port]));
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#restart);
    await this.#thread.close();
  }

  /** Ends the thread, as a report of it hangs, and has another one go on. */
  startAnew(): void {
    const before = this.#thread;
    clearTimeout(this.#restart);
    if (!this.#closing) this.#follow();
    void before.close();
  }

  #start(): Thread<UsageApi> {
    const { port1, port2 } = new MessageChannel();
    const { reports } = this.#listeners;
    const data: UsageThreadData = { options: this.#options, shown: port1, ...(reports && { reports }) };
    const thread = startWorker<UsageApi>(new URL('./usage-worker.ts', import.meta.url), {
      ...{ data, moved: [port1], listeners: this.#heard },
      ended: 'the thread that works out use and cost ended',
      resourceLimits: { maxYoungGenerationSizeMb },
    });
    this.#listeners.onStarted(port2);
    void thread.ended.then(error => {
      if (this.#thread === thread) this.#startAgain(error.cause ?? error);
    });
    return thread;
  }

  /** All but the metrics of use goes on meanwhile. */
  #startAgain(cause: unknown): void {
    if (this.#closing) return;
    this.#listeners.onFailed(cause);
    this.#nothingToShow.resolve();
    this.#restart = setTimeout(() => this.#follow(), this.#restartMs);
  }

  #follow(): void {
    this.#thread = this.#start();
    this.#listeners.onFollowed?.();
  }
}
