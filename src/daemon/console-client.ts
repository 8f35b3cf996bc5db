import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { answerAsset } from '../console/asset.ts';
import type { ConsoleConfig } from '../console/console-config.ts';
import type { LiveState } from '../console/live-state.ts';
import type { PageQuestion } from '../console/page.ts';
import type { ConsoleApi, ConsoleListeners, ConsoleThreadData } from '../console/worker.ts';
import type { MadePage, RefusedPage } from '../http/console-answer.ts';
import type { ProblemLog } from '../log/problem-log.ts';
import { minuteMs, secondMs } from '../resources/duration.ts';
import { transfer } from '../thread/link.ts';
import { startWorker, type Thread } from '../thread/worker.ts';
import { pageWork } from './repeated-work.ts';
import type { UsageClient } from './usage-client.ts';

interface ConsoleClientOptions {
  readonly version: string;
  /** The state of the running daemon, for the pages that show it. */
  readonly readLive: () => LiveState;
  /** Told of pages that cannot be made, and of each that could. */
  readonly problems: Pick<ProblemLog, 'fail' | 'succeed'>;
  /** The thread whose reports the pages show; another one may take its place. */
  readonly usage: () => Pick<UsageClient, 'serveReports' | 'startAnew'>;
  /** A thread that was not asked for so long ends, in milliseconds. */
  readonly restAfterMs?: number;
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
const maxYoungGenerationSizeMb = 2;
const endedSentence = 'the thread that makes pages ended';

/** Has pages of the console made by a thread, which is started for the first reader and ends some time after the last one. */
export class ConsoleClient {
  readonly #config: ConsoleConfig;
  readonly #options: ConsoleClientOptions;
  #thread: Thread<ConsoleApi> | undefined;
  #waiting = 0;
  #resting: NodeJS.Timeout | undefined;
  #startsAfter = 0;
  #isClosed = false;

  constructor(config: ConsoleConfig, options: ConsoleClientOptions) {
    this.#config = config;
    this.#options = options;
  }

  /**
   * The page, or why it cannot be made now.
   *
   * @param gone aborted when the reader waits no longer.
   */
  async answer(question: PageQuestion, gone?: AbortSignal): Promise<MadePage | RefusedPage> {
    // A browser draws nothing before it has them, and the thread may be busy with pages, or with what they left behind.
    const asset = answerAsset(question);
    if (asset !== undefined) return asset;
    if (this.#isClosed) return unavailable('The daemon is stopping, or loads its configuration.');
    if (this.#waiting >= mostWaiting) return unavailable('Too many pages are asked for at once.');
    const thread = this.#start();
    if (thread === undefined) return unavailable('Pages cannot be made now; the log says why.');
    const leaving = new AbortController();
    const leave = () => leaving.abort('The reader of the page has gone.');
    gone?.addEventListener('abort', leave, { once: true });
    const timer = setTimeout(() => {
      leaving.abort('The page took too long.');
      this.#giveUp(thread);
    }, longestAnswerMs).unref();
    clearTimeout(this.#resting);
    this.#waiting += 1;
    try {
      return await thread.ask.answer(question, this.#options.readLive(), leaving.signal);
    } catch (error) {
      if (leaving.signal.aborted) return unavailable(leaving.signal.reason);
      if (thread.failure === undefined) this.#fail(error);
      return unavailable('Pages cannot be made now.');
    } finally {
      clearTimeout(timer);
      gone?.removeEventListener('abort', leave);
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#restLater();
    }
  }

  /** Has reports made by another thread, as the one before ended. */
  renewReports(): void {
    if (this.#thread === undefined) return;
    const port = this.#openReports();
    this.#thread.tell.useReports(transfer(port, [port]));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#resting);
    await this.#thread?.close();
  }

  #start(): Thread<ConsoleApi> | undefined {
    if (this.#thread !== undefined) return this.#thread;
    if (performance.now() < this.#startsAfter) return undefined;
    const { version, problems, usage } = this.#options;
    const listeners: ConsoleListeners = {
      onFailed: error => this.#fail(error),
      onReportsHang: () => usage().startAnew(),
      onAnswered: () => problems.succeed(pageWork, {}),
    };
    const reports = this.#openReports();
    const thread = startWorker<ConsoleApi>(new URL('../console/worker.ts', import.meta.url), {
      data: { config: this.#config, version, reports } satisfies ConsoleThreadData,
      moved: [reports],
      ...{ listeners, ended: endedSentence },
      resourceLimits: { maxYoungGenerationSizeMb },
      isRef: false,
    });
    this.#thread = thread;
    void thread.ended.then(error => this.#end(thread, error.cause ?? error));
    return thread;
  }

  #openReports(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#options.usage().serveReports(port2);
    return port1;
  }

  #restLater(): void {
    const { restAfterMs = usualRestAfterMs } = this.#options;
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => {
      void this.#thread?.close();
      this.#thread = undefined;
    }, restAfterMs).unref();
  }

  /** A thread that does not answer does not answer the next reader either. */
  #giveUp(thread: Thread<ConsoleApi>): void {
    void thread.close();
    this.#end(thread, new Error(endedSentence));
  }

  #end(thread: Thread<ConsoleApi>, cause: unknown): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    this.#startsAfter = performance.now() + restartMs;
    if (!this.#isClosed) this.#fail(cause);
  }

  #fail(error: unknown): void {
    this.#options.problems.fail(pageWork, {}, error);
  }
}

function unavailable(line: string): RefusedPage {
  return { status: 503, headers: { 'Retry-After': '5' }, line };
}
