import type { Database } from 'better-sqlite3';
import type { ComputeRate } from '../ledger/compute-ledger.ts';

interface Row {
  readonly from_at: number;
  readonly lower_cu: number;
  readonly upper_cu: number;
  readonly lower_total: number;
  readonly upper_total: number;
}

/** Writes the compute ledgers of endpoints; all calls happen inside the transaction of one reading. */
export class ComputeRecord {
  readonly #last;
  readonly #put;

  constructor(database: Database) {
    this.#last = database.prepare<[number], Row>(
      `SELECT from_at, lower_cu, upper_cu, lower_total, upper_total FROM compute_interval
       WHERE endpoint_ref = ? ORDER BY from_at DESC LIMIT 1`,
    );
    this.#put = database.prepare<[number, number, number, number, number, number]>(
      'INSERT OR REPLACE INTO compute_interval VALUES (?, ?, ?, ?, ?, ?)',
    );
  }

  /** Goes on with these rates. What is written stays: a rate that begins earlier than the last one begins with it. */
  append(endpoint_ref: number, rates: readonly ComputeRate[]): void {
    let last = this.#last.get(endpoint_ref);
    for (const { fromAt, lowerCu: lower_cu, upperCu: upper_cu } of rates) {
      if (last?.lower_cu === lower_cu && last.upper_cu === upper_cu) continue;
      const from_at = Math.max(fromAt, last?.from_at ?? fromAt);
      const ms = from_at - (last?.from_at ?? from_at);
      const lower_total = (last?.lower_total ?? 0) + (last?.lower_cu ?? 0) * ms;
      const upper_total = (last?.upper_total ?? 0) + (last?.upper_cu ?? 0) * ms;
      this.#put.run(endpoint_ref, from_at, lower_cu, upper_cu, lower_total, upper_total);
      last = { from_at, lower_cu, upper_cu, lower_total, upper_total };
    }
  }
}
