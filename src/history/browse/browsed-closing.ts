import type { Database } from 'better-sqlite3';
import type { ClosedPeriod } from '../../resources/closed-period.ts';

/** A billing period that was closed, without its bill. */
export type BrowsedClosing = Pick<
  ClosedPeriod,
  'account' | 'fromAt' | 'untilAt' | 'closedAt' | 'fingerprint'
>;

/** Reads which billing periods are closed. */
export class BrowsedClosings {
  readonly #closed;

  constructor(database: Database) {
    this.#closed = database.prepare<[number, number], BrowsedClosing>(
      `SELECT account, from_at AS fromAt, until_at AS untilAt, closed_at AS closedAt, fingerprint
       FROM closed_period JOIN account USING (account_ref)
       WHERE reopened_at IS NULL AND from_at < ? AND until_at > ? ORDER BY account_ref, from_at`,
    );
  }

  /** Closed periods that share time with a period and are closed still; epoch milliseconds. */
  within({
    fromAt,
    untilAt,
  }: {
    readonly fromAt: number;
    readonly untilAt: number;
  }): readonly BrowsedClosing[] {
    return this.#closed.all(untilAt, fromAt);
  }
}
