import type { MessagePort } from 'node:worker_threads';
import type { AccountChanges } from '../history/history.ts';
import { refuseOtherShard } from '../history/record/shard-record.ts';
import { StandbyHistory } from '../history/standby-history.ts';
import type { Calculation } from '../report/usage/calculator.ts';
import { secondMs } from '../resources/duration.ts';
import { Link } from '../thread/link.ts';
import { packError } from '../thread/sent-error.ts';
import type { HistoryRequest, HistoryWorkerOptions } from './history-message.ts';
import { PageKeeper, type PostHistoryEvent } from './page-keeper.ts';
import type { UsageDisplay } from './usage-worker.ts';

/** The history is looked at so often; that of a large fleet, which takes long to read, less often. */
const shortestRestMs = 5 * secondMs;
const restPerWork = 19;

/** Shows the history of another daemon: reads it now and again, and writes nothing. */
export class StandbyService {
  readonly #post: PostHistoryEvent;
  readonly #options: HistoryWorkerOptions;
  readonly #keeper: PageKeeper;
  #history: StandbyHistory | undefined;
  /** When the last moment of the history that is shown was read, in epoch milliseconds. */
  #readAt = Date.now();
  /** The projects that are on the page, by account; a history that is opened again knows nothing of those that went. */
  readonly #shown = new Map<string, ReadonlySet<string>>();
  #look: NodeJS.Timeout | undefined;
  #calculations: MessagePort | undefined;
  #isFailing = false;

  constructor(options: HistoryWorkerOptions, post: PostHistoryEvent) {
    this.#post = post;
    this.#options = options;
    this.#keeper = new PageKeeper(options, post);
  }

  /**
   * Shows what can be read; a history that cannot be read yet is tried again, and nothing is shown meanwhile.
   *
   * @throws HistoryError when it is that of another shard.
   */
  open(): void {
    refuseOtherShard(this.#options.file, this.#options.shard);
    const nothing = { changes: [], hasData: false, takeovers: undefined, publishedAt: this.#readAt };
    this.#keeper.publish({ ...nothing, startedMs: performance.now() });
    this.#tryPublish(true);
    this.#post({
      kind: 'opened',
      setAside: undefined,
      isCopy: false,
      newestBackupAt: undefined,
      accounts: [],
    });
  }

  /** Shows what was written since. */
  keepUp(): void {
    clearTimeout(this.#look);
    const startedMs = performance.now();
    this.#tryPublish(false);
    const workedMs = performance.now() - startedMs;
    this.#look = setTimeout(() => this.keepUp(), Math.max(shortestRestMs, restPerWork * workedMs));
  }

  serve(request: Exclude<HistoryRequest, { readonly kind: 'close' }>): void {
    switch (request.kind) {
      case 'record':
      case 'save_budgets':
        // Nothing is read, and what the other daemon may ask is for that one to write.
        break;
      case 'show_usage':
        this.#followUsage(request.calculations);
        break;
      default:
        this.#keeper.serve(request);
    }
  }

  async close(): Promise<void> {
    this.#calculations?.close();
    clearTimeout(this.#look);
    this.#history?.close();
  }

  #followUsage(calculations: MessagePort): void {
    this.#calculations?.close();
    this.#calculations = calculations;
    new Link(
      calculations,
      () => ({ showUsage: calculation => this.#showUsage(calculation) }) satisfies UsageDisplay,
    );
  }

  #showUsage(calculation: Calculation): void {
    this.#keeper.putUsage(calculation);
    this.#tryPublish(true);
    this.#post({ kind: 'usage_shown' });
  }

  /** @param isNew whether there is something to show besides what the other daemon wrote. */
  #tryPublish(isNew: boolean): void {
    try {
      this.#history ??= new StandbyHistory(this.#options);
      const isWritten = this.#history.wasWritten();
      if (isWritten) this.#readAt = Date.now();
      if (isWritten || isNew) this.#publish(this.#history);
      if (this.#isFailing) this.#post({ kind: 'recovered', work: 'publication' });
      this.#isFailing = false;
    } catch (error) {
      this.#isFailing = true;
      this.#history?.close();
      this.#history = undefined;
      this.#post({ kind: 'failed', work: 'publication', error: packError(error) });
    }
  }

  #publish(history: StandbyHistory): void {
    const startedMs = performance.now();
    const changes = history.changes(this.#readAt).map(each => this.#withGone(each));
    this.#keeper.publish({
      changes,
      hasData: history.hasData(),
      takeovers: history.takeovers(),
      publishedAt: this.#readAt,
      startedMs,
    });
  }

  #withGone(changes: AccountChanges): AccountChanges {
    const { account } = changes.account;
    const gone = [...(this.#shown.get(account) ?? [])].filter(id => !changes.projects.has(id));
    const projects = new Map([...changes.projects, ...gone.map(id => [id, undefined] as const)]);
    const shown = [...projects].flatMap(([id, view]) => (view === undefined ? [] : [id]));
    this.#shown.set(account, new Set(shown));
    return { ...changes, projects };
  }
}
