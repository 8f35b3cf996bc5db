import type { Database } from 'better-sqlite3';
import type { Collector } from '../resources/account.ts';
import type { Reason } from '../resources/reason.ts';

export interface Attempt {
  readonly collector: Collector;
  readonly success: boolean;
  /** When it succeeded, by this host's clock; absent when it did not. */
  readonly succeededAt?: number;
  readonly durationMs: number;
}

/** Writes how the collectors of an account are doing; all calls happen inside the transaction of one reading. */
export class CollectorRecord {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = {
      attempt: database.prepare<[number, string, number, number | null, number]>(
        `INSERT INTO collector (account_ref, collector, success, last_success_at, last_duration_ms)
         VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET success = excluded.success, last_duration_ms = excluded.last_duration_ms,
           last_success_at = coalesce(excluded.last_success_at, last_success_at)`,
      ),
      error: database.prepare<[number, string, string, number]>(
        `INSERT INTO collector_error (account_ref, collector, reason, count) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET count = count + excluded.count`,
      ),
      auth: database.prepare<[number, number]>('UPDATE account SET auth_ok = ? WHERE account_ref = ?'),
    };
  }

  recordAttempt(account_ref: number, attempt: Attempt): void {
    const { collector, success, succeededAt = null, durationMs } = attempt;
    this.#statements.attempt.run(account_ref, collector, Number(success), succeededAt, durationMs);
  }

  recordErrors(account_ref: number, collector: Collector, reason: Reason, count: number): void {
    if (count > 0) this.#statements.error.run(account_ref, collector, reason, count);
  }

  recordAuth(account_ref: number, ok: boolean): void {
    this.#statements.auth.run(Number(ok), account_ref);
  }
}
