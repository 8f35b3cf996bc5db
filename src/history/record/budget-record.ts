import type { Database } from 'better-sqlite3';
import type { RequestBudgetState } from '../../resources/request-budget-state.ts';

interface Row {
  readonly budget_per_minute: number | null;
  readonly budget_settled_at: number | null;
  readonly paused_until_at: number;
  readonly paused_key: string | null;
}

/** Keeps the request budgets of the accounts, so that a restart does not begin with a full one. */
export class BudgetRecord {
  readonly #read;
  readonly #write;

  constructor(database: Database) {
    this.#read = database.prepare<[number], Row>(
      'SELECT budget_per_minute, budget_settled_at, paused_until_at, paused_key FROM account WHERE account_ref = ?',
    );
    this.#write = database.prepare<[number, number, number, string | null, number]>(
      `UPDATE account SET budget_per_minute = ?, budget_settled_at = ?, paused_until_at = ?, paused_key = ?
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
      ...(row.paused_key !== null && { pausedKey: row.paused_key }),
    };
  }

  write(account_ref: number, budget: RequestBudgetState): void {
    const { perMinute, settledAt, pausedUntil, pausedKey = null } = budget;
    this.#write.run(perMinute, Math.ceil(settledAt), Math.ceil(pausedUntil), pausedKey, account_ref);
  }
}
