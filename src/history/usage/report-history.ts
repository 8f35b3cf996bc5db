import type { Database } from 'better-sqlite3';
import { dayMs, hourMs, minuteMs } from '../../resources/duration.ts';
import { compact } from '../../resources/field.ts';
import { minOf } from '../../resources/min-max.ts';
import { findMissingShards, isOfShard, type Shard } from '../../resources/shard.ts';
import { isFirstImport, ofProject } from '../clause.ts';
import { listClosings } from '../closing/closed-period.ts';
import { lookUp } from '../file/reader.ts';
import { type RowOf, statementsOf } from '../file/statement.ts';
import { readShard, readSources } from '../history-source.ts';
import { keptFromAt } from '../upkeep/retention.ts';
import { AttributedUsageQuery, hoursOf } from './attributed-usage-query.ts';
import { branchUseOf } from './branch-use-query.ts';
import { endpointActivityOf } from './endpoint-activity-query.ts';
import { endpointHistoriesOf } from './endpoint-history-query.ts';
import { gapsOf } from './gap-query.ts';
import { keyUsesOf, readKeys } from './key-query.ts';
import { ledgerComparisonsOf } from './ledger-comparison-query.ts';
import { meterCoverageOf } from './meter-coverage-query.ts';
import { endedOperationsOf } from './operation-query.ts';
import { rollUpsOf } from './roll-up-query.ts';

/** The history of some accounts for reports, as it was at one moment. */
export type ReportHistory = ReturnType<typeof openReportHistory>;

/** Picks accounts among the known ones. */
export type ChooseAccounts = (known: readonly string[]) => readonly string[];

/** Opens the history of some of the accounts that it knows. */
export type OpenHistory = (choose: ChooseAccounts) => ReportHistory;

/**
 * Looks at a history that a daemon may be writing; nothing changes meanwhile: all that is opened is of one instant.
 *
 * @returns undefined where there is none yet.
 * @throws HistoryError when the file cannot be read as a history of this version.
 */
export function lookAtHistory<Found>(file: string, read: (open: OpenHistory) => Found): Found | undefined {
  return lookUp(file, database => database.transaction(() => read(openerOf(database)))());
}

/** Each choice of accounts is opened once: who asks for the same again shares what was read of it. */
export function openerOf(database: Database): OpenHistory {
  const opened = new Map<string, ReportHistory>();
  return choose => {
    const accounts = choose(listAccounts(database));
    const key = JSON.stringify(accounts);
    const history = opened.get(key) ?? openReportHistory(database, accounts);
    opened.set(key, history);
    return history;
  };
}

/** The accounts a history knows, in the order in which it came to know them. */
export function listAccounts(database: Database): readonly string[] {
  return statementsOf(database).values<[], string>`SELECT account FROM account ORDER BY account_ref`();
}

/** Reads the history of some accounts from a database that does not change meanwhile. */
export function openReportHistory(database: Database, accounts: readonly string[]) {
  const usage = new AttributedUsageQuery(database, accounts);
  const activity = endpointActivityOf(database);
  const sources = readSources(database);
  return {
    ...{ accounts, usage, activity },
    rollUps: rollUpsOf(database),
    hours: hoursOf(database, usage),
    meter: meterCoverageOf(database, usage.metered),
    gaps: gapsOf(database, activity),
    endpoints: endpointHistoriesOf(database, usage),
    branches: branchUseOf(database),
    compareLedgers: ledgerComparisonsOf(database, usage),
    operations: endedOperationsOf(database),
    keys: readKeys(database).filter(({ account }) => accounts.includes(account)),
    keyUses: keyUsesOf(database),
    settledUntil: settledUntilOf(database),
    cpuSources: readCpuSources(database),
    /** Billing periods that were closed, those reopened among them, by account and in order of time. */
    closings: listClosings(database).filter(({ account }) => accounts.includes(account)),
    /** Shards of an account whose projects are not in it. */
    missingShards: (account: string): readonly Shard[] =>
      findMissingShards(
        sources?.filter(each => each.account === account).map(({ shard }) => shard) ?? [readShard(database)],
      ),
    /** The files it was joined of, by account; none where it is one. */
    sources: sources ?? [],
    /** Instant from which on rows of each kind are all there; 0 while none was deleted. */
    keptFromAt: {
      samples: keptFromAt(database, 'samples'),
      hours: keptFromAt(database, 'hours'),
      days: keptFromAt(database, 'days'),
      operations: keptFromAt(database, 'operations'),
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

/** The time from the first to the last project of each account whose compute was read of itself. */
function readCpuSources(database: Database): readonly CpuSourceSince[] {
  return statementsOf(database).all<[], RowOf<CpuSourceSince>>`
    SELECT account, min(at) AS fromAt, iif(cpu_source IS NULL, max(at), NULL) AS untilAt
    FROM cpu_source_change ${ofProject}
    GROUP BY account_ref ORDER BY account_ref`().map(compact);
}

/** Lists, operations and keys may be a little behind each other. */
const slackMs = 15 * minuteMs;
/** Keys that are not read any more do not hold up their account for longer. */
const longestKeyGapMs = dayMs;

/**
 * Reads until when nothing the daemon still learns changes what is known of an account, 0 while nothing is settled: use is
 * written by the hour, the operations it had at first are imported, and its keys were read since. The meter of the service is
 * settled apart.
 */
function settledUntilOf(database: Database) {
  const sql = statementsOf(database);
  const shard = readShard(database);
  const ofAccount = sql.value<[account: string], number>`
    SELECT min(
      projects_listed_at - ${slackMs},
      coalesce((SELECT last_success_at - ${slackMs} FROM collector
        WHERE collector.account_ref = account.account_ref AND collector = 'api_keys'
          AND last_success_at > projects_listed_at - ${longestKeyGapMs}),
        projects_listed_at),
      iif(${isFirstImport}, 0, projects_listed_at)
    ) FROM account WHERE account = ? AND projects_listed_at IS NOT NULL`;
  // A project that is gone is settled once its hours are written to its end.
  const ofProjects = sql.tuples<[string], [project_id: string, rolledUntilAt: number]>`
    SELECT project_id, max(rolled_until_hour * ${hourMs}, coalesce(created_at, 0))
    FROM project JOIN account USING (account_ref)
    WHERE account = ? AND (gone_at IS NULL OR rolled_until_hour * ${hourMs} <= gone_at)`;
  return (account: string): number => {
    // One that moved to another shard is not read here any more.
    const own = ofProjects(account).filter(([project_id]) => !shard || isOfShard(project_id, shard));
    const untilAt = ofAccount(account) ?? 0;
    return Math.min(untilAt, minOf(own.map(([, rolledUntilAt]) => rolledUntilAt)));
  };
}
