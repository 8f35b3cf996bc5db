import type { BackupPlan } from '../history/file/backup.ts';
import type { SetAside } from '../history/file/damaged-file.ts';
import { HistoryTakenOver } from '../history/file/history-error.ts';
import type { History } from '../history/history.ts';
import { openWhole } from '../history/whole-opening.ts';
import { Publisher } from '../metrics/publication/publisher.ts';
import type { Calculation } from '../report/usage-view/calculator.ts';
import { minuteMs } from '../resources/duration.ts';
import type { Reading } from '../resources/reading.ts';
import type { Link, Told } from '../thread/link.ts';
import { packError } from '../thread/sent-error.ts';
import { BackupKeeping } from './backup-keeping.ts';
import { BudgetSaving } from './budget-saving.ts';
import { CatchUp } from './catch-up.ts';
import type {
  BackgroundWork,
  CommitOutcome,
  HistoryApi,
  HistoryOwner,
  HistoryWorkerOptions,
  OpenedHistory,
  RequestBudgets,
} from './history-api.ts';
import { PageKeeper } from './page-keeper.ts';
import { StandbyService } from './standby-service.ts';

/** Upkeep goes on in small steps while there is more of it, with time for readings in between, and then rests. */
const upkeepPauseMs = 20;
const upkeepRestMs = minuteMs;
/** A look at when the newest backup was made reads their folder. */
const backupLookMs = minuteMs;

/** Keeps the history and the page over it, and answers what the daemon asks of them. */
export class HistoryService extends PageKeeper implements HistoryApi {
  readonly #accounts: readonly string[];
  readonly #history: History;
  /** A damaged history that was set aside by this start. */
  readonly #setAside: SetAside | undefined;
  /** It rises when another daemon takes the history, which ends this one. */
  readonly #takeovers: number;
  /** Absent where the history is no copy, or was wholly read again. */
  #catchUp: CatchUp | undefined;
  readonly #publisher = new Publisher(
    () => this.#publishSnapshot(),
    error => {
      this.#history.showAgain();
      this.#fail('publication', error);
    },
  );
  #upkeep: NodeJS.Timeout | undefined;
  /** The instant that upkeep under way goes by. */
  #upkeepAt: number | undefined;
  readonly #budgets = new BudgetSaving(budgets =>
    this.#do('budgets', () => this.#history.saveBudgets(budgets)),
  );
  readonly #backups: BackupKeeping | undefined;
  #backupLook: NodeJS.Timeout | undefined;
  readonly #failing = new Set<BackgroundWork>();

  /** @throws HistoryError when the history cannot be used. */
  constructor(options: HistoryWorkerOptions, owner: Told<HistoryOwner>) {
    super(options, owner);
    this.#accounts = options.accounts;
    const { opened, setAside } = openWhole(options, Date.now());
    this.#history = opened;
    this.#setAside = setAside;
    this.#takeovers = opened.takeovers();
    if (options.backup !== undefined) this.#backups = this.#keepBackups(options.file, options.backup);
    if (opened.isCopy()) this.#catchUp = new CatchUp(Date.now(), options.accounts, options.collectors);
  }

  ownerToken(): string {
    return this.#history.ownerToken;
  }

  open(): OpenedHistory {
    this.#publisher.publish();
    return {
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
    };
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
          this.owner.onBackup(at, true);
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
      if (jump !== undefined) this.owner.onClockJump(jump);
      this.#upkeepAt = at;
    }
    const isMore = this.#upkeepAt !== undefined && this.#history.upkeep(this.#upkeepAt);
    if (!isMore) this.#upkeepAt = undefined;
    return isMore;
  }

  commit(readings: readonly Reading[], budgets: RequestBudgets): readonly CommitOutcome[] {
    const committed = this.#history.commit(readings, budgets);
    this.#publisher.request();
    // The readings may have been lost with the whole transaction, and the budgets with them.
    const isLost = committed.every(each => 'error' in each);
    if (isLost || this.#budgets.isBehind) this.#budgets.saveSoon(budgets);
    return committed.map(each => ('error' in each ? { error: packError(each.error) } : each));
  }

  saveBudgets(budgets: RequestBudgets): void {
    this.#budgets.save(budgets);
  }

  /** Ends everything; request budgets that are still to be saved get a last chance. */
  override async close(): Promise<void> {
    await super.close();
    this.#publisher.stop();
    clearTimeout(this.#upkeep);
    clearInterval(this.#backupLook);
    await this.#backups?.close();
    await this.#budgets.close();
    this.#history.close();
  }

  protected override showUsage(calculation: Calculation): void {
    // A cost that is shown but not written could be lower after a restart.
    if (!this.#do('accruals', () => this.#history.saveAccruals(calculation.accruals))) return;
    // The cost that a copy knows may be less than was shown last.
    if (this.#catchUp === undefined) this.putUsage(calculation);
    this.#publisher.attempt();
  }

  #publishSnapshot(): void {
    const startedMs = performance.now();
    const publishedAt = Date.now();
    const snapshot = this.#history.snapshot(publishedAt);
    const shown = this.#catchUp?.filter(snapshot, publishedAt) ?? snapshot;
    if (this.#catchUp?.isOver) this.#endCatchUp();
    this.publish({
      snapshot: shown,
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
    this.owner.onCopy('caught_up');
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
    const told = error instanceof Error ? error : new Error(String(error));
    if (told instanceof HistoryTakenOver) this.owner.onLost(told);
    else this.owner.onFailed(work, told);
  }

  #succeed(work: BackgroundWork): void {
    if (this.#failing.delete(work)) this.owner.onRecovered(work);
  }
}

/**
 * The history and the page over it. Without a thread of their own, scrapes and requests to the service would wait for a disk that
 * is slow to commit, and for rendering and compression.
 *
 * @throws HistoryError when the history cannot be used.
 */
export function serve(options: HistoryWorkerOptions, { tell }: Link<HistoryOwner>): HistoryApi {
  return options.isStandby ? new StandbyService(options, tell) : new HistoryService(options, tell);
}
