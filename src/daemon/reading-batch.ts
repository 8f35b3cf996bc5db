import { HistoryError } from '../history/file/history-error.ts';
import type { ImplausibleValue } from '../resources/implausible.ts';
import type { MeterState, PollCheckpoint, Reading } from '../resources/reading.ts';
import { unpackError } from '../thread/sent-error.ts';
import type { RecordOutcome } from './history-message.ts';

/** The outcome of a reading that is recorded. */
export interface RecordedReading {
  readonly checkpoints: readonly PollCheckpoint[];
  /** The state from which the next reading of the meter goes on, after one of the meter. */
  readonly meter?: MeterState;
}

interface WaitingReading {
  readonly reading: Reading;
  readonly resolve: (recorded: RecordedReading) => void;
  readonly reject: (error: Error) => void;
}

/** Told of each reading that was written, with values of it that were held back as they cannot be true. */
export type RecordedListener = (reading: Reading, implausible: readonly ImplausibleValue[]) => void;

/** Readings on their way to the history: one batch is under way at a time, and what comes meanwhile is the next. */
export class ReadingBatch {
  readonly #send: (readings: readonly Reading[]) => void;
  readonly #onRecorded: RecordedListener;
  #next: WaitingReading[] = [];
  #underWay: readonly WaitingReading[] = [];
  #failure: Error | undefined;

  constructor(send: (readings: readonly Reading[]) => void, onRecorded: RecordedListener) {
    this.#send = send;
    this.#onRecorded = onRecorded;
  }

  get isUnderWay(): boolean {
    return this.#underWay.length > 0;
  }

  /** Settles with the outcome of the reading. */
  add(reading: Reading): Promise<RecordedReading> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const { promise, resolve, reject } = Promise.withResolvers<RecordedReading>();
    this.#next.push({ reading, resolve, reject });
    this.#sendNext();
    return promise;
  }

  /** @param outcomes of the batch that is under way, in its order. */
  settle(outcomes: readonly RecordOutcome[]): void {
    const settled = this.#underWay;
    this.#underWay = [];
    for (const [index, { reading, resolve, reject }] of settled.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined) reject(new HistoryError('the history gave no answer'));
      else if ('error' in outcome) reject(unpackError(outcome.error));
      else {
        this.#onRecorded(reading, outcome.implausible);
        resolve(outcome);
      }
    }
    this.#sendNext();
  }

  /** No reading will be recorded any more. */
  fail(error: Error): void {
    this.#failure = error;
    for (const { reject } of [...this.#underWay, ...this.#next.splice(0)]) reject(error);
    this.#underWay = [];
  }

  #sendNext(): void {
    if (this.isUnderWay || this.#next.length === 0) return;
    this.#underWay = this.#next.splice(0);
    this.#send(this.#underWay.map(({ reading }) => reading));
  }
}
