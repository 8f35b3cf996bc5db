import type { AccountOverview, AccountSummary } from '../resources/account.ts';
import type { CostAccrual } from '../resources/cost-accrual.ts';
import { compact } from '../resources/field.ts';
import type { Project } from '../resources/project.ts';
import type { MeterState, PollCheckpoint, Reading } from '../resources/reading.ts';
import type { RequestBudgetState } from '../resources/request-budget-state.ts';
import type { SetAside } from './file/damaged-file.ts';
import { type OpenDatabase, openDatabase } from './file/database.ts';
import { HistoryError, unusable } from './file/history-error.ts';
import { Owner } from './file/owner.ts';
import type { HistoryOptions } from './history-options.ts';
import { claimForShard, refuseOther } from './history-source.ts';
import { memoryOf, rememberAccounts } from './record/account-enrolment.ts';
import { KeyPerson, SourceAddress } from './record/personal-data.ts';
import { ReadingWriter, type Recorded } from './record/reading-writer.ts';
import { Recorder } from './record/recorder.ts';
import { AccrualRecord, BudgetRecord, readSetAside, recordSetAside } from './record/restart-state.ts';
import { WordRegister } from './record/word-register.ts';
import { type ClockJump, ConfirmedClock } from './upkeep/confirmed-clock.ts';
import { keepAll } from './upkeep/retention.ts';
import { Upkeep } from './upkeep/upkeep.ts';
import type { AccountMemory, ProjectChanges } from './view/account-memory.ts';
import { checkpointOf } from './view/stored-project.ts';

/** A project of an earlier run, with the checkpoint its next poll continues from. */
export interface KnownProject {
  readonly project: Project;
  readonly checkpoint: PollCheckpoint;
}

/** The view of an account, those of its projects that may have changed, and how it is doing with them. */
export interface AccountChanges {
  readonly account: AccountSummary;
  readonly projects: ProjectChanges;
  readonly overview: AccountOverview;
}

/** The daemon's memory across restarts and crashes: every reading, and the counters over them. */
export class History {
  readonly #options: HistoryOptions;
  readonly #open: OpenDatabase;
  readonly #writer: ReadingWriter;
  readonly #memories: ReadonlyMap<string, AccountMemory>;
  readonly #budgets: BudgetRecord;
  readonly #accruals: AccrualRecord;
  readonly #recorder: Recorder;
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
      const memories = rememberAccounts(database, words, options);
      const addresses = new SourceAddress(database, options.sourceAddresses);
      const people = new KeyPerson(database, options.people);
      this.#open.transact(() => {
        addresses.convert();
        people.convert();
      });
      const recorder = new Recorder(database, words, { addresses, people }, options.collectors);
      this.#recorder = recorder;
      this.#memories = memories;
      this.#writer = new ReadingWriter({ file: options.file, open: this.#open, words, recorder, memories });
      this.#budgets = new BudgetRecord(database);
      this.#accruals = new AccrualRecord(database);
      this.#clock = new ConfirmedClock(database);
      this.#upkeep = new Upkeep(database, options.keep ?? keepAll);
    } catch (cause) {
      this.#open.close();
      throw cause instanceof HistoryError ? cause : unusable(options.file, cause);
    }
  }

  /**
   * Records a reading in one transaction: all of it or nothing. Reading the same thing again changes nothing.
   *
   * @throws HistoryError when it could not be written; nothing is lost but this reading.
   */
  record(reading: Reading): readonly PollCheckpoint[] {
    const [recorded] = this.recordAll([reading]);
    if (recorded === undefined) return [];
    if ('error' in recorded) throw recorded.error;
    return recorded.checkpoints;
  }

  /**
   * Records readings with one commit for all. One that cannot be written leaves the others as they are.
   *
   * @param budgets written with them, by account.
   * @returns what became of each reading, in order.
   * @throws HistoryTakenOver when another daemon has the history now.
   */
  recordAll(
    readings: readonly Reading[],
    budgets: ReadonlyMap<string, RequestBudgetState> = new Map(),
  ): readonly Recorded[] {
    return this.#writer.writeAll(readings, () => this.#writeBudgets(budgets));
  }

  /**
   * Views of every account and of the projects that may have changed since the last call: one consistent moment.
   *
   * @param now epoch milliseconds by this host's clock.
   * @throws the database's error when it cannot be read; the changes are then still to be taken.
   */
  changes(now: number): readonly AccountChanges[] {
    const { staleAfterMs } = this.#options;
    // The summaries read the database, which may fail, and come first: changes are taken once.
    const summed = this.#everyMemory().map(memory => ({
      memory,
      account: memory.summary(now, staleAfterMs),
    }));
    return summed.map(({ memory, account }) => {
      const projects = memory.takeChanges(now);
      return { account, projects, overview: { summary: account, ...memory.countShown() } };
    });
  }

  /** Everything counts as changed: the last changes did not get onto the page. */
  showAgain(): void {
    for (const memory of this.#everyMemory()) memory.touchAll();
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
    this.#open.transact(() => this.#accruals.write(accruals));
  }

  /** How fast an earlier run was allowed to ask; undefined before the first. */
  budget(account: string): RequestBudgetState | undefined {
    return this.#budgets.read(this.#memory(account).account_ref);
  }

  /** The state from which the next reading of the service's meter goes on; undefined before the first. */
  meterState(account: string): MeterState | undefined {
    return this.#recorder.meterState(this.#memory(account).account_ref);
  }

  /** The service's clock minus the host's when the list of projects was last read; undefined before it was. */
  clockSkewMs(account: string): number | undefined {
    return this.#memory(account).own.readClockSkew();
  }

  /**
   * Follows the service's clock by the dates of the lists recorded in this run; to be called every minute or so.
   *
   * @param runningMs milliseconds by a clock that never steps.
   * @returns the instant to do upkeep by, in epoch milliseconds, absent while none is certain; and a jump to be told of.
   * @throws the database's error when it cannot be written down.
   */
  followClock(runningMs: number): { readonly at?: number; readonly jump?: ClockJump } {
    const servedAts = this.#everyMemory().flatMap(({ account, own: { listServedAt } }) =>
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

  /** Whether the file is a copy of which not all was read again yet: it may know less than was shown last. */
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
    return this.#everyMemory().some(memory => memory.own.wasRead());
  }

  /** The projects that are known and not gone, as they were last listed. */
  *knownProjects(account: string): Generator<KnownProject> {
    const memory = this.#memory(account);
    for (const stored of memory.projects()) {
      yield { project: stored.project, checkpoint: checkpointOf(stored) };
    }
  }

  close(): void {
    this.#open.close();
  }

  #writeBudgets(budgets: ReadonlyMap<string, RequestBudgetState>): void {
    for (const [account, state] of budgets) this.#budgets.write(this.#memory(account).account_ref, state);
  }

  #everyMemory(): readonly AccountMemory[] {
    return [...this.#memories.values()];
  }

  #memory(account: string): AccountMemory {
    return memoryOf(this.#memories, account);
  }
}
