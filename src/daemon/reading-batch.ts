import { HistoryError } from '../history/file/history-error.ts';
import type { ImplausibleValue } from '../resources/implausible.ts';
import type { MeterState, PollCheckpoint, Reading } from '../resources/reading.ts';
import { unpackError } from '../thread/sent-error.ts';
import type { RecordOutcome } from './history-api.ts';

/** The outcome of a reading that is recorded. */
export interface RecordedReading {
  readonly checkpoints: readonly PollCheckpoint[];
  /** The state from which the next reading of the meter goes on, after one of the meter. */
  readonly meter?: MeterState;
}

interface WaitingReading {
  readonly reading: Reading;
  readonly resolve: (recorded: RecordedReading) => void;
  readonly reject: (error: unknown) => void;
}

/** Told of each reading that was written, with values of it that were held back as they cannot be true. */
export type RecordedListener = (reading: Reading, implausible: readonly ImplausibleValue[]) => void;

/** Readings on their way to the history: one batch is under way at a time, and what comes meanwhile is the next. */
export class ReadingBatch {
  readonly #record: (readings: readonly Reading[]) => Promise<readonly RecordOutcome[]>;
  readonly #onRecorded: RecordedListener;
  #next: WaitingReading[] = [];
  #underWay: Promise<void> | undefined;

  /** @param record answers with outcomes in the order of the readings. */
  constructor(
    record: (readings: readonly Reading[]) => Promise<readonly RecordOutcome[]>,
    onRecorded: RecordedListener,
  ) {
    this.#record = record;
    this.#onRecorded = onRecorded;
  }

  /** Resolves when none is on its way. */
  async settled(): Promise<void> {
    await this.#underWay;
  }

  /** Settles with the outcome of the reading. */
  add(reading: Reading): Promise<RecordedReading> {
    const { promise, resolve, reject } = Promise.withResolvers<RecordedReading>();
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
      const outcomes = await this.#record(batch.map(({ reading }) => reading));
      for (const [index, waiting] of batch.entries()) this.#settle(waiting, outcomes[index]);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  #settle({ reading, resolve, reject }: WaitingReading, outcome: RecordOutcome | undefined): void {
    if (outcome === undefined) reject(new HistoryError('the history gave no answer'));
    else if ('error' in outcome) reject(unpackError(outcome.error));
    else {
      this.#onRecorded(reading, outcome.implausible);
      resolve(outcome);
    }
  }
}
