import type { Database } from 'better-sqlite3';
import {
  anywhere,
  operationEndedAt as endedAt,
  operationFailed as failed,
  isMeantOperation,
  type OperationFilter,
  operationCause,
  type Span,
} from './browsed-operation.ts';

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

/** Operations that failed alike: of one action, in one region, and with the same words of the service. */
export interface FailureGroup {
  readonly action: string;
  readonly region_id: string | null;
  /** The first of the service's words, or `none`. */
  readonly cause: string;
  readonly failed: number;
  readonly projects: number;
  readonly first_at: number;
  readonly last_at: number;
}

/** How many operations of a project failed. */
export interface ProjectFailures {
  readonly account: string;
  readonly project_id: string;
  readonly failures: number;
}

/** Reads operations that failed, and those that do not end. */
export class BrowsedFailures {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** Operations that failed in a stretch of time, by what they have in common, the most frequent first. */
  alike(
    filter: OperationFilter,
    span: Span,
    { most, groups }: { readonly most: number; readonly groups: number },
  ): readonly FailureGroup[] {
    return this.#statements.alike.all({ ...anywhere, ...filter, ...span, most, groups });
  }

  /** How many operations failed from one instant to another, by project. */
  byProject(fromAt: number, untilAt: number): readonly ProjectFailures[] {
    return this.#statements.byProject.all(fromAt, untilAt);
  }

  /** Operations that failed since, the newest first. */
  newest(fromAt: number, most: number): readonly FailedOperation[] {
    return this.#statements.newest.all(fromAt, most);
  }

  /**
   * Operations of present projects that had gone on for longer than this when their project was last read, the oldest first:
   * while nothing is read it is not known that they did not end.
   */
  stuck(longerThanMs: number, most: number): readonly TroubledOperation[] {
    return this.#statements.stuck.all(longerThanMs, most);
  }
}

const ofProject = 'JOIN project USING (project_ref) JOIN account USING (account_ref)';
const columns = 'account, project_id, project_name, operation_id, action, status, error';

function prepare(database: Database) {
  return {
    alike: database.prepare<
      [OperationFilter & Span & { readonly most: number; readonly groups: number }],
      FailureGroup
    >(
      `SELECT action, region_id, cause, count(*) AS failed, count(DISTINCT project_ref) AS projects,
         min(at) AS first_at, max(at) AS last_at
       FROM (SELECT action, project.region_id, ${operationCause} AS cause, operation.project_ref, ${endedAt} AS at
         FROM operation INDEXED BY operation_failed JOIN project USING (project_ref) JOIN account USING (account_ref)
         WHERE ${failed} AND ${endedAt} >= @fromAt AND ${endedAt} < @untilAt AND ${isMeantOperation}
         ORDER BY ${endedAt} DESC LIMIT @most)
       GROUP BY action, region_id, cause ORDER BY failed DESC, last_at DESC LIMIT @groups`,
    ),
    byProject: database.prepare<[number, number], ProjectFailures>(
      `SELECT account, project_id, count(*) AS failures
       FROM operation INDEXED BY operation_failed ${ofProject}
       WHERE ${failed} AND ${endedAt} >= ? AND ${endedAt} < ? GROUP BY project_ref`,
    ),
    newest: database.prepare<[number, number], FailedOperation>(
      `SELECT ${columns}, ${endedAt} AS at,
         (SELECT min(coalesce(later.updated_at, later.created_at)) FROM operation AS later
          WHERE later.project_ref = operation.project_ref AND later.created_at > operation.created_at
            AND later.endpoint_ref IS operation.endpoint_ref AND later.action = operation.action
            AND later.status = 'finished') AS worked_at
       FROM operation ${ofProject}
       WHERE ${failed} AND ${endedAt} >= ? ORDER BY ${endedAt} DESC LIMIT ?`,
    ),
    stuck: database.prepare<[number, number], TroubledOperation>(
      `SELECT ${columns}, operation.created_at AS at FROM operation ${ofProject}
       WHERE phase = 'open' AND gone_at IS NULL AND last_refresh_at - operation.created_at > ?
       ORDER BY operation.created_at LIMIT ?`,
    ),
  };
}
