import type { Database } from 'better-sqlite3';
import type { RequestBudgetState } from '../../resources/request-budget-state.ts';

interface Row {
  readonly budget_per_minute: number | null;
  readonly budget_settled_at: number | null;
  readonly paused_until_at: number;
}

/** Keeps the request budgets of the accounts, so that a restart does not begin with a full one. */
export class BudgetRecord {
  readonly #read;
  readonly #write;

  constructor(database: Database) {
    this.#read = database.prepare<[number], Row>(
      'SELECT budget_per_minute, budget_settled_at, paused_until_at FROM account WHERE account_ref = ?',
    );
    this.#write = database.prepare<[number, number, number, number]>(
      `UPDATE account SET budget_per_minute = ?, budget_settled_at = ?, paused_until_at = ?
       WHERE account_ref = ?`,
    );
  }

  read(account_ref: number): RequestBudgetState | undefined {
    const row = this.#read.get(account_ref);
    if (row === undefined || row.budget_per_minute === null || row.budget_settled_at === null)
      return undefined;
    return {
      perMinute: row.budget_per_minute,
      settledAt: row.budget_settled_at,
      pausedUntil: row.paused_until_at,
    };
  }

  write(account_ref: number, { perMinute, settledAt, pausedUntil }: RequestBudgetState): void {
    this.#write.run(perMinute, Math.ceil(settledAt), Math.ceil(pausedUntil), account_ref);
  }
}
