import type { ImplausibleValue } from '../../resources/implausible.ts';
import type { MeterState, PollCheckpoint, Reading } from '../../resources/reading.ts';
import type { OpenDatabase } from '../file/database.ts';
import { describeCause, HistoryError, HistoryTakenOver } from '../file/history-error.ts';
import type { AccountMemory } from '../view/account-memory.ts';
import { checkpointOf } from '../view/stored-project.ts';
import { memoryOf } from './account-enrolment.ts';
import type { Recorder } from './recorder.ts';
import type { Touched } from './touched.ts';
import type { WordRegister } from './word-register.ts';

/** A reading that was written: the checkpoints it leads to, and values of it that were held back. */
export interface WrittenReading {
  readonly checkpoints: readonly PollCheckpoint[];
  readonly implausible: readonly ImplausibleValue[];
  /** The state from which the next reading of the meter goes on, after one of the meter. */
  readonly meter?: MeterState;
}

/** The outcome of a reading. */
export type Recorded = WrittenReading | { readonly error: HistoryError };

export interface ReadingWriterOptions {
  readonly file: string;
  readonly open: OpenDatabase;
  readonly words: WordRegister;
  readonly recorder: Recorder;
  /** By account. */
  readonly memories: ReadonlyMap<string, AccountMemory>;
}

/** Writes readings in transactions and has the memory of their accounts follow; what is not written changes nothing. */
export class ReadingWriter {
  readonly #options: ReadingWriterOptions;
  readonly #write;
  readonly #imported;

  constructor(options: ReadingWriterOptions) {
    this.#options = options;
    // Once it was done no import counts as the first one again.
    this.#imported = options.open.database.prepare<[number]>(
      `UPDATE account SET imported_at = projects_listed_at
       WHERE account_ref = ? AND imported_at IS NULL AND projects_listed_at IS NOT NULL`,
    );
    this.#write = options.open.database.transaction((memory: AccountMemory, reading: Reading) =>
      options.recorder.record(memory, reading),
    );
  }

  /**
   * Writes readings with one commit for all. One that cannot be written leaves the others as they are.
   *
   * @param alongside writes what is to go into the same transaction.
   * @returns what became of each reading, in order.
   * @throws HistoryTakenOver when another daemon has the history now.
   */
  writeAll(readings: readonly Reading[], alongside: () => void): readonly Recorded[] {
    const { open, words, memories } = this.#options;
    try {
      return open.transact(() => {
        alongside();
        return readings.map(reading => this.#writeOne(reading));
      });
    } catch (cause) {
      if (cause instanceof HistoryTakenOver) throw cause;
      words.reload();
      for (const { freshness } of memories.values()) freshness.takeBack(0);
      for (const reading of readings) this.#forget(reading);
      return readings.map(reading => this.#describeLoss(reading, cause));
    } finally {
      for (const { freshness } of memories.values()) freshness.settle();
    }
  }

  /** Inside the transaction of all readings; one that cannot be written is taken back alone. */
  #writeOne(reading: Reading): Recorded {
    const { open, words, recorder } = this.#options;
    const memory = this.#memory(reading);
    const mark = memory.freshness.mark();
    try {
      const touched = this.#write(memory, reading);
      follow(memory, touched);
      if (memory.isImported()) this.#imported.run(memory.account_ref);
      if (isServed(reading)) memory.own.followClock(reading);
      if (reading.kind === 'projects') memory.own.followUnavailable(reading);
      const meter = isOfMeter(reading) ? recorder.meterState(memory.account_ref) : undefined;
      return {
        checkpoints: listCheckpoints(memory, touched),
        implausible: recorder.takeImplausible(),
        ...(meter && { meter }),
      };
    } catch (cause) {
      // SQLite ends the whole transaction when the disk is full: then no reading is written.
      if (!open.database.inTransaction) throw cause;
      words.reload();
      recorder.takeImplausible();
      memory.freshness.takeBack(mark);
      return this.#describeLoss(reading, cause);
    }
  }

  /** Sets the memory back to what is written, after a transaction that was not. */
  #forget(reading: Reading): void {
    const memory = this.#memory(reading);
    const listed = 'items' in reading && reading.kind !== 'api_keys' ? reading.items : [];
    const project_ids = [...listed.map(({ project_id }) => project_id), ...namedProject(reading)];
    const isWholeList = reading.kind === 'projects' && reading.complete;
    follow(memory, {
      project_ids: isWholeList ? new Set([...project_ids, ...memory.projectIds()]) : project_ids,
      keys: reading.kind === 'api_keys',
    });
  }

  #describeLoss(reading: Reading, cause: unknown): Recorded {
    this.#memory(reading).noteUnwritten(reading);
    const { file } = this.#options;
    const error = new HistoryError(
      `the reading of ${reading.account} could not be written to ${file} (${describeCause(cause)}): check the disk's space and rights`,
      { cause },
    );
    return { error };
  }

  #memory({ account }: Reading): AccountMemory {
    return memoryOf(this.#options.memories, account);
  }
}

/** What failed or was refused is dated by this host: it says nothing about the service's clock. */
function isServed({ kind }: Reading): boolean {
  return kind !== 'failure' && kind !== 'consumption_refused';
}

function isOfMeter({ kind }: Reading): boolean {
  return kind === 'consumption' || kind === 'consumption_refused';
}

function follow(memory: AccountMemory, touched: Touched): void {
  for (const stored of touched.stored ?? []) memory.set(stored);
  for (const project_id of touched.project_ids) memory.reloadProject(project_id);
  if (touched.refreshed !== undefined) memory.reloadRefreshed(touched.refreshed);
  if (touched.keys) memory.own.reloadKeys();
  memory.own.forgetTotals();
}

/** Checkpoints of the project that was polled, and of those a list enrolled: some may be back, and known from before. */
function listCheckpoints(
  memory: AccountMemory,
  { project_ids, refreshed }: Touched,
): readonly PollCheckpoint[] {
  return [...project_ids, ...(refreshed === undefined ? [] : [refreshed])]
    .map(project_id => memory.get(project_id))
    .filter(stored => stored !== undefined)
    .map(checkpointOf);
}

function namedProject(reading: Reading): readonly string[] {
  return 'project_id' in reading && reading.project_id !== undefined ? [reading.project_id] : [];
}
