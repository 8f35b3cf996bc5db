import type { Database } from 'better-sqlite3';

interface DatedTimeout {
  readonly from_at: number;
  readonly suspend_timeout_seconds: number | null;
}

/** The kinds of things that have auto-suspend delays, and their table. */
const tables = {
  endpoint: ['suspend_timeout', 'endpoint_ref'],
  project: ['default_suspend_timeout', 'project_ref'],
} as const;

/** Writes auto-suspend delays of endpoints, or those by default of projects, where they change; all calls happen inside the transaction of one reading. */
export class SuspendTimeoutRecord {
  readonly #statements;

  constructor(database: Database, of: keyof typeof tables) {
    const [table, ref] = tables[of];
    this.#statements = {
      last: database.prepare<[number], DatedTimeout>(
        `SELECT from_at, suspend_timeout_seconds FROM ${table}
         WHERE ${ref} = ? ORDER BY from_at DESC LIMIT 1`,
      ),
      put: database.prepare<[number, number, number | null]>(
        `INSERT OR REPLACE INTO ${table} (${ref}, from_at, suspend_timeout_seconds) VALUES (?, ?, ?)`,
      ),
    };
  }

  /** @param seconds as they were read, null where they were not sent. */
  record(subject_ref: number, seconds: number | null, servedAt: number): void {
    const last = this.#statements.last.get(subject_ref);
    if (seconds === (last?.suspend_timeout_seconds ?? null)) return;
    // Never before what is known: the service's clock may have been set back.
    const fromAt = Math.max(servedAt, last?.from_at ?? servedAt);
    this.#statements.put.run(subject_ref, fromAt, seconds);
  }
}
