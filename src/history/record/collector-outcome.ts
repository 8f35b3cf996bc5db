import type { Database } from 'better-sqlite3';
import { accountLists, type Collector } from '../../resources/collector.ts';
import type { FailedReading, Reading } from '../../resources/reading.ts';
import type { Reason } from '../../resources/reason.ts';
import type { AccountMemory } from '../view/account-memory.ts';
import { CollectorRecord } from './collector-record.ts';

/** Writes whether a collector succeeded, and notes since when it did not; all calls happen inside one transaction. */
export class CollectorOutcome {
  readonly #collectors: CollectorRecord;

  constructor(database: Database) {
    this.#collectors = new CollectorRecord(database);
  }

  /**
   * @param project_id the project that was polled; empty for a list as a whole.
   * @param rejected items that could not be used, each counted as a malformed one.
   */
  recordSuccess(
    memory: AccountMemory,
    reading: Reading,
    collector: Collector,
    project_id: string,
    rejected: number,
  ): void {
    memory.freshness.succeeded(collector, project_id);
    this.#collectors.recordErrors(memory.account_ref, collector, 'malformed', rejected);
    this.#recordAttempt(memory, reading, collector, 'ok');
  }

  recordFailure(memory: AccountMemory, reading: FailedReading): void {
    const { collector, reason, ofUse } = reading;
    this.#collectors.recordErrors(memory.account_ref, collector, reason, 1);
    if (ofUse) return;
    memory.noteFailure(reading);
    this.#recordAttempt(memory, reading, collector, reason);
  }

  /**
   * A collector that polls projects one by one is well while none of them is failing. What is answered for one of them
   * says nothing of the key, which belongs to the account.
   */
  #recordAttempt(
    { account_ref, freshness }: AccountMemory,
    { readAt, durationMs }: Reading,
    collector: Collector,
    outcome: 'ok' | Reason,
  ): void {
    const isOk = outcome === 'ok';
    const isRefusal = outcome === 'unauthorized';
    const isOfAccount = accountLists.includes(collector);
    this.#collectors.recordAttempt(account_ref, {
      collector,
      success: isOfAccount ? isOk : freshness.isWell(collector),
      durationMs,
      ...(isOk && { succeededAt: readAt }),
      ...(isOfAccount && (isOk || isRefusal) && { authOk: isOk }),
    });
  }
}
