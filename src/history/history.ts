import type { AccountOverview, AccountSummary } from '../resources/account.ts';
import { clockSkewMs } from '../resources/clock-skew.ts';
import type { CostAccrual } from '../resources/cost-accrual.ts';
import type { Project } from '../resources/project.ts';
import type { PollCheckpoint, Reading } from '../resources/reading.ts';
import type { RequestBudgetState } from '../resources/request-budget-state.ts';
import { type OpenDatabase, openDatabase, unusable } from './file/database.ts';
import { describeCause, HistoryError } from './file/history-error.ts';
import type { HistoryOptions } from './history-options.ts';
import { rememberAccounts } from './record/account-enrolment.ts';
import type { AccountMemory, ProjectChanges } from './record/account-memory.ts';
import { AccrualRecord } from './record/accrual-record.ts';
import { BudgetRecord } from './record/budget-record.ts';
import { Recorder, type Touched } from './record/recorder.ts';
import { WordRegister } from './record/word-register.ts';
import { keepAll } from './upkeep/retention.ts';
import { Upkeep } from './upkeep/upkeep.ts';
import { checkpointOf } from './view/checkpoint.ts';

/** A project of an earlier run, and what its next reading goes by. */
export interface KnownProject {
  readonly project: Project;
  readonly checkpoint: PollCheckpoint;
}

/** What an account shows, what of its projects may have changed, and how it is doing with them. */
interface AccountChanges {
  readonly account: AccountSummary;
  readonly projects: ProjectChanges;
  readonly overview: AccountOverview;
}

/** What became of a reading: what the next readings of its projects go by, or why it was not written. */
export type Recorded = { readonly checkpoints: readonly PollCheckpoint[] } | { readonly error: HistoryError };

/** The daemon's memory: what was read, and the counters over it, across restarts and crashes. */
export class History {
  readonly #options: HistoryOptions;
  readonly #open: OpenDatabase;
  readonly #words: WordRegister;
  readonly #recorder: Recorder;
  readonly #memories: ReadonlyMap<string, AccountMemory>;
  readonly #budgets: BudgetRecord;
  readonly #accruals: AccrualRecord;
  readonly #upkeep: Upkeep;
  readonly #write;

  /** @throws HistoryError when the file cannot be used; its message says what to do. */
  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#open = openDatabase(options.file);
    const { database } = this.#open;
    try {
      this.#words = new WordRegister(database);
      this.#recorder = new Recorder(database, this.#words, options.collectors);
      this.#memories = rememberAccounts(database, this.#words, options);
      this.#budgets = new BudgetRecord(database);
      this.#accruals = new AccrualRecord(database);
      this.#upkeep = new Upkeep(database, options.keep ?? keepAll);
      this.#write = database.transaction((memory: AccountMemory, reading: Reading) =>
        this.#recorder.record(memory, reading),
      );
    } catch (cause) {
      this.#open.close();
      throw unusable(options.file, cause);
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

  /** Records readings with one commit for all. One that cannot be written leaves the others as they are. */
  recordAll(
    readings: readonly Reading[],
    budgets: ReadonlyMap<string, RequestBudgetState> = new Map(),
  ): readonly Recorded[] {
    try {
      this.#open.assertInPlace();
      return this.#open.database
        .transaction(() => {
          for (const [account, state] of budgets) this.noteBudget(account, state);
          return readings.map(reading => this.#recordOne(reading));
        })
        .immediate();
    } catch (cause) {
      this.#words.reload();
      for (const reading of readings) this.#forget(reading);
      return readings.map(reading => this.#describeLoss(reading, cause));
    }
  }

  /** What is shown of every account, as far as it may have changed since the last call: one consistent moment. */
  changes(now: number): readonly AccountChanges[] {
    const { staleAfterMs } = this.#options;
    // What reads the database may fail, and comes first: changes are told once.
    const summed = this.#everyMemory().map(memory => ({
      memory,
      account: memory.summary(now, staleAfterMs),
    }));
    return summed.map(({ memory, account }) => {
      const projects = memory.takeChanges(now);
      return { account, projects, overview: { summary: account, ...memory.countShown() } };
    });
  }

  /** Everything counts as changed: what the last `changes` told did not get onto the page. */
  showAgain(): void {
    for (const memory of this.#everyMemory()) memory.touchAll();
  }

  /** Remembers how fast an account may be asked, for a restart. */
  noteBudget(account: string, state: RequestBudgetState): void {
    this.#budgets.write(this.#memory(account).account_ref, state);
  }

  /** Remembers what accounts were charged so far. */
  noteAccruals(accruals: readonly CostAccrual[]): void {
    this.#open.assertInPlace();
    this.#open.database.transaction(() => this.#accruals.write(accruals)).immediate();
  }

  /** How fast an earlier run was allowed to ask; undefined before the first. */
  budget(account: string): RequestBudgetState | undefined {
    return this.#budgets.read(this.#memory(account).account_ref);
  }

  /**
   * Does a little of what is to be done now and then: use by hours and days, and what is too old.
   *
   * @returns whether there may be more.
   */
  upkeep(now: number): boolean {
    return this.#upkeep.step(now);
  }

  /** Whether anything was ever read. */
  hasData(): boolean {
    return this.#everyMemory().some(memory => memory.wasRead());
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

  /** Inside the transaction of its batch; what cannot be written is taken back alone. */
  #recordOne(reading: Reading): Recorded {
    const { database } = this.#open;
    const memory = this.#memory(reading.account);
    try {
      const touched = this.#write(memory, reading);
      this.#follow(memory, touched);
      // A failure was answered by nobody, so it says nothing about the service's clock.
      if (reading.kind !== 'failure') memory.setClockSkew(clockSkewMs(reading));
      return { checkpoints: this.#checkpoints(memory, touched) };
    } catch (cause) {
      // SQLite ends the whole transaction when the disk is full: then nothing of the batch is written.
      if (!database.inTransaction) throw cause;
      this.#words.reload();
      return this.#describeLoss(reading, cause);
    }
  }

  #follow(memory: AccountMemory, touched: Touched): void {
    for (const stored of touched.stored ?? []) memory.set(stored);
    for (const project_id of touched.project_ids) memory.reloadProject(project_id);
    if (touched.refreshed !== undefined) memory.reloadRefreshed(touched.refreshed);
    if (touched.keys) memory.reloadKeys();
    memory.reloadAccount();
  }

  /** Of the project that was read, and of those that a list enrolled: some may be back, and known from before. */
  #checkpoints(memory: AccountMemory, { project_ids, refreshed }: Touched): readonly PollCheckpoint[] {
    return [...project_ids, ...(refreshed === undefined ? [] : [refreshed])]
      .map(project_id => memory.get(project_id))
      .filter(stored => stored !== undefined)
      .map(checkpointOf);
  }

  /** Sets the memory back to what is written, after a batch that was not. */
  #forget(reading: Reading): void {
    const memory = this.#memory(reading.account);
    const listed = 'items' in reading && reading.kind !== 'api_keys' ? reading.items : [];
    const project_ids = [...listed.map(({ project_id }) => project_id), ...namedProject(reading)];
    const isWholeList = reading.kind === 'projects' && reading.complete;
    this.#follow(memory, {
      project_ids: isWholeList ? new Set([...project_ids, ...memory.projectIds()]) : project_ids,
      keys: reading.kind === 'api_keys',
    });
  }

  #describeLoss(reading: Reading, cause: unknown): Recorded {
    this.#memory(reading.account).noteUnwritten(reading);
    const error = new HistoryError(
      `the reading of ${reading.account} could not be written to ${this.#options.file} (${describeCause(cause)}): check the disk's space and rights`,
      { cause },
    );
    return { error };
  }

  #everyMemory(): readonly AccountMemory[] {
    return [...this.#memories.values()];
  }

  #memory(account: string): AccountMemory {
    const memory = this.#memories.get(account);
    if (memory === undefined) throw new Error(`account ${account} was not given to the history`);
    return memory;
  }
}

function namedProject(reading: Reading): readonly string[] {
  return 'project_id' in reading && reading.project_id !== undefined ? [reading.project_id] : [];
}
