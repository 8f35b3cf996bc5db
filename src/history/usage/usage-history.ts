import Database from 'better-sqlite3';
import type { CostAccrual } from '../../resources/cost-accrual.ts';
import type { Shard } from '../../resources/shard.ts';
import type { UsageLedger } from '../../resources/usage/ledger.ts';
import type { AwakeDrift, LedgerComparison, Reconstruction } from '../../resources/usage/view.ts';
import { ofProject } from '../clause.ts';
import { storedAccruals } from '../commit/restart-state.ts';
import { unusable } from '../file/history-error.ts';
import { keepFewPages, planOnce } from '../file/reader.ts';
import { statementsOf } from '../file/statement.ts';
import { AttributedUsageQuery, type HourQuery, hoursOf } from './attributed-usage-query.ts';
import { awakeComparisonsOf } from './awake-comparison-query.ts';
import { branchUseOf } from './branch-use-query.ts';
import { type EndpointHistoryQuery, endpointHistoriesOf } from './endpoint-history-query.ts';
import { KnownFindings, ledgerComparisonsOf, reconstructionsOf } from './ledger-comparison-query.ts';
import type { ReportHistory } from './report-history.ts';

/** The use of compute, as it is known at one moment. */
export interface UsageHistory {
  readonly usage: UsageLedger &
    Pick<AttributedUsageQuery, 'settledUntil' | 'unattributedOf' | 'unattributed'>;
  readonly hours: Pick<HourQuery, 'hours'>;
  readonly endpoints: Pick<EndpointHistoryQuery, 'endpoints' | 'remembered' | 'nameOf'>;
  readonly branches: ReturnType<typeof branchUseOf>;
  /**
   * Reconstruction of an account's use on the last day that is known before an instant, which is now by default;
   * undefined while there are no ledgers of its endpoints.
   */
  reconstruction(account: string, beforeAt?: number): Reconstruction | undefined;
  /** The service's meter of an account beside the counters it reports; undefined while there is no day to compare. */
  compareLedgers(account: string): LedgerComparison | undefined;
  /**
   * Projects of an account that the service tells another awake time of than was reconstructed; undefined while there is
   * none to compare.
   */
  compareAwake(account: string): readonly AwakeDrift[] | undefined;
  /** Accrual of an account in a currency, as it was last written. */
  accrual(account: string, currency: string): CostAccrual | undefined;
  /**
   * Whether the operations of the projects an account had at first, or the past of its meter, are still being imported, for a day
   * at most.
   */
  isImporting(account: string): boolean;
  /** Number of an account's endpoints with ledgers: with each of them more is known of former use. */
  ledgers(account: string): number;
}

/** The use of compute as one look at a history tells it. */
export type SeenUsage = Omit<UsageHistory, 'ledgers'>;

/** The use of compute as a report reads it: what only the daemon of a history keeps is not there. */
export function usageOfReport({ usage, hours, endpoints, branches }: ReportHistory): SeenUsage {
  return {
    ...{ usage, hours, endpoints, branches },
    reconstruction: () => undefined,
    compareLedgers: () => undefined,
    compareAwake: () => undefined,
    accrual: () => undefined,
    isImporting: account => usage.isImporting(account),
  };
}

/** The use that is read from rows as it is asked for. */
export type StoredUsageHistory = UsageHistory & {
  readonly usage: AttributedUsageQuery;
  readonly endpoints: EndpointHistoryQuery;
};

/** Comparisons of earlier looks. */
class KnownLooks {
  readonly comparisons = new KnownFindings<LedgerComparison>();
  readonly awakeDrifts = new KnownFindings<readonly AwakeDrift[] | undefined>();
}

/** Reads the use of compute from a history that another thread writes. */
export class UsageReader {
  #database: Database.Database;
  readonly #file: string;
  readonly #accounts: readonly string[];
  readonly #shard: Shard | undefined;
  readonly #known = new KnownLooks();

  /**
   * @param shard the part of the projects that counts; all by default.
   * @throws HistoryError when the file cannot be read as a history.
   */
  constructor(file: string, accounts: readonly string[], shard?: Shard) {
    this.#file = file;
    this.#accounts = accounts;
    this.#shard = shard;
    this.#database = openLasting(file);
  }

  /**
   * Goes on with the file that is there now.
   *
   * @throws HistoryError as when it was made.
   */
  reopen(): void {
    const fresh = openLasting(this.#file);
    this.#database.close();
    this.#database = fresh;
  }

  /** The use as it is known now; a later query of it may know more, unless both are in one `steadily`. */
  look(): StoredUsageHistory {
    return lookAtUsage(this.#database, this.#accounts, this.#known, this.#shard);
  }

  /** Runs short work that sees the history as it was when the work began. */
  steadily<Result>(work: () => Result): Result {
    return this.#database.transaction(work)();
  }

  close(): void {
    this.#database.close();
  }
}

function openLasting(file: string): Database.Database {
  try {
    const database = planOnce(new Database(file, { readonly: true, fileMustExist: true }));
    keepFewPages(database);
    return database;
  } catch (cause) {
    throw unusable(file, cause);
  }
}

/** The use as it is known now, in a history that is open. */
export function lookAtUsage(
  database: Database.Database,
  accounts: readonly string[],
  known?: KnownLooks,
  shard?: Shard,
): StoredUsageHistory {
  const usage = new AttributedUsageQuery(database, accounts, shard);
  const countLedgers = statementsOf(database).value<[account: string], number>`
    SELECT count(*) FROM endpoint ${ofProject}
    WHERE account = ? AND ledger_until_at IS NOT NULL AND endpoint.gone_at IS NULL`;
  return {
    usage,
    hours: hoursOf(database, usage),
    endpoints: endpointHistoriesOf(database, usage),
    branches: branchUseOf(database),
    reconstruction: reconstructionsOf(database, usage).read,
    compareLedgers: ledgerComparisonsOf(database, usage, known?.comparisons),
    compareAwake: awakeComparisonsOf(database, usage, known?.awakeDrifts),
    accrual: storedAccruals(database).read,
    isImporting: account => usage.isImporting(account),
    ledgers: account => countLedgers(account) ?? 0,
  };
}
