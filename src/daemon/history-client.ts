import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { HistoryError } from '../history/file/history-error.ts';
import type { KnownProject } from '../history/history.ts';
import type { Format } from '../metrics/page/exposition.ts';
import type { EncodedPage } from '../metrics/page/page-set.ts';
import { Publication } from '../metrics/publication/publication.ts';
import type { AccountOverview } from '../resources/account.ts';
import type { CostAccrual } from '../resources/cost-accrual.ts';
import type { PollCheckpoint, Reading } from '../resources/reading.ts';
import type { RequestBudgetState } from '../resources/request-budget-state.ts';
import type { UsageView } from '../resources/usage/view.ts';
import { AnswerQueue } from './answer-queue.ts';
import type {
  HistoryEvent,
  HistoryRequest,
  HistoryWorkerOptions,
  RecordOutcome,
  StoredAccount,
} from './history-message.ts';

/** What rendering leaves behind is small and short-lived: collected often, it never takes much memory. */
const maxYoungGenerationSizeMb = 8;

type PublishedEvent = HistoryEvent & { readonly kind: 'published' };

interface Waiting {
  readonly reading: Reading;
  readonly resolve: (checkpoints: readonly PollCheckpoint[]) => void;
  readonly reject: (error: Error) => void;
}

export interface HistoryListeners {
  /** How fast the accounts may be asked now, to be written beside the next readings. */
  readonly readBudgets: () => ReadonlyMap<string, RequestBudgetState>;
  readonly onUnpublished: (error: unknown) => void;
  readonly onUpkeepFailed: (error: unknown) => void;
}

/** The history and the page over it, kept by a thread of their own: this is the end of it that the daemon holds. */
export class HistoryClient {
  /** Rejects when the thread ends by itself: nothing can be recorded any more. */
  readonly failed: Promise<never>;
  readonly publication = new Publication({
    assemble: format => this.#assemble(format),
    recycle: memory => this.#request({ kind: 'recycle', memory }, [memory]),
    now: Date.now,
  });
  readonly #worker: Worker;
  readonly #listeners: HistoryListeners;
  readonly #opened = Promise.withResolvers<void>();
  readonly #known = new Map<string, StoredAccount>();
  /** Each answer is a body of its own: its memory goes back with it alone. */
  readonly #assembling = new AnswerQueue<EncodedPage>();
  readonly #showing = new AnswerQueue<void>();
  #wanted = '';
  #overviews: readonly AccountOverview[] = [];
  #hasData = false;
  #waiting: Waiting[] = [];
  #underWay: readonly Waiting[] = [];
  #closing = false;
  #failure: Error | undefined;

  private constructor(options: HistoryWorkerOptions, listeners: HistoryListeners) {
    this.#listeners = listeners;
    this.#worker = new Worker(new URL('./history-worker.ts', import.meta.url), {
      workerData: options,
      resourceLimits: { maxYoungGenerationSizeMb },
    });
    const failed = Promise.withResolvers<never>();
    this.failed = failed.promise;
    // Whoever waits for the daemon hears of it; nobody need be waiting.
    this.failed.catch(() => {});
    const fail = (cause: unknown) => {
      const error = new Error('the thread that keeps the history ended: start dbpm-exporter again', {
        cause,
      });
      this.#failure = error;
      for (const { reject } of [...this.#underWay, ...this.#waiting.splice(0)]) reject(error);
      this.#underWay = [];
      this.#assembling.fail(error);
      this.#showing.fail(error);
      this.#opened.reject(error);
      failed.reject(error);
    };
    this.#worker.on('message', (event: HistoryEvent) => this.#handle(event));
    let cause: unknown;
    this.#worker.once('error', error => {
      cause = error;
    });
    this.#worker.once('exit', () => {
      if (!this.#closing) fail(cause);
    });
  }

  /**
   * Opens the history and publishes what it knows.
   *
   * @throws HistoryError when the history cannot be used.
   */
  static async open(options: HistoryWorkerOptions, listeners: HistoryListeners): Promise<HistoryClient> {
    const recording = new HistoryClient(options, listeners);
    await recording.#opened.promise;
    return recording;
  }

  /** How fast an earlier run was allowed to ask; undefined before the first. */
  knownBudget(account: string): RequestBudgetState | undefined {
    return this.#knownAccount(account).budget;
  }

  /** The projects an earlier run knew. They are handed over once: whoever watches them has newer ones soon. */
  takeProjects(account: string): readonly KnownProject[] {
    const known = this.#knownAccount(account);
    this.#known.set(account, { ...known, projects: [] });
    return known.projects;
  }

  get overviews(): readonly AccountOverview[] {
    return this.#overviews;
  }

  /** Whether anything was ever read. */
  get hasData(): boolean {
    return this.#hasData;
  }

  /**
   * Records a reading; settles when it is written for good. Those that come while others are being written share
   * the next commit.
   *
   * @returns what the next readings go by, of a project that was read and of those a list brought back.
   * @throws HistoryError when it could not be written; nothing is lost but this reading.
   */
  record(reading: Reading): Promise<readonly PollCheckpoint[]> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const { promise, resolve, reject } = Promise.withResolvers<readonly PollCheckpoint[]>();
    this.#waiting.push({ reading, resolve, reject });
    this.#send();
    return promise;
  }

  /**
   * Puts what is used and costs now on the page, in place of what was shown before, once what was charged is written;
   * settles when it is published.
   */
  showUsage(view: UsageView, accruals: readonly CostAccrual[] = []): Promise<void> {
    const shown = this.#showing.wait();
    this.#request({ kind: 'usage', view, accruals });
    return shown;
  }

  /** Writes how fast the accounts may be asked, before the first of them is and after the last. */
  saveBudgets(): void {
    this.#request({ kind: 'save_budgets', budgets: this.#listeners.readBudgets() });
  }

  /** Writes what is still to be written, and ends the thread. */
  async close(): Promise<void> {
    while (this.#underWay.length > 0) {
      await Promise.race([once(this.#worker, 'message'), this.failed]).catch(() => {});
    }
    if (this.#failure !== undefined) return;
    this.#closing = true;
    this.saveBudgets();
    const exited = once(this.#worker, 'exit');
    this.#request({ kind: 'close' });
    await exited;
  }

  #knownAccount(account: string): StoredAccount {
    const known = this.#known.get(account);
    if (known === undefined) throw new Error(`account ${account} was not given to the history`);
    return known;
  }

  #send(): void {
    if (this.#underWay.length > 0 || this.#waiting.length === 0) return;
    this.#underWay = this.#waiting.splice(0);
    const readings = this.#underWay.map(({ reading }) => reading);
    this.#request({ kind: 'record', readings, budgets: this.#listeners.readBudgets() });
  }

  #assemble(format: Format): Promise<EncodedPage> {
    const assembled = this.#assembling.wait();
    this.#request({ kind: 'assemble', format });
    return assembled;
  }

  #publish({ snapshot, overviews, hasData }: PublishedEvent): void {
    this.#overviews = overviews;
    this.#hasData = hasData;
    this.publication.publish(snapshot);
    const formats = this.publication.wanted();
    if (formats.join() === this.#wanted) return;
    this.#wanted = formats.join();
    this.#request({ kind: 'want', formats });
  }

  #request(request: HistoryRequest, transferred: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(request, transferred);
  }

  #handle(event: HistoryEvent): void {
    switch (event.kind) {
      case 'opened':
        for (const known of event.accounts) this.#known.set(known.account, known);
        this.#opened.resolve();
        break;
      case 'refused':
        this.#closing = true;
        this.#opened.reject(new HistoryError(event.problem));
        break;
      case 'recorded':
        this.#settle(event.results);
        break;
      case 'published':
        this.#publish(event);
        break;
      case 'assembled':
        this.#assembling.answer(event.body);
        break;
      case 'usage_shown':
        this.#showing.answer();
        break;
      case 'unpublished':
        this.#listeners.onUnpublished(event.error);
        break;
      case 'upkeep_failed':
        this.#listeners.onUpkeepFailed(event.error);
    }
  }

  #settle(results: readonly RecordOutcome[]): void {
    const settled = this.#underWay;
    this.#underWay = [];
    for (const [index, { resolve, reject }] of settled.entries()) {
      const result = results[index] ?? { problem: 'the history gave no answer' };
      if ('problem' in result) reject(new HistoryError(result.problem));
      else resolve(result.checkpoints);
    }
    this.#send();
  }
}
