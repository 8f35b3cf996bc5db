import type { Database } from 'better-sqlite3';
import { type BegunAnew, BegunAnewList, isLost, isRebuilt } from './begun-anew.ts';
import { repairLedgers } from './ledger-repair.ts';
import { repairMeter } from './meter-repair.ts';
import { repairOperations } from './operation-repair.ts';
import { repairProjects } from './project-repair.ts';
import { repairSamples } from './sample-repair.ts';

/** Counters that are stored as they are, row by row, for an account. */
const storedCounters: readonly (readonly [metric: string, table: string])[] = [
  ['dbpm_collector_errors_total', 'collector_error'],
  ['dbpm_account_implausible_values_total', 'implausible_value'],
  ['dbpm_account_lost_fields_total', 'lost_field'],
  ['dbpm_account_cost_total', 'cost_accrual'],
  ['dbpm_account_unpriced_compute_seconds_total', 'cost_accrual'],
];

const ledgerMetrics = [
  'dbpm_endpoint_starts_total',
  'dbpm_endpoint_state_seconds_total',
  'dbpm_endpoint_suspends_total',
];
const projectMetrics = [
  ...ledgerMetrics,
  'dbpm_operation_attempt_failures_total',
  'dbpm_operations_total',
  'dbpm_project_cpu_used_resets_total',
  'dbpm_project_cpu_used_seconds_total',
];

/** Counters of what is lost altogether, by the table that named it. */
const lostCounters: readonly (readonly [table: string, metrics: readonly string[]])[] = [
  ['endpoint', ledgerMetrics],
  ['project', projectMetrics],
  [
    'account',
    [
      ...projectMetrics,
      ...storedCounters.map(([metric]) => metric),
      'dbpm_account_cpu_used_seconds_total',
      'dbpm_operation_duration_seconds',
      'dbpm_api_key_source_address_changes_total',
    ],
  ],
];

/**
 * Makes what was saved of a history agree with itself, so that nothing is counted twice as it goes on.
 *
 * @param database of the newest format, with the notes of the copy of its tables.
 * @param writtenAt until when it may have been written to, for one in which no instant is left.
 * @returns counters that begin anew.
 */
export function repairHistory(database: Database, writtenAt: number): readonly BegunAnew[] {
  return database.transaction(() => {
    const anew = new BegunAnewList(database);
    const latestAt = findLatest(database) ?? writtenAt;
    repairLedgers(database, anew, latestAt);
    repairOperations(database, anew, latestAt);
    repairProjects(database, anew, latestAt);
    repairSamples(database);
    repairMeter(database, anew);
    repairKeys(database, anew, latestAt);
    for (const [metric, table] of storedCounters)
      anew.addAccounts(metric, isLost(table, 'account.account_ref'));
    for (const [table, metrics] of lostCounters) anew.addUnknown(metrics, table);
    return anew.list();
  })();
}

/** The latest instant of a reading, by the service's clock. */
function findLatest(database: Database): number | undefined {
  const latest = database
    .prepare<[], number | null>(
      `SELECT max(at) FROM (SELECT max(projects_listed_at) AS at FROM account
         UNION ALL SELECT max(max(coalesce(endpoints_served_at, 0)), max(coalesce(cpu_last_at, 0))) FROM project
         UNION ALL SELECT max(ledger_until_at) FROM endpoint UNION ALL SELECT at FROM confirmed_clock)`,
    )
    .pluck()
    .get();
  return latest === 0 || latest === null ? undefined : latest;
}

/** Without the salt, addresses that were hashed cannot be told from others: a change of them must not count. */
function repairKeys(database: Database, anew: BegunAnewList, latestAt: number): void {
  const rebuilt = isRebuilt('api_key', 'key_ref');
  database
    .prepare<[number]>(
      `UPDATE api_key SET first_seen_at = coalesce(
         (SELECT min(from_at) FROM key_use WHERE key_use.key_ref = api_key.key_ref), ?) WHERE ${rebuilt}`,
    )
    .run(latestAt);
  anew.addAccounts(
    'dbpm_api_key_source_address_changes_total',
    `EXISTS (SELECT 1 FROM lost WHERE tbl = 'api_key')`,
  );
  database.exec(`
    UPDATE api_key SET last_used_from_addr = NULL
      WHERE last_used_from_addr LIKE 'hashed:%' AND NOT EXISTS (SELECT 1 FROM source_salt);
    INSERT INTO source_salt SELECT lower(hex(randomblob(16))) WHERE NOT EXISTS (SELECT 1 FROM source_salt)`);
}
