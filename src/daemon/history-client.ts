import { once } from 'node:events';
import { type MessagePort, type Transferable, Worker } from 'node:worker_threads';
import type { KnownProject } from '../history/history.ts';
import type { Format } from '../metrics/page/exposition.ts';
import type { EncodedPage } from '../metrics/page/page-set.ts';
import { Publication } from '../metrics/publication/publication.ts';
import type { AccountOverview } from '../resources/account.ts';
import type { MeterState, PollCheckpoint, Reading } from '../resources/reading.ts';
import type { RequestBudgetState } from '../resources/request-budget-state.ts';
import { unpackError } from '../thread/sent-error.ts';
import { AnswerQueue } from './answer-queue.ts';
import type { HistoryListeners } from './history-listener.ts';
import type { HistoryEvent, HistoryRequest, HistoryWorkerOptions, StoredAccount } from './history-message.ts';
import { ImportBegins } from './import-begin.ts';
import { Opening } from './opening.ts';
import { ReadingBatch } from './reading-batch.ts';

/** Rendering leaves small and short-lived objects behind: collected often, they never take much memory. */
const maxYoungGenerationSizeMb = 8;

/** The daemon's end of the worker thread that keeps the history and the page over it. */
export class HistoryClient {
  /** Rejects when the thread ends by itself or loses the history: nothing can be recorded any more. */
  readonly failed: Promise<never>;
  readonly #failed = Promise.withResolvers<never>();
  /** Resolves when use and cost were shown for the first time, or could not be written. */
  readonly usageShown: Promise<void>;
  readonly publication = new Publication({
    assemble: format => this.#assemble(format),
    recycle: memory => this.#request({ kind: 'recycle', memory }, [memory]),
    now: () => performance.now(),
  });
  readonly #worker: Worker;
  readonly #listeners: HistoryListeners;
  /** How far the history is open, and by which token it is this daemon's. */
  readonly opening = new Opening();
  readonly #known = new Map<string, StoredAccount>();
  /** Each answer is a page of its own: its memory goes back with it alone. */
  readonly #assembling = new AnswerQueue<EncodedPage>();
  readonly #usageShown = Promise.withResolvers<void>();
  #wanted = '';
  #overviews: readonly AccountOverview[] = [];
  readonly imports = new ImportBegins();
  #hasData = false;
  #takeovers: number | undefined;
  readonly #readings = new ReadingBatch(
    readings => this.#request({ kind: 'record', readings, budgets: this.#listeners.readBudgets() }),
    (reading, implausible) => this.#listeners.onRecorded?.(reading, implausible),
  );
  #closing = false;
  #failure: Error | undefined;

  private constructor(options: HistoryWorkerOptions, listeners: HistoryListeners) {
    this.#listeners = listeners;
    this.usageShown = this.#usageShown.promise;
    this.#worker = new Worker(new URL('./history-worker.ts', import.meta.url), {
      workerData: options,
      resourceLimits: { maxYoungGenerationSizeMb },
    });
    this.failed = this.#failed.promise;
    // Nobody need be waiting for it.
    this.failed.catch(() => {});
    this.#worker.on('message', (event: HistoryEvent) => this.#handle(event));
    let cause: unknown;
    this.#worker.once('error', error => {
      cause = error;
    });
    this.#worker.once('exit', () => {
      const message = 'the thread that keeps the history ended: start dbpm-exporter again';
      if (!this.#closing) this.#fail(new Error(message, { cause }));
    });
  }

  /**
   * Opens the history and publishes what it knows.
   *
   * @throws HistoryError when the history cannot be used.
   */
  static async open(options: HistoryWorkerOptions, listeners: HistoryListeners): Promise<HistoryClient> {
    const client = await HistoryClient.start(options, listeners);
    await client.opening.done;
    return client;
  }

  /**
   * Opens the history, which others may read from then on, and goes on to publish what it knows.
   *
   * @throws HistoryError when the history cannot be used.
   */
  static async start(options: HistoryWorkerOptions, listeners: HistoryListeners): Promise<HistoryClient> {
    const client = new HistoryClient(options, listeners);
    await client.opening.readable;
    return client;
  }

  /** How fast an earlier run was allowed to ask; undefined before the first. */
  knownBudget(account: string): RequestBudgetState | undefined {
    return this.#knownAccount(account).budget;
  }

  /** The service's clock minus the host's as an earlier run left it, in milliseconds; undefined before the first. */
  knownSkewMs(account: string): number | undefined {
    return this.#knownAccount(account).skewMs;
  }

  /** The state from which the next reading of the service's meter goes on; undefined before the first. */
  knownMeter(account: string): MeterState | undefined {
    return this.#knownAccount(account).meter;
  }

  /** The projects an earlier run knew. They are handed over once: the poller that takes them has newer ones soon. */
  takeProjects(account: string): readonly KnownProject[] {
    const known = this.#knownAccount(account);
    this.#known.set(account, { ...known, projects: [] });
    return known.projects;
  }

  get overviews(): readonly AccountOverview[] {
    return this.#overviews;
  }

  /** Whether any list or project was ever read, in an earlier run or in this. */
  get hasData(): boolean {
    return this.#hasData;
  }

  /** How often a standby took the history over, ever; undefined while it is not known. */
  get takeovers(): number | undefined {
    return this.#takeovers;
  }

  /**
   * Records a reading; settles when it is written for good. Readings that come while others are being written share
   * the next commit.
   *
   * @returns checkpoints of the project that was polled, or of those a list brought back.
   * @throws HistoryError when it could not be written; nothing is lost but this reading.
   */
  async record(reading: Reading): Promise<readonly PollCheckpoint[]> {
    return (await this.#readings.add(reading)).checkpoints;
  }

  /** As `record`, for readings of the meter: answers what the next one goes on from. */
  async recordMeter(reading: Reading): Promise<MeterState | undefined> {
    return (await this.#readings.add(reading)).meter;
  }

  /**
   * Shows every calculation that comes over a channel, in place of the one shown before, once what was charged is
   * written. A later channel takes the place of an earlier one.
   */
  showUsage(calculations: MessagePort): void {
    this.#request({ kind: 'show_usage', calculations }, [calculations]);
  }

  /** Writes how fast the accounts may be asked, before the first of them is and after the last. */
  saveBudgets(): void {
    this.#request({ kind: 'save_budgets', budgets: this.#listeners.readBudgets() });
  }

  /** Writes what is still to be written, and ends the thread. */
  async close(): Promise<void> {
    while (this.#readings.isUnderWay) {
      await Promise.race([once(this.#worker, 'message'), this.failed]).catch(() => {});
    }
    this.#closing = true;
    if (this.#failure !== undefined) return void (await this.#worker.terminate());
    this.#assembling.fail(new Error('the history was closed'));
    this.saveBudgets();
    const exited = once(this.#worker, 'exit');
    this.#request({ kind: 'close' });
    await exited;
  }

  #fail(error: Error): void {
    this.#failure = error;
    this.#readings.fail(error);
    this.#assembling.fail(error);
    this.opening.fail(error);
    this.#failed.reject(error);
  }

  #knownAccount(account: string): StoredAccount {
    const known = this.#known.get(account);
    if (known === undefined) throw new Error(`account ${account} was not given to the history`);
    return known;
  }

  #assemble(format: Format): Promise<EncodedPage> {
    const assembled = this.#assembling.wait();
    this.#request({ kind: 'assemble', format });
    return assembled;
  }

  #publish({ snapshot, overviews, hasData, takeovers }: HistoryEvent & { readonly kind: 'published' }): void {
    this.#overviews = overviews;
    this.imports.note(overviews, Date.now());
    this.#hasData = hasData;
    this.#takeovers = takeovers;
    this.publication.publish(snapshot);
    const formats = this.publication.wanted();
    if (formats.join() === this.#wanted) return;
    this.#wanted = formats.join();
    this.#request({ kind: 'want', formats });
  }

  #request(request: HistoryRequest, transferred: readonly Transferable[] = []): void {
    this.#worker.postMessage(request, transferred);
  }

  #handle(event: HistoryEvent): void {
    switch (event.kind) {
      case 'readable':
        this.opening.noteReadable(event.ownerToken);
        break;
      case 'opened':
        if (event.setAside !== undefined) this.#listeners.onSetAside?.(event.setAside);
        if (event.isCopy) this.#listeners.onCopy?.('opened');
        if (event.newestBackupAt !== undefined) this.#listeners.onBackup?.(event.newestBackupAt, false);
        for (const known of event.accounts) this.#known.set(known.account, known);
        this.opening.noteDone();
        break;
      case 'refused':
        this.#closing = true;
        this.opening.fail(unpackError(event.error));
        break;
      case 'lost':
        this.#fail(unpackError(event.error));
        break;
      case 'recorded':
        this.#readings.settle(event.results);
        break;
      case 'published':
        this.#publish(event);
        break;
      case 'assembled':
        this.#assembling.answer(event.page);
        break;
      case 'usage_shown':
        this.#usageShown.resolve();
        break;
      case 'caught_up':
        this.#listeners.onCopy?.(event.kind);
        break;
      case 'backed_up':
        this.#listeners.onBackup?.(event.at, true);
        break;
      case 'clock_jumped':
        this.#listeners.onClockJump?.(event.jump);
        break;
      case 'recovered':
        this.#listeners.onRecovered?.(event.work);
        break;
      case 'failed':
        this.#listeners.onFailed(event.work, unpackError(event.error));
    }
  }
}
