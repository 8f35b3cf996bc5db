import type { Database } from 'better-sqlite3';
import type { ClosedPeriod } from '../../resources/closed-period.ts';
import { listClosings } from '../closing/closed-period-query.ts';
import { lookUp } from '../file/look-up.ts';
import { refuseOtherFormat } from '../file/reader.ts';
import { keptFromAt, type RetentionKind } from '../upkeep/retention.ts';
import { type CpuSourceSince, readCpuSources } from './cpu-source-query.ts';
import { EndpointActivityQuery } from './endpoint-activity-query.ts';
import { EndpointHistoryQuery } from './endpoint-history-query.ts';
import { GapQuery } from './gap-query.ts';
import { HourQuery } from './hour-query.ts';
import { OperationQuery } from './operation-query.ts';
import { PlacedUsageQuery } from './placed-usage-query.ts';
import { type RememberedKey, readKeys } from './remembered-key.ts';
import { RollUpQuery } from './roll-up-query.ts';

/** The history of some accounts for reports, as it was at one moment. */
export interface ReportHistory {
  readonly accounts: readonly string[];
  readonly usage: PlacedUsageQuery;
  readonly rollUps: RollUpQuery;
  readonly hours: HourQuery;
  readonly activity: EndpointActivityQuery;
  readonly gaps: GapQuery;
  readonly endpoints: EndpointHistoryQuery;
  readonly operations: OperationQuery;
  readonly keys: readonly RememberedKey[];
  readonly cpuSources: readonly CpuSourceSince[];
  /** Billing periods that were closed, those reopened among them, by account and in order of time. */
  readonly closings: readonly ClosedPeriod[];
  /** Instant from which on rows of each kind are all there; 0 while none was deleted. */
  readonly keptFromAt: Readonly<Record<RetentionKind, number>>;
}

/**
 * Reads a history that a daemon may be writing, which is not disturbed.
 *
 * @param choose picks accounts among those the history knows.
 * @param read makes the report while nothing the daemon writes is seen.
 * @returns undefined where there is no history yet.
 * @throws HistoryError when the file cannot be read as a history of this version.
 */
export function readReportHistory<Found>(
  file: string,
  choose: (known: readonly string[]) => readonly string[],
  read: (history: ReportHistory) => Found,
): Found | undefined {
  return lookUp(file, database => {
    refuseOtherFormat(database, file);
    return database.transaction(() => read(openReportHistory(database, choose)))();
  });
}

function openReportHistory(
  database: Database,
  choose: (known: readonly string[]) => readonly string[],
): ReportHistory {
  const known = database
    .prepare<[], string>('SELECT account FROM account ORDER BY account_ref')
    .pluck()
    .all();
  const accounts = choose(known);
  const usage = new PlacedUsageQuery(database, accounts);
  const activity = new EndpointActivityQuery(database);
  const kept = (kind: RetentionKind) => keptFromAt(database, kind);
  return {
    accounts,
    usage,
    rollUps: new RollUpQuery(database),
    hours: new HourQuery(database, usage),
    activity,
    gaps: new GapQuery(database, activity),
    endpoints: new EndpointHistoryQuery(database, usage),
    operations: new OperationQuery(database),
    keys: readKeys(database).filter(({ account }) => accounts.includes(account)),
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
