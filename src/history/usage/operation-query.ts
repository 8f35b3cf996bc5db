import type { Database } from 'better-sqlite3';
import { endedAt, isUnimported, tookMs } from '../clause.ts';
import { statementsOf } from '../file/statement.ts';

/** An operation that has ended. */
export interface EndedOperation {
  readonly operation_id: string;
  readonly endpoint_id: string | null;
  readonly branch_id: string | null;
  /** Epoch milliseconds. */
  readonly createdAt: number | null;
  readonly endedAt: number;
  readonly action: string;
  readonly status: string;
  readonly failures_count: number;
  /** As the service measured it, else from whole seconds; absent where it gave no times. */
  readonly durationMs: number | null;
  /** The service's words on what went wrong. */
  readonly error: string | null;
}

/** Reads the operations of projects, as long as they are kept. */
export function endedOperationsOf(database: Database) {
  const sql = statementsOf(database);
  return {
    /** Operations of a project that ended from one instant to another. */
    ended: sql.all<[project_ref: number, fromAt: number, untilAt: number], EndedOperation>`
      SELECT operation_id, endpoint_id, operation.branch_id AS branch_id, action, status, failures_count,
        operation.created_at AS createdAt, ${endedAt} AS endedAt, ${tookMs} AS durationMs, error
      FROM operation LEFT JOIN endpoint USING (endpoint_ref)
      WHERE operation.project_ref = ? AND phase = 'ended' AND ${endedAt} >= ? AND ${endedAt} < ?`,
    /** Whether older operations of a project are still to be read: 1 where they are. */
    isUnread: sql.value<
      [project_ref: number],
      1
    >`SELECT 1 FROM project WHERE project_ref = ? AND ${isUnimported}`,
  };
}
