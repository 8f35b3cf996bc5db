import type { Database } from 'better-sqlite3';
import type { Collector } from '../../resources/collector.ts';
import { compact } from '../../resources/field.ts';
import type { OperationTotals } from '../../resources/operation.ts';
import type { PeriodUse } from '../../resources/project-usage.ts';
import type { OperationProgress } from '../../resources/reading.ts';
import { endpointColumns, periodColumns, projectColumns, type StoredRow } from '../column.ts';
import type { WordRegister } from '../commit/word-register.ts';
import { statementsOf } from '../file/statement.ts';
import { asCounter, type CounterColumns } from '../ledger/cpu-counter.ts';
import { fromMeterRow, type MeterRow, meterColumns } from '../meter-column.ts';
import { type OpenOperation, type ProjectParts, projectPartsOf } from './project-part-query.ts';
import type { RefreshedProject, StoredProject } from './stored-project.ts';

interface RefreshColumns {
  readonly project_ref: number;
  readonly project_id: string;
  readonly account_ref: number;
  readonly last_refresh_at: number | null;
  readonly operations_head_at: number | null;
  readonly operations_tail_cursor: string | null;
  readonly born_watched: number;
}

type ProjectRow = StoredRow & CounterColumns & RefreshColumns & { readonly usage_read_at: number | null };

/** Projects that are read back at once: few statements, and few rows beside what is made of them. */
const projectsAtOnce = 500;

/** Reads projects back from the history, as they were last known. */
export class ProjectQuery {
  readonly #words: WordRegister;
  readonly #statements;
  readonly #readsOperations: boolean;
  readonly #readsMeter: boolean;
  readonly #readParts;

  /** @param collectors the ones that are on: what others once read is not shown, and decides nothing. */
  constructor(database: Database, words: WordRegister, collectors: readonly Collector[]) {
    this.#words = words;
    this.#readsOperations = collectors.includes('operations');
    this.#readsMeter = collectors.includes('consumption');
    this.#readParts = projectPartsOf(database, collectors);
    this.#statements = prepare(database);
  }

  /** All that are not gone, in the order they became known in. */
  *projects(account: string, account_ref: number): Generator<StoredProject> {
    let after = 0;
    for (;;) {
      const rows = this.#statements.projects({ account_ref, after, limit: projectsAtOnce });
      const [from, until] = [rows[0]?.project_ref, rows.at(-1)?.project_ref];
      if (from === undefined || until === undefined) return;
      const parts = this.#readParts({ from, until });
      for (const row of rows) yield this.#stored(account, row, parts);
      after = until;
    }
  }

  /** @returns undefined when the project is unknown or gone. */
  project(account: string, account_ref: number, project_id: string): StoredProject | undefined {
    const row = this.#statements.project(account_ref, project_id);
    return row && this.#stored(account, row, this.#partsOf(row.project_ref));
  }

  /** The project with what its own readings changed. */
  refreshed(account: string, stored: StoredProject): StoredProject {
    const { project_ref, project, cpu, usageReadAt, periodUse, metered } = stored;
    const row = this.#statements.refreshed(project_ref);
    if (row === undefined) return stored;
    const refreshed = this.#refreshed(account, row, this.#partsOf(project_ref));
    return { project_ref, project, ...compact({ cpu, usageReadAt, periodUse, metered }), ...refreshed };
  }

  #partsOf(project_ref: number): ProjectParts {
    return this.#readParts({ from: project_ref, until: project_ref });
  }

  #stored(account: string, row: ProjectRow, parts: ProjectParts): StoredProject {
    const { project_ref, account_ref, project_id } = row;
    return {
      project_ref,
      project: { project_id, ...projectColumns.read(row) },
      ...compact({
        cpu: asCounter(row),
        usageReadAt: row.usage_read_at,
        periodUse: readPeriodUse(row),
        metered: this.#metered(account_ref, project_id),
      }),
      ...this.#refreshed(account, row, parts),
    };
  }

  #metered(account_ref: number, project_id: string) {
    return this.#readsMeter ? fromMeterRow(this.#statements.metered(account_ref, project_id)) : undefined;
  }

  #refreshed(account: string, row: RefreshColumns, parts: ProjectParts): RefreshedProject {
    const { project_ref, project_id } = row;
    const progress: OperationProgress = compact({
      headAt: row.operations_head_at,
      tailCursor: row.operations_tail_cursor,
    });
    const imported = progress.headAt !== undefined && progress.tailCursor === undefined;
    const operationsKnown = this.#readsOperations && (imported || row.born_watched === 1);
    const open = parts.open.get(project_ref) ?? [];
    const endpoints = parts.endpoints.get(project_ref) ?? [];
    return {
      ...compact({
        lastRefreshAt: row.last_refresh_at,
        parts: parts.totals.get(project_ref),
        operations: operationsKnown ? this.#operations(row, open, parts) : undefined,
      }),
      endpoints: endpoints.map(endpoint => ({
        endpoint_id: String(endpoint.endpoint_id),
        ...endpointColumns.read(endpoint),
        account,
        project_id,
        ...(operationsKnown && { starts: Number(endpoint.starts), suspends: Number(endpoint.suspends) }),
        ...(endpoint.ledger_state !== null && {
          stateDurations: parts.stateDurations.get(Number(endpoint.endpoint_ref)) ?? [],
        }),
      })),
      progress,
      openIds: open.map(({ operation_id }) => operation_id),
    };
  }

  #operations(
    { account_ref, project_ref }: RefreshColumns,
    open: readonly OpenOperation[],
    parts: ProjectParts,
  ): OperationTotals {
    return {
      ended: parts.ended.get(project_ref) ?? [],
      attemptFailures: parts.attemptFailures.get(project_ref) ?? [],
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

/** Undefined while use is read from the list. */
function readPeriodUse(row: ProjectRow): PeriodUse | undefined {
  return row.usage_read_at === null ? undefined : periodColumns.read(row);
}

function earliest(instants: readonly (number | null)[]): number | undefined {
  const known = instants.filter(at => at !== null);
  return known.length === 0 ? undefined : known.reduce((least, at) => Math.min(least, at));
}

function prepare(database: Database) {
  const sql = statementsOf(database);
  return {
    projects: sql.all<[Readonly<Record<'account_ref' | 'after' | 'limit', number>>], ProjectRow>`
      SELECT * FROM project WHERE +account_ref = @account_ref AND gone_at IS NULL AND project_ref > @after
      ORDER BY project_ref LIMIT @limit`,
    project: sql.one<[number, string], ProjectRow>`
      SELECT * FROM project WHERE account_ref = ? AND project_id = ? AND gone_at IS NULL`,
    metered: sql.one<[number, string], MeterRow>`
      SELECT ${meterColumns} FROM metered_project WHERE account_ref = ? AND project_id = ?
      AND NOT EXISTS (SELECT 1 FROM metered_account
        WHERE metered_account.account_ref = metered_project.account_ref AND importing_since IS NOT NULL)`,
    refreshed: sql.one<[number], RefreshColumns>`
      SELECT project_ref, project_id, account_ref, last_refresh_at, operations_head_at, operations_tail_cursor, born_watched
      FROM project WHERE project_ref = ?`,
  };
}
