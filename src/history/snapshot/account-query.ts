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

/** Reads back from the history how an account and its collectors were last doing. */
export class AccountQuery {
  readonly #statements;
  readonly #collectors: readonly Collector[];
  readonly #meterUnit: MeterUnit;

  /**
   * @param collectors the ones that are on: others are as if they had never been.
   * @param meterUnit how the service's meter counts what lasts.
   */
  constructor(database: Database, collectors: readonly Collector[], meterUnit: MeterUnit) {
    this.#collectors = collectors;
    this.#meterUnit = meterUnit;
    this.#statements = prepare(database);
  }

  read(account_ref: number): AccountTotals {
    const isOn = ({ collector }: CollectorRow) => this.#collectors.includes(collector);
    const rows = this.#statements.collectors(account_ref).filter(isOn);
    const views = this.#viewCollectors(account_ref, rows);
    const lists = rows.filter(({ collector }) => accountLists.includes(collector));
    const readsMeter = this.#collectors.includes('consumption');
    const meter = readsMeter ? this.#statements.meter(account_ref) : undefined;
    // A counter that begins before its past is read would grow by that.
    const metered = meter?.importing_since === null ? fromMeterRow(meter) : undefined;
    const auth = lists.map(({ auth_ok }) => auth_ok).filter(ok => ok !== null);
    return {
      collectors: views,
      implausible: Object.fromEntries(this.#statements.implausible(account_ref)),
      ...compact({
        operationDurations: this.#isImporting(account_ref) ? undefined : this.#durations(account_ref),
        up: lists.length === 0 ? undefined : lists.every(({ success }) => success === 1),
        authOk: auth.length === 0 ? undefined : auth.every(ok => ok === 1),
        cpuUsedSeconds: this.#statements.cpuUsed(account_ref),
        cpuSource: this.#statements.cpuSource(account_ref),
        lostFields: asLostFields(this.#statements.lost(account_ref)),
        metered: metered && inMonths(metered, this.#meterUnit),
        meteredUntilAt: meter?.metered_until_at,
      }),
    };
  }

  /** When a project was last found gone, by the service's clock; undefined while none was. */
  lastGoneAt(account_ref: number): number | undefined {
    return this.#statements.lastGone(account_ref);
  }

  /** The service's clock minus the host's when the list of projects was last read; undefined before it was. */
  clockSkewMs(account_ref: number): number | undefined {
    return this.#statements.clockSkew(account_ref);
  }

  #isImporting(account_ref: number): boolean {
    return this.#statements.isImporting(account_ref) !== undefined;
  }

  #viewCollectors(account_ref: number, stored: readonly CollectorRow[]): readonly CollectorView[] {
    const rows = new Map(stored.map(row => [row.collector, row]));
    const errors = this.#statements.collectorErrors(account_ref);
    // One that not every service offers has series from its first attempt on.
    const shown = this.#collectors.filter(
      each => rows.has(each) || !optionalCollectors.some(one => one === each),
    );
    return shown.map(collector => {
      const row = rows.get(collector);
      return {
        collector,
        errors: Object.fromEntries(
          errors
            .filter(error => error.collector === collector && reasons.includes(error.reason))
            .map(({ reason, count }) => [reason, count]),
        ),
        ...compact({
          success: row && row.success === 1,
          lastSuccessAt: row?.last_success_at,
          lastDurationMs: row?.last_duration_ms,
        }),
      };
    });
  }

  #durations(account_ref: number): readonly OperationDuration[] {
    const byAction = Map.groupBy(this.#statements.durations(account_ref), row => row.action);
    return [...byAction].map(([action, rows]) => {
      const upTo = (bound: number) =>
        rows.reduce((sum, row) => sum + (row.upper_bound <= bound ? row.count : 0), 0);
      return {
        action,
        seconds: {
          cumulativeCounts: operationDurationBuckets.map(upTo),
          count: upTo(Number.POSITIVE_INFINITY),
          sum: rows.reduce((sum, row) => sum + row.sum_ms, 0) / 1000,
        },
      };
    });
  }
}

function asLostFields(counts: readonly [string, number][]): Readonly<Record<string, number>> | undefined {
  return counts.length === 0 ? undefined : Object.fromEntries(counts);
}

function prepare(database: Database) {
  const sql = statementsOf(database);
  return {
    cpuUsed: sql.value<[number], number>`SELECT cpu_used_total_sec FROM account WHERE account_ref = ?`,
    meter: sql.one<
      [number],
      MeterRow & { readonly metered_until_at: number | null; readonly importing_since: number | null }
    >`
      SELECT metered_until_at, importing_since, ${meterColumns} FROM metered_account WHERE account_ref = ?`,
    cpuSource: sql.value<[number], CpuSource>`SELECT cpu_source FROM account WHERE account_ref = ?`,
    isImporting: sql.one<[number], unknown>`SELECT 1 FROM account WHERE account_ref = ? AND ${isFirstImport}`,
    lastGone: sql.value<[number], number>`SELECT max(gone_at) FROM project WHERE account_ref = ?`,
    implausible: sql.tuples<[number], [ImplausibleField, number]>`
      SELECT field, count FROM implausible_value WHERE account_ref = ?`,
    lost: sql.tuples<[number], [string, number]>`SELECT field, count FROM lost_field WHERE account_ref = ?`,
    clockSkew: sql.value<[number], number>`
      SELECT projects_listed_at - last_success_at FROM account JOIN collector USING (account_ref)
      WHERE account_ref = ? AND collector = 'projects'`,
    collectors: sql.all<[number], CollectorRow>`SELECT * FROM collector WHERE account_ref = ?`,
    collectorErrors: sql.all<[number], { collector: string; reason: Reason; count: number }>`
      SELECT collector, reason, count FROM collector_error WHERE account_ref = ?`,
    durations: sql.all<[number], { action: string; upper_bound: number; count: number; sum_ms: number }>`
      SELECT action, upper_bound, count, sum_ms FROM operation_duration WHERE account_ref = ?`,
  };
}

/** An API key as it was last listed, with the number of times it was used from another address than before. */
export type StoredKey = ApiKey & { readonly sourceAddressChanges: number };

/** Reads API keys back from the history, as they were last known. */
export class KeyQuery {
  readonly #keys;

  constructor(database: Database) {
    this.#keys = statementsOf(database).all<[number], StoredRow>`
      SELECT * FROM api_key WHERE account_ref = ? AND gone_at IS NULL ORDER BY key_ref`;
  }

  /** The keys of an account that are not gone, in the order they were first seen. */
  keys(account_ref: number): readonly StoredKey[] {
    return this.#keys(account_ref).map(row => ({
      key_id: String(row.key_id),
      ...apiKeyColumns.read(row),
      sourceAddressChanges: Number(row.source_address_changes),
    }));
  }
}
