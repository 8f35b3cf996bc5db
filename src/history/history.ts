import type { CostAccrual } from '../resources/cost-accrual.ts';
import { compact } from '../resources/field.ts';
import type { Project } from '../resources/project.ts';
import type { MeterState, PollCheckpoint, Reading } from '../resources/reading.ts';
import type { RequestBudgetState } from '../resources/request-budget.ts';
import { accountOf, enrolAccounts } from './commit/account-enrolment.ts';
import { Commit, type Committed } from './commit/commit.ts';
import { ReadingCommit } from './commit/reading-commit.ts';
import { readSetAside, recordSetAside, storedAccruals, storedBudgets } from './commit/restart-state.ts';
import { WordRegister } from './commit/word-register.ts';
import type { SetAside } from './file/damaged-file.ts';
import { type OpenDatabase, openDatabase } from './file/database.ts';
import { HistoryError, unusable } from './file/history-error.ts';
import { Owner } from './file/owner.ts';
import type { HistoryOptions } from './history-options.ts';
import { claimForShard, refuseOther } from './history-source.ts';
import { type AccountSnapshot, type KnownAccount, snapshot } from './snapshot/known-account.ts';
import { checkpointOf } from './snapshot/stored-project.ts';
import { type ClockJump, ConfirmedClock } from './upkeep/confirmed-clock.ts';
import { keepAll } from './upkeep/retention.ts';
import { Upkeep } from './upkeep/upkeep.ts';

/** A project of an earlier run, with the checkpoint its next poll continues from. */
export interface KnownProject {
  readonly project: Project;
  readonly checkpoint: PollCheckpoint;
}

/** The daemon's memory across restarts and crashes: every reading, and the counters over them. */
export class History {
  readonly #options: HistoryOptions;
  readonly #open: OpenDatabase;
  readonly #commit: Commit;
  readonly #accounts: ReadonlyMap<string, KnownAccount>;
  readonly #budgets;
  readonly #accruals;
  readonly #readings: ReadingCommit;
  readonly #upkeep: Upkeep;
  readonly #clock: ConfirmedClock;

  /** @throws HistoryError when the file cannot be used; its message says what to do. */
  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#open = openDatabase(options.file, {
      ...{ beats: true, takeover: options.takeover, isCopy: options.isCopy },
      refuse: database => refuseOther(database, options.file, options.shard),
    });
    const { database } = this.#open;
    try {
      this.#open.transact(() => claimForShard(database, options.shard));
      const words = new WordRegister(database);
      this.#accounts = enrolAccounts(database, words, options);
      const readings = new ReadingCommit(database, words, options);
      this.#open.transact(() => readings.keys.convertPersonal());
      this.#readings = readings;
      const { file } = options;
      this.#commit = new Commit({ file, open: this.#open, words, readings, accounts: this.#accounts });
      this.#budgets = storedBudgets(database);
      this.#accruals = storedAccruals(database);
      this.#clock = new ConfirmedClock(database);
      this.#upkeep = new Upkeep(database, options.keep ?? keepAll);
    } catch (cause) {
      this.#open.close();
      throw cause instanceof HistoryError ? cause : unusable(options.file, cause);
    }
  }

  /**
   * Commits a reading: all of it or nothing. Reading the same thing again changes nothing.
   *
   * @throws HistoryError when it could not be written; nothing is lost but this reading.
   */
  commitOne(reading: Reading): readonly PollCheckpoint[] {
    const [committed] = this.commit([reading]);
    if (committed === undefined) return [];
    if ('error' in committed) throw committed.error;
    return committed.checkpoints;
  }

  /**
   * Commits readings at once. One that cannot be written leaves the others as they are.
   *
   * @param budgets written with them, by account.
   * @returns what became of each reading, in order.
   * @throws HistoryTakenOver when another daemon has the history now.
   */
  commit(
    readings: readonly Reading[],
    budgets: ReadonlyMap<string, RequestBudgetState> = new Map(),
  ): readonly Committed[] {
    return this.#commit.commit(readings, () => this.#writeBudgets(budgets));
  }

  /**
   * Every account, and its projects that may have changed since the last call: one instant.
   *
   * @param now epoch milliseconds by this host's clock.
   * @throws the database's error when it cannot be read; the changes are then still to be taken.
   */
  snapshot(now: number): readonly AccountSnapshot[] {
    return snapshot(this.#accounts.values(), now, this.#options.staleAfterMs);
  }

  /** Everything counts as changed: the last snapshot did not get onto the page. */
  showAgain(): void {
    for (const known of this.#accounts.values()) known.touchAll();
  }

  /**
   * Remembers how fast accounts may be asked, for a restart.
   *
   * @throws HistoryError or the database's error when that could not be written.
   */
  saveBudgets(budgets: ReadonlyMap<string, RequestBudgetState>): void {
    this.#open.transact(() => this.#writeBudgets(budgets));
  }

  /**
   * Remembers what accounts were charged so far.
   *
   * @throws HistoryError or the database's error when that could not be written.
   */
  saveAccruals(accruals: readonly CostAccrual[]): void {
    this.#open.transact(() => {
      for (const accrual of accruals) this.#accruals.write(accrual);
    });
  }

  /** How fast an earlier run was allowed to ask; undefined before the first. */
  budget(account: string): RequestBudgetState | undefined {
    return this.#budgets.read(this.#accountOf(account).account_ref);
  }

  /** The state from which the next reading of the service's meter goes on; undefined before the first. */
  meterState(account: string): MeterState | undefined {
    return this.#readings.meter.state(this.#accountOf(account).account_ref);
  }

  /** The service's clock minus the host's when the list of projects was last read; undefined before it was. */
  clockSkewMs(account: string): number | undefined {
    return this.#accountOf(account).own.readClockSkew();
  }

  /**
   * Follows the service's clock by the dates of the lists committed in this run; to be called every minute or so.
   *
   * @param runningMs milliseconds by a clock that never steps.
   * @returns the instant to do upkeep by, in epoch milliseconds, absent while none is certain; and a jump to be told of.
   * @throws the database's error when it cannot be written down.
   */
  followClock(runningMs: number): { readonly at?: number; readonly jump?: ClockJump } {
    const servedAts = [...this.#accounts.values()].flatMap(({ account, own: { listServedAt } }) =>
      listServedAt === undefined ? [] : [[account, listServedAt] as const],
    );
    const jump = this.#open.transact(() => this.#clock.follow(new Map(servedAts), runningMs));
    return compact({ at: this.#clock.at, jump });
  }

  /**
   * Does one step of what is to be done now and then: writes use by hours and days, deletes what is too old.
   *
   * @param now the instant it is, of the service's clock and certain, in epoch milliseconds.
   * @returns whether there may be more.
   */
  upkeep(now: number): boolean {
    return this.#open.transact(() => this.#upkeep.step(now));
  }

  /** Remembers that this history was begun in place of a damaged one. */
  noteSetAside(setAside: SetAside): void {
    const { database } = this.#open;
    this.#open.transact(() => recordSetAside(database, setAside));
  }

  /** The damaged history in whose place this one was begun last; undefined where none was. */
  setAside(): SetAside | undefined {
    return readSetAside(this.#open.database);
  }

  /** Whether the file is a copy that was not wholly read again yet: it may know less than was shown last. */
  isCopy(): boolean {
    return Owner.isCopy(this.#open.database);
  }

  /** Notes that all of it was read again. */
  endCopy(): void {
    this.#open.transact(() => Owner.endCopy(this.#open.database));
  }

  /** By which the history says that it is this one's, until another one takes it. */
  get ownerToken(): string {
    return this.#open.ownerToken;
  }

  /** How often a standby took this history over, ever. */
  takeovers(): number {
    return Owner.takeovers(this.#open.database);
  }

  /** Whether any list or project was ever read. */
  hasData(): boolean {
    return [...this.#accounts.values()].some(({ own }) => own.wasRead());
  }

  /** The projects that are known and not gone, as they were last listed. */
  *knownProjects(account: string): Generator<KnownProject> {
    for (const stored of this.#accountOf(account).projects()) {
      yield { project: stored.project, checkpoint: checkpointOf(stored) };
    }
  }

  close(): void {
    this.#open.close();
  }

  #writeBudgets(budgets: ReadonlyMap<string, RequestBudgetState>): void {
    for (const [account, state] of budgets) this.#budgets.write(this.#accountOf(account).account_ref, state);
  }

  #accountOf(account: string): KnownAccount {
    return accountOf(this.#accounts, account);
  }
}
