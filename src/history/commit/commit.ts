import type { ImplausibleValue, MeterState, PollCheckpoint, Reading } from '../../resources/reading.ts';
import type { OpenDatabase } from '../file/database.ts';
import { type HistoryError, HistoryTakenOver, unwritten } from '../file/history-error.ts';
import { statementsOf } from '../file/statement.ts';
import type { KnownAccount, Outcome } from '../snapshot/known-account.ts';
import { checkpointOf } from '../snapshot/stored-project.ts';
import { accountOf } from './account-enrolment.ts';
import type { ReadingCommit } from './reading-commit.ts';
import type { WordRegister } from './word-register.ts';

/** A reading that was written: the checkpoints it leads to, and values of it that were held back. */
export interface WrittenReading {
  readonly checkpoints: readonly PollCheckpoint[];
  readonly implausible: readonly ImplausibleValue[];
  /** The state from which the next reading of the meter goes on, after one of the meter. */
  readonly meter?: MeterState;
}

/** The outcome of a reading. */
export type Committed = WrittenReading | { readonly error: HistoryError };

interface CommitOptions {
  readonly file: string;
  readonly open: OpenDatabase;
  readonly words: WordRegister;
  readonly readings: ReadingCommit;
  /** By account. */
  readonly accounts: ReadonlyMap<string, KnownAccount>;
}

/** Commits readings and has what is known of their accounts follow; what is not written changes nothing. */
export class Commit {
  readonly #options: CommitOptions;
  readonly #write;
  readonly #imported;

  constructor(options: CommitOptions) {
    this.#options = options;
    // Once it was done no import counts as the first one again.
    this.#imported = statementsOf(options.open.database).run<[number]>`
      UPDATE account SET imported_at = projects_listed_at
      WHERE account_ref = ? AND imported_at IS NULL AND projects_listed_at IS NOT NULL`;
    this.#write = options.open.database.transaction((known: KnownAccount, reading: Reading) =>
      options.readings.commit(known, reading),
    );
  }

  /**
   * Commits readings at once. One that cannot be written leaves the others as they are.
   *
   * @param alongside writes what is to go into the same transaction.
   * @returns what became of each reading, in order.
   * @throws HistoryTakenOver when another daemon has the history now.
   */
  commit(readings: readonly Reading[], alongside: () => void): readonly Committed[] {
    const { open, words, accounts } = this.#options;
    try {
      return open.transact(() => {
        alongside();
        return readings.map(reading => this.#commitOne(reading));
      });
    } catch (cause) {
      if (cause instanceof HistoryTakenOver) throw cause;
      words.reload();
      for (const { freshness } of accounts.values()) freshness.takeBack(0);
      for (const reading of readings) this.#forget(reading);
      return readings.map(reading => this.#describeLoss(reading, cause));
    } finally {
      for (const { freshness } of accounts.values()) freshness.settle();
    }
  }

  /** Inside the transaction of all readings; one that cannot be written is taken back alone. */
  #commitOne(reading: Reading): Committed {
    const { open, words, readings } = this.#options;
    const known = this.#accountOf(reading);
    const mark = known.freshness.mark();
    try {
      const outcome = this.#write(known, reading);
      known.follow(outcome);
      if (known.isImported()) this.#imported(known.account_ref);
      known.own.followReading(reading);
      const meter = isOfMeter(reading) ? readings.meter.state(known.account_ref) : undefined;
      return {
        checkpoints: listCheckpoints(known, outcome),
        implausible: readings.implausible.take(),
        ...(meter && { meter }),
      };
    } catch (cause) {
      // SQLite ends the whole transaction when the disk is full: then no reading is written.
      if (!open.database.inTransaction) throw cause;
      words.reload();
      readings.implausible.take();
      known.freshness.takeBack(mark);
      return this.#describeLoss(reading, cause);
    }
  }

  /** Sets what is known back to what is written, after a transaction that was not. */
  #forget(reading: Reading): void {
    const known = this.#accountOf(reading);
    const listed = 'items' in reading && reading.kind !== 'api_keys' ? reading.items : [];
    const isWholeList = reading.kind === 'projects' && reading.complete;
    known.follow({
      project_ids: new Set([
        ...listed.map(({ project_id }) => project_id),
        ...('project_id' in reading && reading.project_id !== undefined ? [reading.project_id] : []),
        ...(isWholeList ? known.projectIds() : []),
      ]),
      ...(reading.kind === 'api_keys' && { keys: true }),
    });
  }

  #describeLoss(reading: Reading, cause: unknown): Committed {
    this.#accountOf(reading).noteUnwritten(reading);
    const { file } = this.#options;
    return { error: unwritten(reading.account, file, cause) };
  }

  #accountOf({ account }: Reading): KnownAccount {
    return accountOf(this.#options.accounts, account);
  }
}

function isOfMeter({ kind }: Reading): boolean {
  return kind === 'consumption' || kind === 'consumption_refused';
}

/** Checkpoints of the project that was polled, and of those a list enrolled: some may be back, and known from before. */
function listCheckpoints(
  known: KnownAccount,
  { project_ids = [], refreshed }: Outcome,
): readonly PollCheckpoint[] {
  return [...project_ids, ...(refreshed === undefined ? [] : [refreshed])]
    .map(project_id => known.get(project_id))
    .filter(stored => stored !== undefined)
    .map(checkpointOf);
}
