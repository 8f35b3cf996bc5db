import type { Database } from 'better-sqlite3';
import type { CostAccrual } from '../../resources/cost-accrual.ts';

type Row = {
  readonly [Column in keyof CostAccrual]: CostAccrual[Column];
};

/** Remembers the cost accrued by accounts, so that it never falls. */
export class AccrualRecord {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = {
      read: database.prepare<[string, string], Row>(
        `SELECT account, currency, total, unpriced_total AS unpricedTotal, period_from_at AS periodFromAt,
           period_accrued AS periodAccrued, period_unpriced AS periodUnpriced, as_of_at AS asOfAt
         FROM cost_accrual JOIN account USING (account_ref) WHERE account = ? AND currency = ?`,
      ),
      write: database.prepare<[Row]>(
        `INSERT OR REPLACE INTO cost_accrual
         SELECT account_ref, @currency, @total, @unpricedTotal, @periodFromAt, @periodAccrued, @periodUnpriced, @asOfAt
         FROM account WHERE account = @account`,
      ),
    };
  }

  read(account: string, currency: string): CostAccrual | undefined {
    return this.#statements.read.get(account, currency);
  }

  write(accruals: readonly CostAccrual[]): void {
    for (const accrual of accruals) this.#statements.write.run(accrual);
  }
}
