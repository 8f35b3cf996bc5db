import { Worker } from 'node:worker_threads';
import type { ConsoleConfig } from '../console/console-config.ts';
import type { LiveState } from '../console/live-state.ts';
import type {
  ConsoleEvent,
  ConsoleMessage,
  ConsoleReply,
  ConsoleWorkerData,
  PageAnswer,
  PageQuestion,
} from '../console/message.ts';
import type { RefusedPage } from '../http/console-answer.ts';
import { minuteMs, secondMs } from '../resources/duration.ts';

export interface ConsoleClientOptions {
  readonly config: ConsoleConfig;
  readonly version: string;
  /** The name of the channel to the thread that makes reports. */
  readonly reportChannel: string;
  /** Told when that thread hangs. */
  readonly onReportsHang: () => void;
  /** The state of the running daemon, for the pages that show it. */
  readonly readLive: () => LiveState;
  readonly onFailed: (error: unknown) => void;
  /** Told of each page that could be made. */
  readonly onAnswered?: () => void;
  /** A thread that nobody asked for so long ends, in milliseconds. */
  readonly restAfterMs?: number;
}

interface Waiting {
  readonly take: (answer: PageAnswer | RefusedPage) => void;
  readonly timer: NodeJS.Timeout;
}

/** Readers beyond them are asked to come back: as many as there are connections. */
const mostWaiting = 512;
/** A thread that is silent for longer hangs: it says by itself when a page takes long. */
const longestAnswerMs = 50 * secondMs;
/** A thread that ended is followed by another one, but not at once. */
const restartMs = secondMs;
/** By then what the thread keeps is too old to be shown. */
const usualRestAfterMs = 10 * minuteMs;
/** Pages leave small and short-lived objects behind. */
const maxYoungGenerationSizeMb = 4;

/** Has pages of the console made by a worker thread, which is started for the first reader and ends some time after the last one. */
export class ConsoleClient {
  readonly #options: ConsoleClientOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #resting: NodeJS.Timeout | undefined;
  #next = 0;
  #startsAfter = 0;
  #isClosed = false;

  constructor(options: ConsoleClientOptions) {
    this.#options = options;
  }

  /**
   * The page, or why it cannot be made now.
   *
   * @param gone aborted when the reader waits no longer.
   */
  answer(question: PageQuestion, gone?: AbortSignal): Promise<PageAnswer | RefusedPage> {
    if (this.#isClosed)
      return Promise.resolve(unavailable('The daemon is stopping, or loads its configuration.'));
    if (this.#waiting.size >= mostWaiting)
      return Promise.resolve(unavailable('Too many pages are asked for at once.'));
    const worker = this.#start();
    if (worker === undefined)
      return Promise.resolve(unavailable('Pages cannot be made now; the log says why.'));
    clearTimeout(this.#resting);
    const id = this.#next++;
    return new Promise<PageAnswer | RefusedPage>(take => {
      const timer = setTimeout(() => this.#giveUp(id), longestAnswerMs).unref();
      this.#waiting.set(id, { take, timer });
      const post = (message: ConsoleMessage) => worker.postMessage(message);
      post({ id, question, live: this.#options.readLive() });
      const leave = () => {
        if (!this.#waiting.has(id)) return;
        post({ gone: id });
        this.#settle(id, unavailable('Nobody waits for the page.'));
      };
      gone?.addEventListener('abort', leave, { once: true });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#resting);
    await this.#worker?.terminate();
  }

  #start(): Worker | undefined {
    if (this.#worker !== undefined) return this.#worker;
    if (performance.now() < this.#startsAfter) return undefined;
    const { config, version, reportChannel } = this.#options;
    const workerData: ConsoleWorkerData = { config, version, reportChannel };
    const worker = new Worker(new URL('../console/worker.ts', import.meta.url), {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb },
    });
    this.#worker = worker;
    worker.unref();
    worker.on('message', (event: ConsoleEvent) => {
      if ('reportsHang' in event) this.#options.onReportsHang();
      else if ('answer' in event) this.#take(event);
      else this.#options.onFailed(event.failure);
    });
    let cause: unknown = new Error('the thread that makes pages ended');
    worker.once('error', error => {
      cause = error;
    });
    worker.once('exit', () => {
      if (this.#worker === worker) this.#end(cause);
    });
    return worker;
  }

  #take({ id, answer, failure }: ConsoleReply): void {
    if (failure === undefined) this.#options.onAnswered?.();
    else this.#options.onFailed(failure);
    this.#settle(id, answer);
  }

  #settle(id: number, answer: PageAnswer | RefusedPage): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    waiting.take(answer);
    if (this.#waiting.size > 0) return;
    const { restAfterMs = usualRestAfterMs } = this.#options;
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#rest(), restAfterMs).unref();
  }

  #rest(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }

  /** A thread that does not answer does not answer the next reader either. */
  #giveUp(id: number): void {
    this.#settle(id, unavailable('The page took too long.'));
    void this.#worker?.terminate();
  }

  #end(cause: unknown): void {
    this.#worker = undefined;
    this.#startsAfter = performance.now() + restartMs;
    if (!this.#isClosed) this.#options.onFailed(cause);
    for (const id of [...this.#waiting.keys()]) this.#settle(id, unavailable('Pages cannot be made now.'));
  }
}

function unavailable(line: string): RefusedPage {
  return { status: 503, headers: { 'Retry-After': '5' }, line };
}
