import { dayMs } from '../resources/duration.ts';
import { failureStatuses } from '../resources/operation.ts';

/**
 * The longest time for which an account waits for its past: operations of projects, or the meter of a service that cannot tell
 * months, days or hours.
 */
export const longestImportMs = dayMs;

/**
 * SQL that is true for an account whose operations are still being imported for the first time. Before its first list is complete
 * it may have many more projects.
 */
export const isFirstImport = `imported_at IS NULL AND coalesce(projects_listed_at -
  (SELECT min(first_seen_at) FROM project WHERE project.account_ref = account.account_ref), 0) < ${longestImportMs}`;

/** SQL that is true for a project whose older operations are still to be read. */
export const isUnimported = '(operations_head_at IS NULL OR operations_tail_cursor IS NOT NULL)';

/** SQL for when the life of a project in its account began that moved there from another one; null for all others. */
export const movedAt = `(SELECT max(value) FROM project_change AS life
  WHERE life.project_ref = project.project_ref AND field = 'created_at' AND value > project.created_at)`;

/** SQL that is true for an operation that changed the state of its endpoint; an index has them. */
export const isTransition = "status = 'finished' AND action IN ('start_compute', 'suspend_compute')";

/** SQL that is true for an operation that ended in failure; an index has them by when they ended. */
export const isFailed = `phase = 'ended' AND status IN (${failureStatuses.map(status => `'${status}'`).join(', ')})`;

/** When an operation ended. */
export const endedAt = 'coalesce(operation.updated_at, operation.created_at)';

/** How long an operation took: as the service measured it, else from whole seconds; null where it gave no times. */
export const tookMs = `coalesce(total_duration_ms,
  iif(operation.updated_at >= operation.created_at, operation.updated_at - operation.created_at, NULL))`;

/** The project and the account of a row of something that is of a project. */
export const ofProject = 'JOIN project USING (project_ref) JOIN account USING (account_ref)';

/**
 * SQL for rows that each last until the next one of their endpoint: the ones of a stretch, the first may have begun before it.
 *
 * @param isMeant more that is true for them.
 */
export function spansIn(table: 'state_interval' | 'compute_interval', isMeant = 'TRUE'): string {
  const own = `endpoint_ref = @endpoint_ref AND ${isMeant}`;
  return `${table} WHERE ${own} AND from_at < @untilAt AND from_at >= coalesce(
    (SELECT max(from_at) FROM ${table} WHERE ${own} AND from_at <= @fromAt), 0)`;
}
