import type { Database } from 'better-sqlite3';
import { isTransition, spansIn } from '../clause.ts';
import { type NamedProjectRow, namedProject } from '../column.ts';
import { statementsOf } from '../file/statement.ts';
import { keptFromAt } from '../upkeep/retention.ts';
import { isNamedLike } from './browsed-operation.ts';

/** A project as it was last read; instants in epoch milliseconds by the service's clock. */
export interface KnownProject extends NamedProjectRow {
  readonly project_ref: number;
  readonly pg_version: string | null;
  readonly first_seen_at: number;
  readonly recoverable_until: number | null;
  /** When its endpoints and operations were last read, by the host's clock. */
  readonly last_refresh_at: number | null;
}

/** An endpoint of a project, gone or not. */
export interface KnownEndpoint {
  readonly endpoint_ref: number;
  readonly endpoint_id: string;
  readonly branch_id: string | null;
  readonly type: string | null;
  readonly current_state: string | null;
  readonly pending_state: string | null;
  readonly min_cu: number | null;
  readonly max_cu: number | null;
  readonly last_active: number | null;
  readonly created_at: number | null;
  readonly gone_at: number | null;
  /** Until when its states are known; absent while none was read. */
  readonly known_until: number | null;
}

/** The beginning of a state of an endpoint, which lasts until the next one. */
export type StateBegin = readonly [from_at: number, state: string];

/** Reads one project with its endpoints and what they did. */
export function browsedProjects(database: Database) {
  type Window = { readonly endpoint_ref: number; readonly fromAt: number; readonly untilAt: number };
  const sql = statementsOf(database);
  const refs = sql.values<[Readonly<Record<'account' | 'project_id', string>>], number>`
    SELECT project_ref FROM account CROSS JOIN project USING (account_ref)
    WHERE (@account = '' OR account = @account) AND project_id = @project_id ORDER BY project_ref`;
  type Named = Pick<NamedProjectRow, 'account' | 'project_id' | 'project_name'>;
  const namedLike = sql.all<[Readonly<{ account: string; part: string; most: number }>], Named>`
    SELECT account, project_id, project_name FROM account CROSS JOIN project USING (account_ref)
    WHERE (@account = '' OR account = @account) AND ${isNamedLike('@part')}
    ORDER BY project_name IS NOT @part, gone_at IS NOT NULL, project_name, project_id LIMIT @most`;
  const states = sql.eachTuple<[Window], StateBegin>`
    SELECT from_at, state FROM ${spansIn('state_interval')} ORDER BY from_at`;
  const transitions = sql.tuples<[Window & { readonly most: number }], StateBegin>`
    SELECT updated_at, iif(action = 'start_compute', 'active', 'idle') FROM operation AS transition
    WHERE endpoint_ref = @endpoint_ref AND ${isTransition} AND updated_at < @untilAt AND updated_at >= coalesce(
      (SELECT max(updated_at) FROM operation
       WHERE endpoint_ref = @endpoint_ref AND ${isTransition} AND updated_at <= @fromAt), @fromAt)
    ORDER BY updated_at DESC, created_at DESC LIMIT @most`;
  return {
    /** The numbers of the projects with an id, of all accounts where none is named. */
    refsOf: (account: string, project_id: string) => refs({ account, project_id }),
    /** Projects with a part in their name or id, of all accounts where none is named, first the ones that are called so. */
    namedLike: (account: string, part: string, most: number) => namedLike({ account, part, most }),
    find: sql.one<[account: string, project_id: string], KnownProject>`
      SELECT project_ref, ${namedProject}, pg_version, first_seen_at, other_fields ->> 'recoverable_until' AS recoverable_until, last_refresh_at
      FROM account CROSS JOIN project USING (account_ref) WHERE account = ? AND project_id = ?`,
    endpoints: sql.all<[project_ref: number], KnownEndpoint>`
      SELECT endpoint_ref, endpoint_id, branch_id, type, current_state, pending_state,
        autoscaling_limit_min_cu AS min_cu, coalesce(autoscaling_limit_max_cu, autoscaling_limit_min_cu) AS max_cu,
        last_active, created_at, gone_at, ledger_until_at AS known_until
      FROM endpoint WHERE project_ref = ? ORDER BY gone_at IS NOT NULL, gone_at DESC, endpoint_ref`,
    /** The states of an endpoint in a stretch of time in order, with the one it began with; to be read at once. */
    states: (endpoint_ref: number, fromAt: number, untilAt: number): Iterable<StateBegin> =>
      states({ endpoint_ref, fromAt, untilAt }),
    /**
     * The states of an endpoint in a stretch of time as its operations tell them, the newest ones in order: when it was started
     * and suspended.
     */
    reconstructed: (endpoint_ref: number, fromAt: number, untilAt: number, most: number) =>
      transitions({ endpoint_ref, fromAt, untilAt, most }).toReversed(),
    /** The instant from which on operations are all kept; 0 while none was deleted. */
    get operationsKeptFromAt(): number {
      return keptFromAt(database, 'operations');
    },
    /** The instant from which on states are all kept; 0 while none was deleted. */
    get statesKeptFromAt(): number {
      return keptFromAt(database, 'samples');
    },
  };
}

/** A time in which an endpoint was awake; instants in epoch milliseconds by the service's clock. */
export interface AwakeSession {
  readonly from_at: number;
  /** Absent while it goes on, as far as is known. */
  readonly until_at: number | null;
  /** The last use by a client in it, as far as that was read; absent where none was. */
  readonly last_used_at: number | null;
  /** When the check of the service was begun that it followed; absent where it followed none. */
  readonly checked_at: number | null;
}

/** A check that finds an endpoint asleep has it started within so long. */
const startsWithinMs = 120_000;

/** Reads the times in which endpoints were awake, with what is known of why: the newest ones first. */
export function browsedSessions(database: Database) {
  type Asked = { readonly project_ref: number; readonly endpoint_id: string; readonly most: number };
  const newest = statementsOf(database).all<[Asked], AwakeSession>`
    WITH session AS MATERIALIZED (
      SELECT endpoint_ref, from_at, (SELECT min(from_at) FROM state_interval AS next
        WHERE next.endpoint_ref = state_interval.endpoint_ref AND next.from_at > state_interval.from_at) AS until_at
      FROM endpoint JOIN state_interval USING (endpoint_ref)
      WHERE project_ref = @project_ref AND endpoint_id = @endpoint_id AND state = 'active'
      ORDER BY from_at DESC LIMIT @most)
    SELECT from_at, until_at,
      (SELECT min(use.until_at, coalesce(session.until_at, use.until_at)) FROM endpoint_use AS use
       WHERE use.endpoint_ref = session.endpoint_ref AND use.until_at >= session.from_at
         AND use.from_at < coalesce(session.until_at, ${Number.MAX_SAFE_INTEGER})
       ORDER BY use.from_at DESC LIMIT 1) AS last_used_at,
      (SELECT max(created_at) FROM operation
       WHERE operation.endpoint_ref = session.endpoint_ref AND action = 'check_availability'
         AND created_at <= session.from_at AND created_at > session.from_at - ${startsWithinMs}) AS checked_at
    FROM session ORDER BY from_at DESC`;
  return {
    newest: (project_ref: number, endpoint_id: string, most: number) =>
      newest({ project_ref, endpoint_id, most }),
  };
}
