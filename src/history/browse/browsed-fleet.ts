import type { Database } from 'better-sqlite3';
import { endedAt, isFailed, ofProject } from '../clause.ts';
import { type NamedProjectRow, namedProject } from '../column.ts';
import { statementsOf } from '../file/statement.ts';
import { workedAt } from './browsed-operation.ts';

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
interface ActiveEndpoint {
  readonly account: string;
  readonly project_id: string;
  readonly project_name: string | null;
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
    /** Active endpoints, longest first. */
    active: sql.all<[most: number], ActiveEndpoint>`
      SELECT account, project_id, project_name, endpoint_id,
        iif(ledger_state = 'active', ledger_since_at, NULL) AS since_at, autoscaling_limit_max_cu AS max_cu
      FROM endpoint ${ofProject}
      WHERE ${present} AND current_state = 'active'
      ORDER BY since_at IS NULL, since_at, endpoint_ref LIMIT ?`,
  };
}

/** An operation that went wrong, or does not end; instants in epoch milliseconds by the service's clock. */
export interface TroubledOperation {
  readonly account: string;
  readonly project_id: string;
  readonly project_name: string | null;
  readonly operation_id: string;
  readonly action: string;
  readonly status: string;
  /** The service's words on what went wrong. */
  readonly error: string | null;
  /** When it failed, or was created. */
  readonly at: number;
}

/** An operation that failed. */
export interface FailedOperation extends TroubledOperation {
  /** When the same was next done on the same endpoint; null where it was not. */
  readonly worked_at: number | null;
}

/** How many operations of a project failed. */
export interface ProjectFailures {
  readonly account: string;
  readonly project_id: string;
  readonly failures: number;
}

const columns = 'account, project_id, project_name, operation_id, action, status, error';

/** Reads operations that failed, and stuck ones. */
export function browsedFailures(database: Database) {
  const sql = statementsOf(database);
  return {
    /** How many operations failed from one instant to another, by project. */
    byProject: sql.all<[fromAt: number, untilAt: number], ProjectFailures>`
      SELECT account, project_id, count(*) AS failures
      FROM operation INDEXED BY operation_failed ${ofProject}
      WHERE ${isFailed} AND ${endedAt} >= ? AND ${endedAt} < ? GROUP BY project_ref`,
    /** Operations that failed since, the newest first. */
    newest: sql.all<[fromAt: number, most: number], FailedOperation>`
      SELECT ${columns}, ${endedAt} AS at,
        ${workedAt} AS worked_at
      FROM operation ${ofProject}
      WHERE ${isFailed} AND ${endedAt} >= ? ORDER BY ${endedAt} DESC LIMIT ?`,
    /**
     * Operations of present projects that had gone on for longer than this when their project was last read, the oldest first:
     * while nothing is read it is not known that they did not end.
     */
    stuck: sql.all<[longerThanMs: number, most: number], TroubledOperation>`
      SELECT ${columns}, operation.created_at AS at FROM operation ${ofProject}
      WHERE phase = 'open' AND gone_at IS NULL AND last_refresh_at - operation.created_at > ?
      ORDER BY operation.created_at LIMIT ?`,
  };
}
