import type { Database } from 'better-sqlite3';
import { dayMs } from '../../resources/duration.ts';
import { endedAt, isFailed, isUnimported, ofProject, tookMs } from '../clause.ts';
import type { NamedProjectRow } from '../column.ts';
import { statementsOf } from '../file/statement.ts';

/** An operation as it was last read; instants in epoch milliseconds by the service's clock. */
export interface KnownOperation
  extends Pick<NamedProjectRow, 'account' | 'project_id' | 'project_name' | 'region_id'> {
  readonly project_ref: number;
  readonly operation_id: string;
  readonly endpoint_id: string | null;
  readonly branch_id: string | null;
  readonly action: string;
  readonly status: string;
  /** Whether it has ended, goes on as far as is known, or was taken away by the service before its end was read. */
  readonly phase: 'open' | 'ended' | 'vanished';
  readonly failures_count: number;
  readonly created_at: number | null;
  /** Its last change, as far as the service told; null of one that goes on. */
  readonly ended_at: number | null;
  /** As the service measured it, else from whole seconds; absent of one that goes on or has no times. */
  readonly durationMs: number | null;
  /** The service's words on what went wrong. */
  readonly error: string | null;
  readonly retry_at: number | null;
  /** When its project was last read. */
  readonly readAt: number | null;
  /** Of one that failed: when the same was next done on the same endpoint; null where it was not, or is not asked. */
  readonly worked_at: number | null;
  /** 1 where it failed and clients may be kept out: a start, or what is of an endpoint in use, and no client used that since. */
  readonly keeps_out: number;
}

/** An operation that ended, as far as it is counted: very many are read. */
export type EndedOperation = Omit<
  KnownOperation,
  | ('account' | 'project_id' | 'project_name' | 'region_id' | 'project_ref')
  | ('phase' | 'retry_at' | 'readAt' | 'worked_at' | 'keeps_out')
>;

export const operationJoins = `${ofProject} LEFT JOIN endpoint USING (endpoint_ref)`;
/** When an operation that failed was next done on the same endpoint; null where it was not. */
const workedAt = `(SELECT coalesce(later.updated_at, later.created_at) FROM operation AS later
  WHERE later.project_ref = operation.project_ref AND later.created_at > operation.created_at
    AND later.endpoint_ref IS operation.endpoint_ref AND later.action = operation.action
    AND later.status = 'finished' ORDER BY later.created_at LIMIT 1)`;
/** Used in the day before, an endpoint is in use; one that is gone keeps nobody out. */
const keepsOut = `${isFailed} AND endpoint_id IS NOT NULL AND endpoint.gone_at IS NULL AND project.gone_at IS NULL
  AND coalesce(endpoint.last_active, 0) <= ${endedAt} AND (action = 'start_compute' OR endpoint.last_active > ${endedAt} - ${dayMs})`;
/** The columns of a `KnownOperation` but for `worked_at`, which takes long of very many. */
export const knownOperation = `account, project_id, project_name, project.region_id, operation.project_ref, operation_id, endpoint_id,
  operation.branch_id, action, status, phase, failures_count, operation.created_at,
  iif(phase = 'ended', ${endedAt}, NULL) AS ended_at, iif(phase = 'ended', ${tookMs}, NULL) AS durationMs, error, retry_at, last_refresh_at AS readAt,
  iif(${keepsOut}, 1, 0) AS keeps_out`;
/** The columns of a `KnownOperation`. */
export const operationRow = `${knownOperation}, iif(${isFailed}, ${workedAt}, NULL) AS worked_at`;

type EndedIn = [project_ref: number, fromAt: number, untilAt: number];
const isEndedIn = `operation.project_ref = ? AND phase = 'ended' AND ${endedAt} >= ? AND ${endedAt} < ?`;

/** Reads the operations of projects, as long as they are kept. */
export function endedOperationsOf(database: Database) {
  const sql = statementsOf(database);
  return {
    /** Operations of a project that ended from one instant to another. */
    ended: sql.all<EndedIn, EndedOperation>`
      SELECT operation_id, endpoint_id, operation.branch_id, action, status, failures_count, operation.created_at,
        ${endedAt} AS ended_at, ${tookMs} AS durationMs, error
      FROM operation LEFT JOIN endpoint USING (endpoint_ref) WHERE ${isEndedIn}`,
    /** The same with all that is known of them. */
    endedWhole: sql.all<EndedIn, KnownOperation>`
      SELECT ${operationRow} FROM operation ${operationJoins} WHERE ${isEndedIn}`,
    /** Whether older operations of a project are still to be read: 1 where they are. */
    isUnread: sql.value<
      [project_ref: number],
      1
    >`SELECT 1 FROM project WHERE project_ref = ? AND ${isUnimported}`,
  };
}
