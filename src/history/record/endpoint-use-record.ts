import type { Database } from 'better-sqlite3';
import { isOneUse } from '../ledger/one-use.ts';
import { isToCome, latestInstant } from '../ledger/plausible-instant.ts';

interface UseReading {
  /** When the endpoint was last read before; absent the first time. */
  readonly readBeforeAt: number | undefined;
  readonly servedAt: number;
}

/** Writes when clients used endpoints; all calls happen inside the transaction of one reading. */
export class EndpointUseRecord {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = {
      last: database.prepare<[number, number], { readonly from_at: number; readonly until_at: number }>(
        `SELECT from_at, until_at FROM endpoint_use WHERE endpoint_ref = ? AND until_at <= ?
         ORDER BY from_at DESC LIMIT 1`,
      ),
      begin: database.prepare<[number, number, number, number | null]>(
        'INSERT INTO endpoint_use (endpoint_ref, from_at, until_at, quiet_until_at) VALUES (?, ?, ?, ?)',
      ),
      extend: database.prepare<[number, number, number]>(
        'UPDATE endpoint_use SET until_at = ? WHERE endpoint_ref = ? AND from_at = ?',
      ),
    };
  }

  record(
    endpoint_ref: number,
    last_active: number | undefined,
    { readBeforeAt, servedAt }: UseReading,
  ): void {
    if (last_active === undefined || isToCome(last_active, servedAt)) return;
    const last = this.#statements.last.get(endpoint_ref, latestInstant(servedAt));
    if (last !== undefined && last_active <= last.until_at) return;
    if (last !== undefined && isOneUse(last.until_at, last_active)) {
      this.#statements.extend.run(last_active, endpoint_ref, last.from_at);
      return;
    }
    const quietUntilAt = readBeforeAt === undefined ? null : Math.min(readBeforeAt, last_active);
    this.#statements.begin.run(endpoint_ref, last_active, last_active, quietUntilAt);
  }
}
