import { refuseOtherShard } from '../history/history-source.ts';
import type { AccountSnapshot } from '../history/snapshot/known-account.ts';
import { StandbyHistory } from '../history/standby-history.ts';
import type { Calculation } from '../report/usage-view/calculator.ts';
import { secondMs } from '../resources/duration.ts';
import type { Told } from '../thread/link.ts';
import type { HistoryApi, HistoryOwner, HistoryWorkerOptions, OpenedHistory } from './history-api.ts';
import { PageKeeper } from './page-keeper.ts';

/** The history is looked at so often; that of a large fleet, which takes long to read, less often. */
const shortestRestMs = 5 * secondMs;
const restPerWork = 19;

/** Shows the history of another daemon: reads it now and again, and writes nothing. */
export class StandbyService extends PageKeeper implements HistoryApi {
  readonly #options: HistoryWorkerOptions;
  #history: StandbyHistory | undefined;
  /** When the snapshot that is shown was read, in epoch milliseconds. */
  #readAt = Date.now();
  /** The projects that are on the page, by account; a history that is opened again knows nothing of the ones that went. */
  readonly #shown = new Map<string, ReadonlySet<string>>();
  #look: NodeJS.Timeout | undefined;
  #isFailing = false;

  /** @throws HistoryError when it is that of another shard. */
  constructor(options: HistoryWorkerOptions, owner: Told<HistoryOwner>) {
    super(options, owner);
    this.#options = options;
    refuseOtherShard(options.file, options.shard);
  }

  ownerToken(): undefined {}

  /** Shows what can be read; a history that cannot be read yet is tried again, and nothing is shown meanwhile. */
  open(): OpenedHistory {
    const nothing = { snapshot: [], hasData: false, takeovers: undefined, publishedAt: this.#readAt };
    this.publish({ ...nothing, startedMs: performance.now() });
    this.#tryPublish(true);
    return { setAside: undefined, isCopy: false, newestBackupAt: undefined, accounts: [] };
  }

  /** Shows what was written since. */
  keepUp(): void {
    clearTimeout(this.#look);
    const startedMs = performance.now();
    this.#tryPublish(false);
    const workedMs = performance.now() - startedMs;
    this.#look = setTimeout(() => this.keepUp(), Math.max(shortestRestMs, restPerWork * workedMs));
  }

  /** Nothing is read. */
  commit(): readonly [] {
    return [];
  }

  /** What the other daemon may ask is for that one to write. */
  saveBudgets(): void {}

  override async close(): Promise<void> {
    await super.close();
    clearTimeout(this.#look);
    this.#history?.close();
  }

  protected override showUsage(calculation: Calculation): void {
    this.putUsage(calculation);
    this.#tryPublish(true);
  }

  /** @param isNew whether there is something to show besides what the other daemon wrote. */
  #tryPublish(isNew: boolean): void {
    try {
      this.#history ??= new StandbyHistory(this.#options);
      const isWritten = this.#history.wasWritten();
      if (isWritten) this.#readAt = Date.now();
      if (isWritten || isNew) this.#publishSnapshot(this.#history);
      if (this.#isFailing) this.owner.onRecovered('publication');
      this.#isFailing = false;
    } catch (error) {
      this.#isFailing = true;
      this.#history?.close();
      this.#history = undefined;
      this.owner.onFailed('publication', error instanceof Error ? error : new Error(String(error)));
    }
  }

  #publishSnapshot(history: StandbyHistory): void {
    const startedMs = performance.now();
    this.publish({
      snapshot: history.snapshot(this.#readAt).map(each => this.#withGone(each)),
      hasData: history.hasData(),
      takeovers: history.takeovers(),
      publishedAt: this.#readAt,
      startedMs,
    });
  }

  #withGone(changes: AccountSnapshot): AccountSnapshot {
    const { account } = changes.account;
    const gone = [...(this.#shown.get(account) ?? [])].filter(id => !changes.projects.has(id));
    const projects = new Map([...changes.projects, ...gone.map(id => [id, undefined] as const)]);
    const shown = [...projects].flatMap(([id, view]) => (view === undefined ? [] : [id]));
    this.#shown.set(account, new Set(shown));
    return { ...changes, projects };
  }
}
