import { HistoryError } from '../history/file/history-error.ts';
import type { PollCheckpoint, Reading } from '../resources/reading.ts';
import type { RecordOutcome } from './history-message.ts';
import { unpackError } from './sent-error.ts';

interface WaitingReading {
  readonly reading: Reading;
  readonly resolve: (checkpoints: readonly PollCheckpoint[]) => void;
  readonly reject: (error: Error) => void;
}

/** Readings on their way to the history: one batch is under way at a time, and what comes meanwhile is the next. */
export class ReadingBatch {
  readonly #send: (readings: readonly Reading[]) => void;
  #next: WaitingReading[] = [];
  #underWay: readonly WaitingReading[] = [];
  #failure: Error | undefined;

  constructor(send: (readings: readonly Reading[]) => void) {
    this.#send = send;
  }

  get isUnderWay(): boolean {
    return this.#underWay.length > 0;
  }

  /** Settles with the outcome of the reading. */
  add(reading: Reading): Promise<readonly PollCheckpoint[]> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const { promise, resolve, reject } = Promise.withResolvers<readonly PollCheckpoint[]>();
    this.#next.push({ reading, resolve, reject });
    this.#sendNext();
    return promise;
  }

  /** @param outcomes of the batch that is under way, in its order. */
  settle(outcomes: readonly RecordOutcome[]): void {
    const settled = this.#underWay;
    this.#underWay = [];
    for (const [index, { resolve, reject }] of settled.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined) reject(new HistoryError('the history gave no answer'));
      else if ('error' in outcome) reject(unpackError(outcome.error));
      else resolve(outcome.checkpoints);
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
