import type { MessagePort } from 'node:worker_threads';
import type { SetAside } from '../history/file/damaged-file.ts';
import type { KnownProject } from '../history/history.ts';
import { Publication } from '../metrics/publication/publication.ts';
import type { MeterState, PollCheckpoint, Reading } from '../resources/reading.ts';
import { transfer } from '../thread/link.ts';
import { isNamed } from '../thread/sent-error.ts';
import { startWorker, type Thread } from '../thread/worker.ts';
import { type CommittedListener, ReadingBatch } from './committed-reading.ts';
import type {
  CommitOutcome,
  HistoryApi,
  HistoryListeners,
  HistoryOwner,
  HistoryWorkerOptions,
  PublishedPage,
  RequestBudgets,
  StoredAccount,
} from './history-api.ts';
import { ImportBegins } from './import-begin.ts';

/** Rendering leaves small and short-lived objects behind: collected often, they never take much memory. */
const maxYoungGenerationSizeMb = 8;
const endedSentence = 'the thread that keeps the history ended: start dbpm-exporter again';

/** The daemon as it is told things of the history, and asked. */
interface HistoryClientOptions extends HistoryListeners {
  /** How fast the accounts may be asked now, to be written beside the next readings. */
  readBudgets(): RequestBudgets;
  readonly onCommitted?: CommittedListener;
  /** Told of the damaged history in whose place this one was begun last. */
  onSetAside?(setAside: SetAside): void;
}

/** The daemon's end of the thread that keeps the history and the page over it. */
export class HistoryClient {
  readonly #failed = Promise.withResolvers<never>();
  /** Rejects when the thread ends by itself or loses the history: nothing can be committed any more. */
  readonly failed = this.#failed.promise;
  /** Resolves when all that was known is published. */
  readonly opened: Promise<void>;
  readonly #usageShown = Promise.withResolvers<void>();
  /** Resolves when use and cost were shown for the first time, or could not be written. */
  readonly usageShown = this.#usageShown.promise;
  readonly publication = new Publication({
    assemble: format => this.#thread.ask.assemble(format),
    recycle: memory => this.#thread.tell.recycle(transfer(memory, [memory])),
    now: () => performance.now(),
  });
  readonly #thread: Thread<HistoryApi>;
  readonly #options: HistoryClientOptions;
  readonly #owned: Promise<string | undefined>;
  #ownerToken: string | undefined;
  readonly #known = new Map<string, StoredAccount>();
  #wanted = '';
  #shown: Omit<PublishedPage, 'page'> = { overviews: [], hasData: false, takeovers: undefined };
  readonly imports = new ImportBegins();
  #newestBackupAt: number | undefined;
  readonly #readings: ReadingBatch;
  #isClosing = false;

  private constructor(settings: HistoryWorkerOptions, options: HistoryClientOptions) {
    this.#options = options;
    // It may be waited for nowhere.
    this.failed.catch(() => {});
    this.#readings = new ReadingBatch(
      readings => this.#commit(readings),
      (reading, implausible) => options.onCommitted?.(reading, implausible),
    );
    const listeners: HistoryOwner = {
      ...options,
      onBackup: (at, isNew) => this.#noteBackup(at, isNew),
      onPublished: page => this.#publish(page),
      onUsageShown: () => this.#usageShown.resolve(),
      onLost: error => this.#fail(error),
    };
    this.#thread = startWorker<HistoryApi>(new URL('./history-service.ts', import.meta.url), {
      ...{ data: settings, listeners, ended: endedSentence },
      resourceLimits: { maxYoungGenerationSizeMb },
    });
    void this.#thread.ended.then(error => {
      if (!this.#isClosing) this.#fail(error);
    });
    // Asked first: it is known as soon as the history is open, long before the page is made.
    this.#owned = this.#thread.ask.ownerToken();
    this.opened = this.#open();
    this.opened.catch(() => {});
  }

  /**
   * Opens the history, which others may read from then on, and goes on to publish what it knows.
   *
   * @throws HistoryError when the history cannot be used.
   */
  static async start(settings: HistoryWorkerOptions, options: HistoryClientOptions): Promise<HistoryClient> {
    const client = new HistoryClient(settings, options);
    client.#ownerToken = await client.#owned;
    return client;
  }

  /** By which the history says that it is this daemon's; undefined for a standby. */
  get ownerToken(): string | undefined {
    return this.#ownerToken;
  }

  /** What an earlier run left of an account. */
  known(account: string): StoredAccount {
    const known = this.#known.get(account);
    if (known === undefined) throw new Error(`account ${account} was not given to the history`);
    return known;
  }

  /** The projects an earlier run knew. They are handed over once: the poller that takes them has newer ones soon. */
  takeProjects(account: string): readonly KnownProject[] {
    const known = this.known(account);
    this.#known.set(account, { ...known, projects: [] });
    return known.projects;
  }

  /** What the history held when it was published last; nothing before. */
  get shown(): Omit<PublishedPage, 'page'> {
    return this.#shown;
  }

  /** When the newest backup was made, in epoch milliseconds; undefined where there is none. */
  get newestBackupAt(): number | undefined {
    return this.#newestBackupAt;
  }

  /**
   * Commits a reading; settles when it is written for good. Readings that come while others are being written share
   * the next commit.
   *
   * @returns checkpoints of the project that was polled, or of those a list brought back.
   * @throws HistoryError when it could not be written; nothing is lost but this reading.
   */
  async commit(reading: Reading): Promise<readonly PollCheckpoint[]> {
    return (await this.#readings.add(reading)).checkpoints;
  }

  /** As `commit`, for readings of the meter: answers what the next one goes on from. */
  async commitMeter(reading: Reading): Promise<MeterState | undefined> {
    return (await this.#readings.add(reading)).meter;
  }

  /**
   * Shows every calculation that comes over a channel, in place of the one shown before, once what was charged is
   * written. A later channel takes the place of an earlier one.
   */
  showUsage(calculations: MessagePort): void {
    this.#thread.tell.followUsage(transfer(calculations, [calculations]));
  }

  /** Writes how fast the accounts may be asked, before the first of them is and after the last. */
  saveBudgets(): void {
    this.#thread.tell.saveBudgets(this.#options.readBudgets());
  }

  /** Writes what is still to be written, and ends the thread. */
  async close(): Promise<void> {
    await this.#readings.settled();
    this.#isClosing = true;
    this.saveBudgets();
    // One that has failed writes nothing any more.
    await this.#thread.ask.close().catch(() => {});
    await this.#thread.close();
  }

  async #open(): Promise<void> {
    const opened = this.#thread.ask.open();
    this.#thread.tell.begin();
    const { setAside, isCopy, newestBackupAt, accounts } = await opened;
    if (setAside !== undefined) this.#options.onSetAside?.(setAside);
    if (isCopy) this.#options.onCopy?.('opened');
    if (newestBackupAt !== undefined) this.#noteBackup(newestBackupAt, false);
    for (const known of accounts) this.#known.set(known.account, known);
  }

  #noteBackup(at: number, isNew: boolean): void {
    this.#newestBackupAt = at;
    this.#options.onBackup?.(at, isNew);
  }

  async #commit(readings: readonly Reading[]): Promise<readonly CommitOutcome[]> {
    try {
      return await this.#thread.ask.commit(readings, this.#options.readBudgets());
    } catch (error) {
      if (this.#thread.failure === undefined) {
        // What is known may be half of what was read: only a history that is opened again is right.
        this.#fail(isNamed(error, 'HistoryTakenOver') ? error : new Error(endedSentence, { cause: error }));
      }
      throw this.#thread.failure ?? error;
    }
  }

  #fail(error: Error): void {
    this.#thread.fail(error);
    this.#failed.reject(error);
  }

  #publish({ page, ...shown }: PublishedPage): void {
    this.#shown = shown;
    this.imports.note(shown.overviews, Date.now());
    this.publication.publish(page);
    const formats = this.publication.wanted();
    if (formats.join() === this.#wanted) return;
    this.#wanted = formats.join();
    this.#thread.tell.want(formats);
  }
}
