import type { Database } from 'better-sqlite3';
import type { ApiKey } from '../resources/api-key.ts';
import type { Endpoint, EndpointView } from '../resources/endpoint.ts';
import { type Compact, compact } from '../resources/field.ts';
import type { OperationTotals } from '../resources/operation.ts';
import type { Project } from '../resources/project.ts';
import { asCounter, type CounterColumns, type CpuCounter } from './cpu-counter.ts';
import { endpointColumns } from './endpoint-record.ts';
import { projectColumns } from './project-record.ts';
import type { WordRegister } from './word-register.ts';

/** A remembered project, as it was last reported, with its counters. */
export interface StoredProject {
  readonly project_ref: number;
  readonly project: Compact<Project>;
  /** Absent while `cpu_used_sec` was never reported. */
  readonly cpu?: CpuCounter;
  readonly lastRefreshAt?: number;
  readonly endpoints: readonly EndpointView[];
  readonly operations?: OperationTotals;
}

export type StoredKey = Compact<ApiKey> & { readonly sourceAddressChanges: number };

type Row = Readonly<Record<string, string | number | null>>;

/** Reads projects and keys back from the history, as they were last known. */
export class ViewQuery {
  readonly #words: WordRegister;
  readonly #statements;

  constructor(database: Database, words: WordRegister) {
    this.#words = words;
    this.#statements = prepare(database);
  }

  projectIds(account_ref: number): readonly string[] {
    return this.#statements.projectIds.all(account_ref);
  }

  /** @returns undefined when the project is unknown or gone. */
  project(account: string, account_ref: number, project_id: string): StoredProject | undefined {
    const row = this.#statements.project.get(account_ref, project_id);
    if (row === undefined) return undefined;
    const { project_ref } = row;
    const imported = row.operations_head_at !== null && row.operations_tail_cursor === null;
    const operationsKnown = imported || row.born_watched === 1;
    return {
      ...compact({
        cpu: asCounter(row),
        lastRefreshAt: optionalNumber(row.last_refresh_at),
        operations: operationsKnown ? this.#operations(account_ref, project_ref) : undefined,
      }),
      project_ref,
      project: pick<Project>(row, ['project_id', ...projectColumns]),
      endpoints: this.#statements.endpoints
        .all(project_ref)
        .map(endpoint => this.#endpoint(account, project_id, endpoint, operationsKnown)),
    };
  }

  #endpoint(account: string, project_id: string, row: Row, operationsKnown: boolean): EndpointView {
    const stateDurations = this.#statements.stateDurations.all(Number(row.endpoint_ref));
    return {
      ...pick<Endpoint>(row, ['endpoint_id', ...endpointColumns]),
      account,
      project_id,
      ...(operationsKnown && { starts: Number(row.starts), suspends: Number(row.suspends) }),
      ...(row.ledger_state !== null && { stateDurations }),
    };
  }

  #operations(account_ref: number, project_ref: number): OperationTotals {
    const oldest = this.#statements.oldestOpen.get(project_ref) ?? undefined;
    const inProgress = this.#statements.inProgress.all(project_ref).map(({ action, status, count }) => ({
      action: this.#words.labelOf(account_ref, 'action', action),
      status: this.#words.labelOf(account_ref, 'status', status),
      count,
    }));
    return {
      ended: this.#statements.ended.all(project_ref),
      attemptFailures: this.#statements.attemptFailures.all(project_ref),
      inProgress: addUp(inProgress),
      ...compact({ oldestInProgressAt: oldest }),
    };
  }

  keys(account_ref: number): readonly StoredKey[] {
    return this.#statements.keys.all(account_ref).map(row => ({
      ...pick<ApiKey>(row, ['key_id', 'key_name', 'created_at', 'last_used_at', 'last_used_from_addr']),
      sourceAddressChanges: Number(row.source_address_changes),
    }));
  }
}

const flagColumns: ReadonlySet<string> = new Set([
  'locked',
  'disabled',
  'pooler_enabled',
  'passwordless_access',
]);

/** The columns that hold something, as the decoded item they came from: "absent" has one form only. */
function pick<Item>(row: Row, columns: readonly (keyof Item & string)[]): Compact<Item> {
  const picked: Record<string, unknown> = {};
  for (const column of columns) {
    const value = row[column];
    if (value !== null) picked[column] = flagColumns.has(column) ? value === 1 : value;
  }
  return picked as Compact<Item>;
}

function optionalNumber(value: string | number | null | undefined): number | undefined {
  return value == null ? undefined : Number(value);
}

/** Words that became the same label are one sample. */
function addUp(counts: OperationTotals['inProgress']): OperationTotals['inProgress'] {
  const sums = new Map<string, OperationTotals['inProgress'][number]>();
  for (const { action, status, count } of counts) {
    const key = JSON.stringify([action, status]);
    sums.set(key, { action, status, count: count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.values()];
}

function prepare(database: Database) {
  type Counted = { action: string; count: number };
  return {
    projectIds: database
      .prepare<[number], string>(
        'SELECT project_id FROM project WHERE account_ref = ? AND gone_at IS NULL ORDER BY project_ref',
      )
      .pluck(),
    project: database.prepare<[number, string], Row & CounterColumns & { readonly project_ref: number }>(
      'SELECT * FROM project WHERE account_ref = ? AND project_id = ? AND gone_at IS NULL',
    ),
    endpoints: database.prepare<[number], Row>(
      `SELECT * FROM endpoint WHERE project_ref = ? AND gone_at IS NULL AND first_seen_at IS NOT NULL
       ORDER BY endpoint_ref`,
    ),
    stateDurations: database.prepare<[number], { state: string; durationMs: number }>(
      'SELECT state, duration_ms AS durationMs FROM state_duration WHERE endpoint_ref = ?',
    ),
    ended: database.prepare<[number], Counted & { status: string; lastEndedAt: number }>(
      `SELECT action, status, count, last_ended_at AS lastEndedAt FROM operation_count WHERE project_ref = ?`,
    ),
    attemptFailures: database.prepare<[number], Counted>(
      'SELECT action, count FROM attempt_failure_count WHERE project_ref = ?',
    ),
    inProgress: database.prepare<[number], Counted & { status: string }>(
      `SELECT action, status, count(*) AS count FROM operation
       WHERE project_ref = ? AND phase = 'open' GROUP BY action, status`,
    ),
    oldestOpen: database
      .prepare<[number], number | null>(
        `SELECT min(created_at) FROM operation WHERE project_ref = ? AND phase = 'open'`,
      )
      .pluck(),
    keys: database.prepare<[number], Row>(
      'SELECT * FROM api_key WHERE account_ref = ? AND gone_at IS NULL ORDER BY key_ref',
    ),
  };
}
