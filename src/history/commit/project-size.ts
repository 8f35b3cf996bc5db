import type { Database } from 'better-sqlite3';
import { statementsOf } from '../file/statement.ts';

/** The largest size seen on live services, for an endpoint whose size is not known. */
const largestKnownCu = 56;
/** No endpoint is a thousandth as large. */
const largestCu = 1e6;

/** Tells how large the endpoints of projects are. */
export class ProjectSize {
  readonly #most;

  constructor(database: Database) {
    this.#most = statementsOf(database).value<[number], number>`
      SELECT sum(iif(autoscaling_limit_max_cu BETWEEN 0 AND ${largestCu}, autoscaling_limit_max_cu, ${largestKnownCu}))
      FROM endpoint WHERE project_ref = ? AND first_seen_at IS NOT NULL`;
  }

  /** Compute units of all endpoints of a project, gone ones too: `cpu_used_sec` counts them. */
  mostCu(project_ref: number): number {
    return this.#most(project_ref) ?? largestKnownCu;
  }
}
