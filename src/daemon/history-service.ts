import type { MessagePort } from 'node:worker_threads';
import type { SetAside } from '../history/file/damaged-file.ts';
import { HistoryTakenOver } from '../history/file/history-error.ts';
import type { BackupPlan } from '../history/file/kept-backup.ts';
import type { History } from '../history/history.ts';
import { openWhole } from '../history/whole-opening.ts';
import { Publisher } from '../metrics/publication/publisher.ts';
import type { Calculation } from '../report/usage/calculator.ts';
import { minuteMs } from '../resources/duration.ts';
import { Link } from '../thread/link.ts';
import { packError } from '../thread/sent-error.ts';
import { BackupKeeping } from './backup-keeping.ts';
import { BudgetSaving } from './budget-saving.ts';
import { CatchUp } from './catch-up.ts';
import type { BackgroundWork, HistoryRequest, HistoryWorkerOptions } from './history-message.ts';
import { PageKeeper, type PostHistoryEvent } from './page-keeper.ts';
import type { UsageDisplay } from './usage-worker.ts';

/** Upkeep goes on in small steps while there is more of it, with time for readings in between, and then rests. */
const upkeepPauseMs = 20;
const upkeepRestMs = minuteMs;
/** A look at when the newest backup was made reads their folder. */
const backupLookMs = minuteMs;

/** Keeps the history and the page over it, and answers what the daemon asks of them. */
export class HistoryService {
  readonly #post: PostHistoryEvent;
  readonly #accounts: readonly string[];
  readonly #history: History;
  /** A damaged history that was set aside by this start. */
  readonly #setAside: SetAside | undefined;
  readonly #keeper: PageKeeper;
  /** It rises when another daemon takes the history, which ends this one. */
  readonly #takeovers: number;
  /** Absent where the history is no copy, or was wholly read again. */
  #catchUp: CatchUp | undefined;
  readonly #publisher = new Publisher(
    () => this.#publish(),
    error => {
      this.#history.showAgain();
      this.#fail('publication', error);
    },
  );
  #upkeep: NodeJS.Timeout | undefined;
  /** The instant that upkeep under way goes by. */
  #upkeepAt: number | undefined;
  #calculations: MessagePort | undefined;
  readonly #budgets = new BudgetSaving(budgets =>
    this.#do('budgets', () => this.#history.saveBudgets(budgets)),
  );
  readonly #backups: BackupKeeping | undefined;
  #backupLook: NodeJS.Timeout | undefined;
  readonly #failing = new Set<BackgroundWork>();

  /** @throws HistoryError when the history cannot be used. */
  constructor(options: HistoryWorkerOptions, post: PostHistoryEvent) {
    this.#post = post;
    this.#accounts = options.accounts;
    const { opened, setAside } = openWhole(options, Date.now());
    this.#history = opened;
    this.#setAside = setAside;
    this.#keeper = new PageKeeper(options, post);
    this.#takeovers = opened.takeovers();
    if (options.backup !== undefined) this.#backups = this.#keepBackups(options.file, options.backup);
    if (opened.isCopy()) this.#catchUp = new CatchUp(Date.now(), options.accounts, options.collectors);
  }

  open(): void {
    this.#post({ kind: 'readable', ownerToken: this.#history.ownerToken });
    this.#publisher.publish();
    this.#post({
      kind: 'opened',
      setAside: this.#setAside ?? this.#history.setAside(),
      isCopy: this.#catchUp !== undefined,
      newestBackupAt: this.#backups?.newestAt(),
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

  #keepBackups(file: string, plan: BackupPlan): BackupKeeping {
    const keeping = new BackupKeeping(
      file,
      plan,
      {
        onMade: at => {
          this.#post({ kind: 'backed_up', at });
          this.#succeed('backup');
        },
        onFailed: error => this.#fail('backup', error),
      },
      performance.now(),
    );
    this.#backupLook = setInterval(() => keeping.keepUp(Date.now(), performance.now()), backupLookMs);
    return keeping;
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
      default:
        this.#keeper.serve(request);
    }
  }

  /** Ends everything; request budgets that are still to be saved get a last chance. */
  async close(): Promise<void> {
    this.#publisher.stop();
    this.#calculations?.close();
    clearTimeout(this.#upkeep);
    clearInterval(this.#backupLook);
    await this.#backups?.close();
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
    new Link(
      calculations,
      () => ({ showUsage: calculation => this.#showUsage(calculation) }) satisfies UsageDisplay,
    );
  }

  #showUsage(calculation: Calculation): void {
    // A cost that is shown but not written could be lower after a restart.
    if (this.#do('accruals', () => this.#history.saveAccruals(calculation.accruals))) {
      // The cost that a copy knows may be less than was shown last.
      if (this.#catchUp === undefined) this.#keeper.putUsage(calculation);
      this.#publisher.attempt();
    }
    this.#post({ kind: 'usage_shown' });
  }

  #publish(): void {
    const startedMs = performance.now();
    const publishedAt = Date.now();
    const catchUp = this.#catchUp;
    const changes = this.#history.changes(publishedAt);
    const shown = catchUp?.filter(changes, publishedAt) ?? changes;
    if (catchUp?.isOver) this.#endCatchUp();
    this.#keeper.publish({
      changes: shown,
      ...(catchUp && { hides: account => !catchUp.shows(account) }),
      hasData: this.#history.hasData(),
      takeovers: this.#takeovers,
      publishedAt,
      startedMs,
    });
    this.#succeed('publication');
  }

  #endCatchUp(): void {
    this.#history.endCopy();
    this.#catchUp = undefined;
    this.#post({ kind: 'caught_up' });
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
