import type { MessagePort } from 'node:worker_threads';
import { openOrBeginAnew, type SetAside } from '../history/file/damaged-file.ts';
import { HistoryTakenOver } from '../history/file/history-error.ts';
import { History } from '../history/history.ts';
import { trySalvage } from '../history/salvage/saved-history.ts';
import type { Format } from '../metrics/page/exposition.ts';
import { PageSet } from '../metrics/page/page-set.ts';
import type { PageSnapshot } from '../metrics/publication/publication.ts';
import { Publisher } from '../metrics/publication/publisher.ts';
import { catalog } from '../resources/catalog.ts';
import { minuteMs } from '../resources/duration.ts';
import { selectFamilies } from '../resources/series/family-selection.ts';
import type { Calculation } from '../usage/calculator.ts';
import { BudgetSaving } from './budget-saving.ts';
import type {
  BackgroundWork,
  HistoryEvent,
  HistoryRequest,
  HistoryWorkerOptions,
} from './history-message.ts';
import { packError } from './sent-error.ts';

/** Projects that change often drift apart as others begin to: moving them together again renders much of the page. */
const rearrangeEveryMs = 5 * minuteMs;

/** Upkeep goes on in small steps while there is more of it, with time for readings in between, and then rests. */
const upkeepPauseMs = 20;
const upkeepRestMs = minuteMs;

/** Hands an event to the daemon, with memory that goes over with it. */
export type PostHistoryEvent = (event: HistoryEvent, transferred?: readonly ArrayBuffer[]) => void;

/** Keeps the history and the page over it, and answers what the daemon asks of them. */
export class HistoryService {
  readonly #post: PostHistoryEvent;
  readonly #accounts: readonly string[];
  readonly #history: History;
  /** A damaged history that was set aside by this start. */
  readonly #setAside: SetAside | undefined;
  readonly #pages: PageSet;
  readonly #publisher = new Publisher(
    () => this.#publish(),
    error => {
      this.#history.showAgain();
      this.#fail('publication', error);
    },
  );
  #wanted: readonly Format[] = [];
  #rearrangedMs = performance.now();
  #upkeep: NodeJS.Timeout | undefined;
  /** The instant that upkeep under way goes by. */
  #upkeepAt: number | undefined;
  #calculations: MessagePort | undefined;
  readonly #budgets = new BudgetSaving(budgets =>
    this.#do('budgets', () => this.#history.saveBudgets(budgets)),
  );
  readonly #failing = new Set<BackgroundWork>();

  /** @throws HistoryError when the history cannot be used. */
  constructor(options: HistoryWorkerOptions, post: PostHistoryEvent) {
    this.#post = post;
    this.#accounts = options.accounts;
    const { opened, setAside } = openOrBeginAnew(options.file, {
      open: () => new History(options),
      save: trySalvage,
      now: Date.now(),
    });
    this.#history = opened;
    this.#setAside = setAside;
    if (setAside !== undefined) opened.noteSetAside(setAside);
    const { selection, seriesLimit = 0 } = options;
    this.#pages = new PageSet(selectFamilies(catalog, selection), { seriesLimit });
  }

  open(): void {
    this.#publisher.publish();
    this.#post({
      kind: 'opened',
      setAside: this.#setAside ?? this.#history.setAside(),
      accounts: this.#accounts.map(account => ({
        account,
        projects: [...this.#history.knownProjects(account)],
        budget: this.#history.budget(account),
        skewMs: this.#history.clockSkewMs(account),
        meter: this.#history.meterState(account),
      })),
    });
  }

  /** Does upkeep now and again, by the service's clock; work that failed is tried again: a disk that is full may have room later. */
  keepUp(): void {
    clearTimeout(this.#upkeep);
    let isMore = false;
    this.#do('upkeep', () => {
      isMore = this.#doUpkeep();
    });
    this.#upkeep = setTimeout(() => this.keepUp(), isMore ? upkeepPauseMs : upkeepRestMs);
  }

  /** @returns whether there may be more of it; until there is not, it goes by the same instant. */
  #doUpkeep(): boolean {
    if (this.#upkeepAt === undefined) {
      const { at, jump } = this.#history.followClock(performance.now());
      if (jump !== undefined) this.#post({ kind: 'clock_jumped', jump });
      this.#upkeepAt = at;
    }
    const isMore = this.#upkeepAt !== undefined && this.#history.upkeep(this.#upkeepAt);
    if (!isMore) this.#upkeepAt = undefined;
    return isMore;
  }

  serve(request: Exclude<HistoryRequest, { readonly kind: 'close' }>): void {
    switch (request.kind) {
      case 'record':
        this.#record(request);
        break;
      case 'save_budgets':
        this.#budgets.save(request.budgets);
        break;
      case 'show_usage':
        this.#followUsage(request.calculations);
        break;
      case 'want':
        this.#wanted = request.formats;
        break;
      case 'assemble': {
        const page = this.#pages.assemble(request.format);
        this.#post({ kind: 'assembled', page }, [page.gzip.buffer]);
        break;
      }
      case 'recycle':
        this.#pages.recycle(request.memory);
        break;
    }
  }

  /** Ends everything; request budgets that are still to be saved get a last chance. */
  async close(): Promise<void> {
    this.#publisher.stop();
    this.#calculations?.close();
    clearTimeout(this.#upkeep);
    await this.#budgets.close();
    this.#history.close();
  }

  #record({ readings, budgets }: HistoryRequest & { readonly kind: 'record' }): void {
    const recorded = this.#tryRecord(readings, budgets);
    if (recorded === undefined) return;
    const results = recorded.map(each => ('error' in each ? { error: packError(each.error) } : each));
    this.#post({ kind: 'recorded', results });
    this.#publisher.request();
    // The readings may have been lost with the whole transaction, and the budgets with them.
    const isLost = results.every(result => 'error' in result);
    if (isLost || this.#budgets.isBehind) this.#budgets.saveSoon(budgets);
  }

  /** @returns undefined when nothing can be recorded any more. */
  #tryRecord(...asked: Parameters<History['recordAll']>): ReturnType<History['recordAll']> | undefined {
    try {
      return this.#history.recordAll(...asked);
    } catch (error) {
      if (!(error instanceof HistoryTakenOver)) throw error;
      this.#post({ kind: 'lost', work: 'readings', error: packError(error) });
      return undefined;
    }
  }

  /** One worker follows another when that ended, over a channel of its own. */
  #followUsage(calculations: MessagePort): void {
    this.#calculations?.close();
    this.#calculations = calculations;
    calculations.on('message', (calculation: Calculation) => this.#showUsage(calculation));
  }

  #showUsage({ view, accruals }: Calculation): void {
    // A cost that is shown but not written could be lower after a restart.
    if (this.#do('accruals', () => this.#history.saveAccruals(accruals))) {
      this.#pages.putUsage(view);
      this.#publisher.attempt();
    }
    this.#post({ kind: 'usage_shown' });
  }

  #publish(): void {
    const startedAt = performance.now();
    const publishedAt = Date.now();
    const changes = this.#history.changes(publishedAt);
    for (const { account, projects } of changes) {
      this.#pages.putAccount(account.account, account);
      for (const [project_id, view] of projects) this.#pages.putProject(account.account, project_id, view);
    }
    if (startedAt - this.#rearrangedMs >= rearrangeEveryMs) {
      this.#rearrangedMs = startedAt;
      this.#pages.rearrange();
    }
    const revision = this.#pages.publish();
    const pages = this.#wanted.map(format => this.#pages.assemble(format));
    const snapshot: PageSnapshot = {
      ...revision,
      publishedAt,
      durationMs: performance.now() - startedAt,
      pages,
    };
    const overviews = changes.map(({ overview }) => overview);
    const transferred = pages.map(({ gzip }) => gzip.buffer);
    this.#post({ kind: 'published', snapshot, overviews, hasData: this.#history.hasData() }, transferred);
    this.#succeed('publication');
  }

  /** @returns whether it was done. */
  #do(work: BackgroundWork, act: () => void): boolean {
    try {
      act();
      this.#succeed(work);
      return true;
    } catch (error) {
      this.#fail(work, error);
      return false;
    }
  }

  #fail(work: BackgroundWork, error: unknown): void {
    this.#failing.add(work);
    const kind = error instanceof HistoryTakenOver ? 'lost' : 'failed';
    this.#post({ kind, work, error: packError(error) });
  }

  #succeed(work: BackgroundWork): void {
    if (this.#failing.delete(work)) this.#post({ kind: 'recovered', work });
  }
}
