import { HistoryError } from '../history/file/history-error.ts';
import type { ImplausibleValue, MeterState, PollCheckpoint, Reading } from '../resources/reading.ts';
import { unpackError } from '../thread/sent-error.ts';
import type { CommitOutcome } from './history-api.ts';

/** The outcome of a reading that is committed. */
interface CommittedReading {
  readonly checkpoints: readonly PollCheckpoint[];
  /** The state from which the next reading of the meter goes on, after one of the meter. */
  readonly meter?: MeterState;
}

interface WaitingReading {
  readonly reading: Reading;
  readonly resolve: (committed: CommittedReading) => void;
  readonly reject: (error: unknown) => void;
}

/** Told of each reading that was written, with values of it that were held back as they cannot be true. */
export type CommittedListener = (reading: Reading, implausible: readonly ImplausibleValue[]) => void;

/** Readings on their way to the history: one batch is under way at a time, and what comes meanwhile is the next. */
export class ReadingBatch {
  readonly #commit: (readings: readonly Reading[]) => Promise<readonly CommitOutcome[]>;
  readonly #onCommitted: CommittedListener;
  #next: WaitingReading[] = [];
  #underWay: Promise<void> | undefined;

  /** @param commit answers with outcomes in the order of the readings. */
  constructor(
    commit: (readings: readonly Reading[]) => Promise<readonly CommitOutcome[]>,
    onCommitted: CommittedListener,
  ) {
    this.#commit = commit;
    this.#onCommitted = onCommitted;
  }

  /** Resolves when none is on its way. */
  async settled(): Promise<void> {
    await this.#underWay;
  }

  /** Settles with the outcome of the reading. */
  add(reading: Reading): Promise<CommittedReading> {
    const { promise, resolve, reject } = Promise.withResolvers<CommittedReading>();
    this.#next.push({ reading, resolve, reject });
    this.#underWay ??= this.#sendAll();
    return promise;
  }

  async #sendAll(): Promise<void> {
    while (this.#next.length > 0) await this.#send(this.#next.splice(0));
    this.#underWay = undefined;
  }

  async #send(batch: readonly WaitingReading[]): Promise<void> {
    try {
      const outcomes = await this.#commit(batch.map(({ reading }) => reading));
      for (const [index, waiting] of batch.entries()) this.#settle(waiting, outcomes[index]);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  #settle({ reading, resolve, reject }: WaitingReading, outcome: CommitOutcome | undefined): void {
    if (outcome === undefined) reject(new HistoryError('the history gave no answer'));
    else if ('error' in outcome) reject(unpackError(outcome.error));
    else {
      this.#onCommitted(reading, outcome.implausible);
      resolve(outcome);
    }
  }
}
