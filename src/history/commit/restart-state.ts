import type { Database } from 'better-sqlite3';
import type { CostAccrual } from '../../resources/cost-accrual.ts';
import { compact } from '../../resources/field.ts';
import type { RequestBudgetState } from '../../resources/request-budget.ts';
import type { SetAside } from '../file/damaged-file.ts';
import { type RowOf, statementsOf } from '../file/statement.ts';

/** Keeps the request budgets of the accounts, so that a restart does not begin with a full one. */
export function storedBudgets(database: Database) {
  const sql = statementsOf(database);
  const read = sql.one<[number], RowOf<RequestBudgetState>>`
    SELECT budget_per_minute AS perMinute, budget_settled_at AS settledAt, paused_until_at AS pausedUntil,
      paused_key AS pausedKey
    FROM account WHERE account_ref = ? AND budget_per_minute IS NOT NULL AND budget_settled_at IS NOT NULL`;
  const write = sql.run<[number, number, number, string | null, number]>`
    UPDATE account SET budget_per_minute = ?, budget_settled_at = ?, paused_until_at = ?, paused_key = ?
    WHERE account_ref = ?`;
  return {
    read(account_ref: number): RequestBudgetState | undefined {
      const row = read(account_ref);
      return row && compact(row);
    },
    write(account_ref: number, budget: RequestBudgetState): void {
      const { perMinute, settledAt, pausedUntil, pausedKey = null } = budget;
      write(perMinute, Math.ceil(settledAt), Math.ceil(pausedUntil), pausedKey, account_ref);
    },
  };
}

/** Remembers the cost accrued by accounts, so that it never falls. */
export function storedAccruals(database: Database) {
  const sql = statementsOf(database);
  return {
    read: sql.one<[account: string, currency: string], CostAccrual>`
      SELECT account, currency, total, unpriced_total AS unpricedTotal, period_from_at AS periodFromAt,
        period_accrued AS periodAccrued, period_unpriced AS periodUnpriced, as_of_at AS asOfAt
      FROM cost_accrual JOIN account USING (account_ref) WHERE account = ? AND currency = ?`,
    write: sql.run<[CostAccrual]>`
      INSERT OR REPLACE INTO cost_accrual
      SELECT account_ref, @currency, @total, @unpricedTotal, @periodFromAt, @periodAccrued, @periodUnpriced, @asOfAt
      FROM account WHERE account = @account`,
  };
}

type SetAsideRow = Pick<SetAside, 'at' | 'file' | 'problem'> & {
  readonly backup_file: string | null;
  readonly backup_at: number | null;
};

/** Remembers that a damaged history was set aside, and which backup goes on in its place. */
export function recordSetAside(database: Database, { at, file, problem, backup }: SetAside): void {
  statementsOf(database).run<[number, string, string, string | null, number | null]>`
    INSERT OR REPLACE INTO set_aside (at, file, problem, backup_file, backup_at) VALUES (?, ?, ?, ?, ?)`(
    at,
    file,
    problem,
    backup?.file ?? null,
    backup?.at ?? null,
  );
}

/** The damaged history that was set aside last; undefined where none was. */
export function readSetAside(database: Database): SetAside | undefined {
  const row = statementsOf(database).one<[], SetAsideRow>`
    SELECT * FROM set_aside ORDER BY at DESC LIMIT 1`();
  if (row === undefined) return undefined;
  const { at, file, problem, backup_file, backup_at } = row;
  const backup = backup_file !== null && backup_at !== null && { file: backup_file, at: backup_at };
  return { at, file, problem, ...(backup && { backup }) };
}
