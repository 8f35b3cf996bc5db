import type { Database } from 'better-sqlite3';
import { accountLists, type Collector } from '../../resources/collector.ts';
import type { FailedReading, Reading } from '../../resources/reading.ts';
import type { Reason } from '../../resources/reason.ts';
import type { AccountMemory } from '../view/account-memory.ts';

interface CollectorAttempt {
  readonly collector: Collector;
  readonly success: boolean;
  /** When it succeeded, by this host's clock; absent when it did not. */
  readonly succeededAt?: number;
  readonly durationMs: number;
  /** Whether the service accepted the API key; absent when it did not get so far. */
  readonly authOk?: boolean;
}

/** Writes how the collectors of an account are doing; all calls happen inside the transaction of one reading. */
class CollectorRecord {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = {
      attempt: database.prepare<[number, string, number, number | null, number, number | null]>(
        `INSERT INTO collector (account_ref, collector, success, last_success_at, last_duration_ms, auth_ok)
         VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET success = excluded.success, last_duration_ms = excluded.last_duration_ms,
           last_success_at = coalesce(excluded.last_success_at, last_success_at),
           auth_ok = coalesce(excluded.auth_ok, auth_ok)`,
      ),
      error: database.prepare<[number, string, string, number]>(
        `INSERT INTO collector_error (account_ref, collector, reason, count) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET count = count + excluded.count`,
      ),
    };
  }

  recordAttempt(account_ref: number, attempt: CollectorAttempt): void {
    const { collector, success, succeededAt = null, durationMs, authOk } = attempt;
    const auth = authOk === undefined ? null : Number(authOk);
    this.#statements.attempt.run(account_ref, collector, Number(success), succeededAt, durationMs, auth);
  }

  recordErrors(account_ref: number, collector: Collector, reason: Reason, count: number): void {
    if (count > 0) this.#statements.error.run(account_ref, collector, reason, count);
  }
}

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
