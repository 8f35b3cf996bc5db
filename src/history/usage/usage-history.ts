import Database from 'better-sqlite3';
import type { CostAccrual } from '../../resources/cost-accrual.ts';
import type { Reconstruction } from '../../resources/usage/view.ts';
import { unusable } from '../file/database.ts';
import { AccrualRecord } from '../record/accrual-record.ts';
import { EndpointHistoryQuery } from './endpoint-history-query.ts';
import { HourQuery } from './hour-query.ts';
import { ReconstructionQuery } from './reconstruction-query.ts';
import { UsageQuery } from './usage-query.ts';

/** The use of compute, as it is known at one moment. */
export interface UsageHistory {
  readonly usage: UsageQuery;
  readonly hours: HourQuery;
  readonly endpointHistories: EndpointHistoryQuery;
  /** Reconstruction of an account's use; undefined while there are no ledgers of its endpoints. */
  reconstruction(account: string): Reconstruction | undefined;
  /** Accrual of an account in a currency, as it was last written. */
  accrual(account: string, currency: string): CostAccrual | undefined;
  /** Number of an account's projects, first seen since then, whose operations are not read to their beginning. */
  imports(account: string, sinceAt: number): number;
  /** Number of endpoints with ledgers: with each of them more is known of former use. */
  readonly ledgers: number;
}

/** Reads the use of compute from a history that another thread writes. */
export class UsageReader {
  readonly #database: Database.Database;
  readonly #accounts: readonly string[];

  /** @throws HistoryError when the file cannot be read as a history. */
  constructor(file: string, accounts: readonly string[]) {
    this.#accounts = accounts;
    try {
      this.#database = new Database(file, { readonly: true, fileMustExist: true });
    } catch (cause) {
      throw unusable(file, cause);
    }
  }

  /** The use as it is known now; a later query of it may know more, unless both are in one `steadily`. */
  look(): UsageHistory {
    const database = this.#database;
    const usage = new UsageQuery(database, this.#accounts);
    const reconstructions = new ReconstructionQuery(database, usage);
    const accruals = new AccrualRecord(database);
    return {
      usage,
      hours: new HourQuery(database, usage),
      endpointHistories: new EndpointHistoryQuery(database, usage),
      reconstruction: account => reconstructions.read(account),
      accrual: (account, currency) => accruals.read(account, currency),
      imports: (account, sinceAt) => Number(database.prepare(importCount).pluck().get(account, sinceAt)),
      ledgers: Number(database.prepare(ledgerCount).pluck().get()),
    };
  }

  /** Runs short work that sees the history as it was when the work began. */
  steadily<Result>(work: () => Result): Result {
    return this.#database.transaction(work)();
  }

  close(): void {
    this.#database.close();
  }
}

const ledgerCount = 'SELECT count(*) FROM endpoint WHERE ledger_until_at IS NOT NULL AND gone_at IS NULL';

const importCount = `
  SELECT count(*) FROM project JOIN account USING (account_ref)
  WHERE account = ? AND first_seen_at > ? AND gone_at IS NULL
    AND (operations_head_at IS NULL OR operations_tail_cursor IS NOT NULL)`;
