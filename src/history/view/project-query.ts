import type { Database } from 'better-sqlite3';
import type { Collector } from '../../resources/collector.ts';
import type { Endpoint, EndpointView } from '../../resources/endpoint.ts';
import { compact } from '../../resources/field.ts';
import type { OperationTotals } from '../../resources/operation.ts';
import type { Project } from '../../resources/project.ts';
import type { OperationProgress } from '../../resources/reading.ts';
import { endpointColumns, pickColumns, projectColumns, type StoredRow } from '../column.ts';
import { asCounter, type CounterColumns } from '../ledger/cpu-counter.ts';
import { fromMeterRow, type MeterRow, meterColumns } from '../meter-column.ts';
import type { WordRegister } from '../record/word-register.ts';
import { BranchQuery } from './branch-query.ts';
import type { RefreshedProject, StoredProject } from './stored-project.ts';

interface RefreshColumns {
  readonly last_refresh_at: number | null;
  readonly operations_head_at: number | null;
  readonly operations_tail_cursor: string | null;
  readonly born_watched: number;
}

type ProjectRow = StoredRow &
  CounterColumns &
  RefreshColumns & { readonly project_ref: number; readonly usage_read_at: number | null };

interface OpenOperation {
  readonly operation_id: string;
  readonly action: string;
  readonly status: string;
  readonly created_at: number | null;
  readonly retry_at: number | null;
}

interface ProjectName {
  readonly account: string;
  readonly account_ref: number;
  readonly project_id: string;
  readonly project_ref: number;
}

/** Reads projects back from the history, as they were last known. */
export class ProjectQuery {
  readonly #words: WordRegister;
  readonly #statements;
  readonly #reads: { readonly endpoints: boolean; readonly operations: boolean; readonly meter: boolean };
  readonly #branches: BranchQuery | undefined;

  /** @param collectors those that are on: what the others once read is not shown, and decides nothing. */
  constructor(database: Database, words: WordRegister, collectors: readonly Collector[]) {
    this.#words = words;
    this.#reads = {
      endpoints: collectors.includes('endpoints'),
      operations: collectors.includes('operations'),
      meter: collectors.includes('consumption'),
    };
    this.#branches = collectors.includes('branches') ? new BranchQuery(database) : undefined;
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
    const refreshed = this.#refreshed({ account, account_ref, project_id, project_ref }, row);
    return {
      project_ref,
      project: pickColumns<Project>(row, ['project_id', ...projectColumns]),
      ...compact({
        cpu: asCounter(row),
        usageReadAt: row.usage_read_at ?? undefined,
        metered: this.#metered(account_ref, project_id),
      }),
      ...refreshed,
    };
  }

  /** The project with what its own readings changed. */
  refreshed(account: string, account_ref: number, stored: StoredProject): StoredProject {
    const { project_ref, project, cpu, usageReadAt, metered } = stored;
    const row = this.#statements.refreshed.get(project_ref);
    if (row === undefined) return stored;
    const refreshed = this.#refreshed(
      { account, account_ref, project_id: project.project_id, project_ref },
      row,
    );
    return { project_ref, project, ...compact({ cpu, usageReadAt, metered }), ...refreshed };
  }

  #metered(account_ref: number, project_id: string) {
    return this.#reads.meter
      ? fromMeterRow(this.#statements.metered.get(account_ref, project_id))
      : undefined;
  }

  #refreshed(
    { account, account_ref, project_id, project_ref }: ProjectName,
    row: RefreshColumns,
  ): RefreshedProject {
    const progress: OperationProgress = compact({
      headAt: row.operations_head_at ?? undefined,
      tailCursor: row.operations_tail_cursor ?? undefined,
    });
    const imported = progress.headAt !== undefined && progress.tailCursor === undefined;
    const operationsKnown = this.#reads.operations && (imported || row.born_watched === 1);
    const open = this.#reads.operations ? this.#statements.open.all(project_ref) : [];
    const endpoints = this.#reads.endpoints ? this.#statements.endpoints.all(project_ref) : [];
    return {
      ...compact({
        lastRefreshAt: row.last_refresh_at ?? undefined,
        branches: this.#branches?.totals(project_ref),
        operations: operationsKnown ? this.#operations(account_ref, project_ref, open) : undefined,
      }),
      endpoints: endpoints.map(endpoint => this.#endpoint(account, project_id, endpoint, operationsKnown)),
      progress,
      openIds: open.map(({ operation_id }) => operation_id),
    };
  }

  #endpoint(account: string, project_id: string, row: StoredRow, operationsKnown: boolean): EndpointView {
    const stateDurations = this.#statements.stateDurations.all(Number(row.endpoint_ref));
    return {
      ...pickColumns<Endpoint>(row, ['endpoint_id', ...endpointColumns]),
      account,
      project_id,
      ...(operationsKnown && { starts: Number(row.starts), suspends: Number(row.suspends) }),
      ...(row.ledger_state !== null && { stateDurations }),
    };
  }

  #operations(account_ref: number, project_ref: number, open: readonly OpenOperation[]): OperationTotals {
    return {
      ended: this.#statements.ended.all(project_ref),
      attemptFailures: this.#statements.attemptFailures.all(project_ref),
      inProgress: this.#countOpen(account_ref, open),
      ...compact({
        oldestInProgressAt: earliest(open.map(({ created_at }) => created_at)),
        nextRetryAt: earliest(open.map(({ retry_at }) => retry_at)),
      }),
    };
  }

  /** Words that became the same label are one sample. */
  #countOpen(account_ref: number, open: readonly OpenOperation[]): OperationTotals['inProgress'] {
    const counts = new Map<string, OperationTotals['inProgress'][number]>();
    for (const operation of open) {
      const action = this.#words.labelOf(account_ref, 'action', operation.action);
      const status = this.#words.labelOf(account_ref, 'status', operation.status);
      const key = JSON.stringify([action, status]);
      counts.set(key, { action, status, count: 1 + (counts.get(key)?.count ?? 0) });
    }
    return [...counts.values()];
  }
}

function earliest(instants: readonly (number | null)[]): number | undefined {
  const known = instants.filter(at => at !== null);
  return known.length === 0 ? undefined : known.reduce((least, at) => Math.min(least, at));
}

function prepare(database: Database) {
  type Counted = { action: string; count: number };
  return {
    projectIds: database
      .prepare<[number], string>(
        'SELECT project_id FROM project WHERE account_ref = ? AND gone_at IS NULL ORDER BY project_ref',
      )
      .pluck(),
    project: database.prepare<[number, string], ProjectRow>(
      'SELECT * FROM project WHERE account_ref = ? AND project_id = ? AND gone_at IS NULL',
    ),
    endpoints: database.prepare<[number], StoredRow>(
      `SELECT * FROM endpoint WHERE project_ref = ? AND gone_at IS NULL AND first_seen_at IS NOT NULL
       ORDER BY endpoint_ref`,
    ),
    stateDurations: database.prepare<[number], { state: string; durationMs: number }>(
      'SELECT state, duration_ms AS durationMs FROM state_duration WHERE endpoint_ref = ?',
    ),
    metered: database.prepare<[number, string], MeterRow>(
      `SELECT ${meterColumns} FROM metered_project WHERE account_ref = ? AND project_id = ?`,
    ),
    ended: database.prepare<[number], Counted & { status: string; lastEndedAt: number }>(
      `SELECT action, status, count, last_ended_at AS lastEndedAt FROM operation_count WHERE project_ref = ?`,
    ),
    attemptFailures: database.prepare<[number], Counted>(
      'SELECT action, count FROM attempt_failure_count WHERE project_ref = ?',
    ),
    open: database.prepare<[number], OpenOperation>(
      `SELECT operation_id, action, status, created_at, retry_at FROM operation
       WHERE project_ref = ? AND phase = 'open' ORDER BY action, status, operation_id`,
    ),
    refreshed: database.prepare<[number], RefreshColumns>(
      `SELECT last_refresh_at, operations_head_at, operations_tail_cursor, born_watched
       FROM project WHERE project_ref = ?`,
    ),
  };
}
