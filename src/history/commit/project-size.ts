import type { Database } from 'better-sqlite3';
import { statementsOf } from '../file/statement.ts';
import { largestCu } from '../ledger/compute-ledger.ts';

/** The largest size seen on live services, for an endpoint whose size is not known. */
export const largestKnownCu = 56;

/** Tells the compute units of all endpoints of a project, gone ones too: `cpu_used_sec` counts them. */
export function mostCuOf(database: Database) {
  const read = statementsOf(database).value<[number], number>`
    SELECT sum(iif(autoscaling_limit_max_cu BETWEEN 0 AND ${largestCu}, autoscaling_limit_max_cu, ${largestKnownCu}))
    FROM endpoint WHERE project_ref = ? AND first_seen_at IS NOT NULL`;
  return (project_ref: number): number => read(project_ref) ?? largestKnownCu;
}
