import type { Database } from 'better-sqlite3';
import type { ClosedPeriod } from '../../resources/closed-period.ts';
import { compact } from '../../resources/field.ts';
import { findMissingShards, type Shard } from '../../resources/shard.ts';
import { ofProject } from '../clause.ts';
import { listClosings } from '../closing/closed-period.ts';
import { type HistorySource, readShard, readSources } from '../history-source.ts';
import { keptFromAt, type RetentionKind } from '../upkeep/retention.ts';
import { BranchUseQuery } from './branch-use-query.ts';
import { EndpointActivityQuery } from './endpoint-activity-query.ts';
import { EndpointHistoryQuery } from './endpoint-history-query.ts';
import { GapQuery } from './gap-query.ts';
import { KeyUseQuery, type RememberedKey, readKeys } from './key-query.ts';
import { LedgerComparisonQuery, ReconstructionQuery } from './ledger-comparison-query.ts';
import { MeterCoverageQuery } from './meter-coverage-query.ts';
import { OperationQuery } from './operation-query.ts';
import { HourQuery, PlacedUsageQuery } from './placed-usage-query.ts';
import { RollUpQuery } from './roll-up-query.ts';
import { SettledQuery } from './settled-query.ts';

/** The history of some accounts for reports, as it was at one moment. */
export interface ReportHistory {
  readonly accounts: readonly string[];
  readonly usage: PlacedUsageQuery;
  readonly rollUps: RollUpQuery;
  readonly hours: HourQuery;
  readonly meter: MeterCoverageQuery;
  readonly activity: EndpointActivityQuery;
  readonly gaps: GapQuery;
  readonly endpoints: EndpointHistoryQuery;
  readonly branches: BranchUseQuery;
  readonly ledgerComparisons: LedgerComparisonQuery;
  readonly operations: OperationQuery;
  readonly keys: readonly RememberedKey[];
  readonly keyUses: KeyUseQuery;
  readonly settled: SettledQuery;
  readonly cpuSources: readonly CpuSourceSince[];
  /** Billing periods that were closed, those reopened among them, by account and in order of time. */
  readonly closings: readonly ClosedPeriod[];
  /** Shards of an account whose projects are not in it. */
  missingShards(account: string): readonly Shard[];
  /** The files it was joined of, by account; none where it is one. */
  readonly sources: readonly HistorySource[];
  /** Instant from which on rows of each kind are all there; 0 while none was deleted. */
  readonly keptFromAt: Readonly<Record<RetentionKind, number>>;
}

/** The accounts a history knows, in the order in which it came to know them. */
export function listAccounts(database: Database): readonly string[] {
  return database.prepare<[], string>('SELECT account FROM account ORDER BY account_ref').pluck().all();
}

/** Reads the history of some accounts from a database that does not change meanwhile. */
export function openReportHistory(database: Database, accounts: readonly string[]): ReportHistory {
  const usage = new PlacedUsageQuery(database, accounts);
  const activity = new EndpointActivityQuery(database);
  const kept = (kind: RetentionKind) => keptFromAt(database, kind);
  const sources = readSources(database);
  return {
    accounts,
    sources: sources ?? [],
    missingShards: account =>
      findMissingShards(
        sources === undefined
          ? [readShard(database)]
          : sources.filter(each => each.account === account).map(({ shard }) => shard),
      ),
    usage,
    rollUps: new RollUpQuery(database),
    hours: new HourQuery(database, usage),
    meter: new MeterCoverageQuery(database, usage.metered),
    activity,
    gaps: new GapQuery(database, activity),
    endpoints: new EndpointHistoryQuery(database, usage),
    branches: new BranchUseQuery(database),
    ledgerComparisons: new LedgerComparisonQuery(database, usage, new ReconstructionQuery(database, usage)),
    operations: new OperationQuery(database),
    keys: readKeys(database).filter(({ account }) => accounts.includes(account)),
    keyUses: new KeyUseQuery(database),
    settled: new SettledQuery(database),
    cpuSources: readCpuSources(database),
    closings: listClosings(database).filter(({ account }) => accounts.includes(account)),
    keptFromAt: {
      samples: kept('samples'),
      hours: kept('hours'),
      days: kept('days'),
      operations: kept('operations'),
    },
  };
}

/** A time in which the compute of projects was read of each project itself; by the service's clock. */
export interface CpuSourceSince {
  readonly account: string;
  readonly fromAt: number;
  /** Absent while it still is. */
  readonly untilAt?: number;
}

interface Row {
  readonly account: string;
  readonly fromAt: number;
  readonly untilAt: number | null;
}

/** The time from the first to the last project of each account whose compute was read of itself. */
function readCpuSources(database: Database): readonly CpuSourceSince[] {
  return database
    .prepare<[], Row>(
      `SELECT account, min(at) AS fromAt, iif(cpu_source IS NULL, max(at), NULL) AS untilAt
       FROM cpu_source_change ${ofProject}
       GROUP BY account_ref ORDER BY account_ref`,
    )
    .all()
    .map(compact);
}
