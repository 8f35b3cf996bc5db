import type { Database } from 'better-sqlite3';

interface DatedTimeout {
  readonly from_at: number;
  readonly suspend_timeout_seconds: number | null;
}

/** Writes auto-suspend delays where they change; all calls happen inside the transaction of one reading. */
export class SuspendTimeoutRecord {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = {
      last: database.prepare<[number], DatedTimeout>(
        `SELECT from_at, suspend_timeout_seconds FROM suspend_timeout
         WHERE endpoint_ref = ? ORDER BY from_at DESC LIMIT 1`,
      ),
      put: database.prepare<[number, number, number | null]>(
        'INSERT OR REPLACE INTO suspend_timeout (endpoint_ref, from_at, suspend_timeout_seconds) VALUES (?, ?, ?)',
      ),
    };
  }

  /** @param seconds as they were read, null where they were not sent. */
  record(endpoint_ref: number, seconds: number | null, servedAt: number): void {
    const last = this.#statements.last.get(endpoint_ref);
    if (seconds === (last?.suspend_timeout_seconds ?? null)) return;
    // Never before what is known: the service's clock may have been set back.
    const fromAt = Math.max(servedAt, last?.from_at ?? servedAt);
    this.#statements.put.run(endpoint_ref, fromAt, seconds);
  }
}
