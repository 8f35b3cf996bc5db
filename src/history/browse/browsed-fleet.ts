import type { Database } from 'better-sqlite3';
import { ofProject } from '../clause.ts';
import { type NamedProjectRow, namedProject } from '../column.ts';
import { statementsOf } from '../file/statement.ts';

/** A project with what its endpoints do, as they were last read; instants in epoch milliseconds by the service's clock. */
export interface BrowsedProject extends NamedProjectRow {
  /** When its endpoints were last read; null before the first time. */
  readonly endpoints_read_at: number | null;
  /** Endpoints that are there: all, active ones, idle ones, and ones that are changing from one state to another. */
  readonly endpoints: number;
  readonly active: number;
  readonly idle: number;
  readonly changing: number;
  readonly last_active: number | null;
}

/** How many endpoints of an account are in a state. */
interface StateCount {
  readonly account: string;
  readonly state: string;
  readonly endpoints: number;
}

/** An endpoint that is active. */
interface ActiveEndpoint extends Pick<NamedProjectRow, 'account' | 'project_id' | 'project_name'> {
  readonly endpoint_id: string;
  /** Since when it is active, as far as that was seen. */
  readonly since_at: number | null;
  /** The most compute units that it may have. */
  readonly max_cu: number | null;
}

/** Endpoints that are there, of projects that are. */
const present = `endpoint.gone_at IS NULL AND endpoint.first_seen_at IS NOT NULL AND project.gone_at IS NULL`;

/** Reads all projects and what their endpoints do. */
export function browsedFleet(database: Database) {
  const sql = statementsOf(database);
  const projects = sql.each<[], BrowsedProject>`
    SELECT ${namedProject}, endpoints_served_at AS endpoints_read_at,
      coalesce(sum(${present}), 0) AS endpoints,
      coalesce(sum(${present} AND current_state = 'active'), 0) AS active,
      coalesce(sum(${present} AND current_state = 'idle'), 0) AS idle,
      coalesce(sum(${present} AND (current_state = 'init' OR pending_state IS NOT NULL)), 0) AS changing,
      max(last_active) AS last_active
    FROM project JOIN account USING (account_ref) LEFT JOIN endpoint USING (project_ref)
    GROUP BY project_ref ORDER BY project_ref`;
  return {
    /** All projects that were ever listed, gone ones too, one after the other: there are too many to keep them all. */
    projects: () => Iterator.from(projects()),
    states: sql.all<[], StateCount>`
      SELECT account, coalesce(current_state, 'unknown') AS state, count(*) AS endpoints
      FROM endpoint ${ofProject}
      WHERE ${present} GROUP BY account_ref, state ORDER BY account_ref, endpoints DESC, state`,
    /** How many projects have an active endpoint. */
    activeProjects: sql.value<[], number>`
      SELECT count(DISTINCT project_ref) FROM endpoint ${ofProject} WHERE ${present} AND current_state = 'active'`,
    /** Active endpoints, longest first. */
    active: sql.all<[most: number], ActiveEndpoint>`
      SELECT account, project_id, project_name, endpoint_id,
        iif(ledger_state = 'active', ledger_since_at, NULL) AS since_at, autoscaling_limit_max_cu AS max_cu
      FROM endpoint ${ofProject}
      WHERE ${present} AND current_state = 'active'
      ORDER BY since_at IS NULL, since_at, endpoint_ref LIMIT ?`,
  };
}
