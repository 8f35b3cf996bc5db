import type { Database } from 'better-sqlite3';
import type { EndpointView } from '../resources/endpoint.ts';
import type { ProjectStanding } from '../resources/reading.ts';
import type { StoredProject } from './view-query.ts';

interface Progress {
  readonly project_ref: number;
  readonly operations_head_at: number | null;
  readonly operations_tail_cursor: string | null;
}

/** Reads from the history what the next reading of a project goes by. */
export class StandingQuery {
  readonly #progress;
  readonly #openIds;

  constructor(database: Database) {
    this.#progress = database.prepare<[number, string], Progress>(
      `SELECT project_ref, operations_head_at, operations_tail_cursor FROM project
       WHERE account_ref = ? AND project_id = ?`,
    );
    this.#openIds = database
      .prepare<[number], string>(
        `SELECT operation_id FROM operation WHERE project_ref = ? AND phase = 'open'`,
      )
      .pluck();
  }

  of(account_ref: number, { project, endpoints }: StoredProject): ProjectStanding {
    const { project_id } = project;
    const row = this.#progress.get(account_ref, project_id);
    if (row === undefined) return { project_id, known: { openIds: [] }, busy: false };
    const openIds = this.#openIds.all(row.project_ref);
    return {
      project_id,
      busy: openIds.length > 0 || endpoints.some(isAwake),
      known: {
        ...(row.operations_head_at !== null && { headAt: row.operations_head_at }),
        ...(row.operations_tail_cursor !== null && { tailCursor: row.operations_tail_cursor }),
        openIds,
      },
    };
  }
}

function isAwake({ current_state, pending_state }: EndpointView): boolean {
  return pending_state !== undefined || (current_state !== 'idle' && current_state !== 'stopped');
}
