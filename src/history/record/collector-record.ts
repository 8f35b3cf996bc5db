import type { Database } from 'better-sqlite3';
import type { Collector } from '../../resources/collector.ts';
import type { Reason } from '../../resources/reason.ts';

export interface CollectorAttempt {
  readonly collector: Collector;
  readonly success: boolean;
  /** When it succeeded, by this host's clock; absent when it did not. */
  readonly succeededAt?: number;
  readonly durationMs: number;
  /** Whether the service accepted the API key; absent when it did not get so far. */
  readonly authOk?: boolean;
}

/** Writes how the collectors of an account are doing; all calls happen inside the transaction of one reading. */
export class CollectorRecord {
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
