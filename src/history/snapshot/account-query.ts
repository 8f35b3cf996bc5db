import type { Database } from 'better-sqlite3';
import type { AccountSummary, CollectorView } from '../../resources/account.ts';
import type { ApiKey } from '../../resources/api-key.ts';
import { accountLists, type Collector, optionalCollectors } from '../../resources/collector.ts';
import { compact } from '../../resources/field.ts';
import { inMonths, type MeterUnit } from '../../resources/meter.ts';
import { type OperationDuration, operationDurationBuckets } from '../../resources/operation.ts';
import type { CpuSource } from '../../resources/project-usage.ts';
import type { ImplausibleField } from '../../resources/reading.ts';
import { type Reason, reasons } from '../../resources/reason.ts';
import { isFirstImport } from '../clause.ts';
import { apiKeyColumns, type StoredRow } from '../column.ts';
import { statementsOf } from '../file/statement.ts';
import { fromMeterRow, type MeterRow, meterColumns } from '../meter-column.ts';

/** The view of an account itself, without projects and keys. */
export type AccountTotals = Omit<
  AccountSummary,
  'account' | 'api_keys' | 'lastProjectGoneAt' | 'importsLeft' | 'unavailableProjects'
>;

interface CollectorRow {
  readonly collector: Collector;
  readonly success: number;
  readonly last_success_at: number | null;
  readonly last_duration_ms: number;
  readonly auth_ok: number | null;
}

interface AccountRow {
  readonly cpu_used_total_sec: number | null;
  readonly cpu_source: CpuSource | null;
  readonly isImporting: 0 | 1;
}

type MeteredRow = MeterRow & Readonly<Record<'metered_until_at' | 'importing_since', number | null>>;
type ErrorRow = { readonly collector: string; readonly reason: Reason; readonly count: number };
type DurationRow = { readonly action: string } & Readonly<Record<'upper_bound' | 'count' | 'sum_ms', number>>;

/** Reads back from the history how an account and its collectors were last doing. */
export type AccountQuery = ReturnType<typeof accountQueryOf>;

/**
 * @param collectors the ones that are on: others are as if they had never been.
 * @param meterUnit how the service's meter counts what lasts.
 */
export function accountQueryOf(database: Database, collectors: readonly Collector[], meterUnit: MeterUnit) {
  const sql = statementsOf(database);
  const find = sql.one<[number], AccountRow>`
    SELECT cpu_used_total_sec, cpu_source, (${isFirstImport}) AS isImporting FROM account WHERE account_ref = ?`;
  const findMeter = sql.one<[number], MeteredRow>`
    SELECT metered_until_at, importing_since, ${meterColumns} FROM metered_account WHERE account_ref = ?`;
  const implausible = sql.tuples<[number], [ImplausibleField, number]>`
    SELECT field, count FROM implausible_value WHERE account_ref = ?`;
  const lost = sql.tuples<
    [number],
    [string, number]
  >`SELECT field, count FROM lost_field WHERE account_ref = ?`;
  const listCollectors = sql.all<[number], CollectorRow>`SELECT * FROM collector WHERE account_ref = ?`;
  const listErrors = sql.all<[number], ErrorRow>`
    SELECT collector, reason, count FROM collector_error WHERE account_ref = ?`;
  const durations = sql.all<[number], DurationRow>`
    SELECT action, upper_bound, count, sum_ms FROM operation_duration WHERE account_ref = ?`;
  const keys = sql.all<[number], StoredRow>`
    SELECT * FROM api_key WHERE account_ref = ? AND gone_at IS NULL ORDER BY key_ref`;
  return {
    /** The keys of an account that are not gone, as they were last known, in the order they were first seen. */
    keys: (account_ref: number): readonly StoredKey[] =>
      keys(account_ref).map(row => ({
        key_id: String(row.key_id),
        ...apiKeyColumns.read(row),
        sourceAddressChanges: Number(row.source_address_changes),
      })),
    read(account_ref: number): AccountTotals {
      const rows = listCollectors(account_ref).filter(({ collector }) => collectors.includes(collector));
      const lists = rows.filter(({ collector }) => accountLists.includes(collector));
      const account = find(account_ref);
      const meter = collectors.includes('consumption') ? findMeter(account_ref) : undefined;
      // A counter that begins before its past is read would grow by that.
      const metered = meter?.importing_since === null ? fromMeterRow(meter) : undefined;
      const auth = lists.map(({ auth_ok }) => auth_ok).filter(ok => ok !== null);
      return {
        collectors: viewCollectors(collectors, rows, listErrors(account_ref)),
        implausible: Object.fromEntries(implausible(account_ref)),
        ...compact({
          operationDurations: account?.isImporting === 1 ? undefined : viewDurations(durations(account_ref)),
          up: lists.length === 0 ? undefined : lists.every(({ success }) => success === 1),
          authOk: auth.length === 0 ? undefined : auth.every(ok => ok === 1),
          cpuUsedSeconds: account?.cpu_used_total_sec,
          cpuSource: account?.cpu_source,
          lostFields: asLostFields(lost(account_ref)),
          metered: metered && inMonths(metered, meterUnit),
          meteredUntilAt: meter?.metered_until_at,
        }),
      };
    },
    /** When a project was last found gone, by the service's clock; undefined while none was. */
    lastGoneAt: sql.value<
      [account_ref: number],
      number
    >`SELECT max(gone_at) FROM project WHERE account_ref = ?`,
    /** The service's clock minus the host's when the list of projects was last read; undefined before it was. */
    clockSkewMs: sql.value<[account_ref: number], number>`
      SELECT projects_listed_at - last_success_at FROM account JOIN collector USING (account_ref)
      WHERE account_ref = ? AND collector = 'projects'`,
  };
}

function viewCollectors(
  collectors: readonly Collector[],
  rows: readonly CollectorRow[],
  errors: readonly ErrorRow[],
): readonly CollectorView[] {
  // One that not every service offers has series from its first attempt on.
  const shown = collectors.filter(
    each => rows.some(row => row.collector === each) || !optionalCollectors.some(one => one === each),
  );
  return shown.map(collector => {
    const row = rows.find(each => each.collector === collector);
    const own = errors.filter(error => error.collector === collector && reasons.includes(error.reason));
    return {
      collector,
      errors: Object.fromEntries(own.map(({ reason, count }) => [reason, count])),
      ...compact({
        success: row && row.success === 1,
        lastSuccessAt: row?.last_success_at,
        lastDurationMs: row?.last_duration_ms,
      }),
    };
  });
}

function viewDurations(all: readonly DurationRow[]): readonly OperationDuration[] {
  return Array.from(
    Map.groupBy(all, row => row.action),
    ([action, rows]) => {
      const upTo = (bound: number) =>
        rows.reduce((sum, row) => sum + (row.upper_bound <= bound ? row.count : 0), 0);
      const sum = rows.reduce((all, row) => all + row.sum_ms, 0) / 1000;
      const cumulativeCounts = operationDurationBuckets.map(upTo);
      return { action, seconds: { cumulativeCounts, count: upTo(Number.POSITIVE_INFINITY), sum } };
    },
  );
}

function asLostFields(counts: readonly [string, number][]): Readonly<Record<string, number>> | undefined {
  return counts.length === 0 ? undefined : Object.fromEntries(counts);
}

/** An API key as it was last listed, with the number of times it was used from another address than before. */
export type StoredKey = ApiKey & { readonly sourceAddressChanges: number };
