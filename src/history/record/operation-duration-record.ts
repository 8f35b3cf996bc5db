import type { Database } from 'better-sqlite3';
import { type Operation, operationDurationBuckets } from '../../resources/operation.ts';
import { isBeforeCreation, isToCome, latestInstant } from '../ledger/plausible-instant.ts';
import type { ImplausibleRecord } from './implausible-record.ts';
import type { LostFieldRecord } from './lost-field-record.ts';

/** An operation with the duration the service gives, where that can be true. */
export type BelievedOperation = Omit<Operation, 'total_duration_ms'> & {
  readonly total_duration_ms: number | undefined;
};

/** Counts how long operations took that ended; all calls happen inside the transaction of one reading. */
export class OperationDurationRecord {
  readonly #implausible: ImplausibleRecord;
  readonly #lost: LostFieldRecord;
  readonly #count;

  constructor(database: Database, implausible: ImplausibleRecord, lost: LostFieldRecord) {
    this.#implausible = implausible;
    this.#lost = lost;
    this.#count = database.prepare<[number, string, number, number]>(
      `INSERT INTO operation_duration (account_ref, action, upper_bound, count, sum_ms)
       VALUES (?, ?, ?, 1, ?)
       ON CONFLICT DO UPDATE SET count = count + 1, sum_ms = sum_ms + excluded.sum_ms`,
    );
  }

  /** The operation without a duration that is longer than it exists, which is lost. */
  believe(account_ref: number, operation: Operation, servedAt: number): BelievedOperation {
    const { total_duration_ms, created_at } = operation;
    const isTooLong =
      total_duration_ms !== undefined && total_duration_ms > latestInstant(servedAt) - (created_at ?? 0);
    if (isTooLong) this.#lost.note(account_ref, ['total_duration_ms']);
    return { ...operation, total_duration_ms: isTooLong ? undefined : total_duration_ms };
  }

  /** Counts an operation that ended, as the service measured it, else from whole seconds. */
  count(account_ref: number, operation: BelievedOperation, servedAt: number): void {
    const { action, created_at, updated_at, total_duration_ms } = operation;
    if (!this.#arePlausible(account_ref, operation, servedAt)) return;
    if (created_at === undefined || updated_at === undefined) return;
    const durationMs = total_duration_ms ?? Math.max(0, updated_at - created_at);
    const bound =
      operationDurationBuckets.find(limit => durationMs <= limit * 1000) ?? Number.POSITIVE_INFINITY;
    this.#count.run(account_ref, action, bound, durationMs);
  }

  /** Whether the instants of an operation that ended can be true. */
  #arePlausible(account_ref: number, operation: BelievedOperation, servedAt: number): boolean {
    const { operation_id: id, created_at, updated_at } = operation;
    const isCreated = !isToCome(created_at, servedAt);
    if (!isCreated) this.#implausible.note(account_ref, { field: 'created_at', id, value: created_at });
    if (updated_at === undefined) return isCreated;
    const isOdd =
      isToCome(updated_at, servedAt) ||
      (created_at !== undefined && isBeforeCreation(updated_at, created_at));
    if (isOdd) this.#implausible.note(account_ref, { field: 'updated_at', id, value: updated_at });
    return isCreated && !isOdd;
  }
}
