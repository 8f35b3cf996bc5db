import type { Database } from 'better-sqlite3';
import type { BrowsedOperation } from '../browse/browsed-operation.ts';
import { endedAt, isUnimported, tookMs } from '../clause.ts';
import { statementsOf } from '../file/statement.ts';

type OfEnded =
  | ('operation_id' | 'endpoint_id' | 'branch_id' | 'action' | 'status')
  | ('failures_count' | 'durationMs' | 'error');

/** An operation that has ended. */
export interface EndedOperation extends Pick<BrowsedOperation, OfEnded> {
  /** Epoch milliseconds. */
  readonly createdAt: number | null;
  readonly endedAt: number;
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
