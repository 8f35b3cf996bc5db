import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database } from 'better-sqlite3';
import { HistoryTakenOver } from './history-error.ts';

interface OwnerRow {
  readonly token: string;
  readonly pid: number;
  readonly host: string;
}

/**
 * The right to write a history, written in the history itself. A lock beside it can be removed; this cannot be missed, as
 * it is looked at in every transaction that writes.
 */
export class Owner {
  readonly #token = randomUUID();
  readonly #read;

  /** Takes the history from whoever had it. */
  constructor(database: Database) {
    database
      .prepare<[string, number, string]>(
        `INSERT INTO owner VALUES (1, ?, ?, ?)
         ON CONFLICT DO UPDATE SET token = excluded.token, pid = excluded.pid, host = excluded.host`,
      )
      .run(this.#token, process.pid, hostname());
    this.#read = database.prepare<[], OwnerRow>('SELECT token, pid, host FROM owner');
  }

  /**
   * To be called in the transaction that writes.
   *
   * @throws HistoryTakenOver when another one took the history.
   */
  assertStill(): void {
    const owner = this.#read.get();
    if (owner?.token === this.#token) return;
    const other = owner === undefined ? 'somebody' : `process ${owner.pid} on ${owner.host}`;
    throw new HistoryTakenOver(
      `the history was taken over by another dbpm-exporter (${other}): this one stops, as both would count the same`,
    );
  }
}
