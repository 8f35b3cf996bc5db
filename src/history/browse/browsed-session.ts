import type { Database } from 'better-sqlite3';

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

/** Reads the times in which endpoints were awake, with what is known of why. */
export class BrowsedSessions {
  readonly #newest;

  constructor(database: Database) {
    this.#newest = database.prepare<
      [{ readonly project_ref: number; readonly endpoint_id: string; readonly most: number }],
      AwakeSession
    >(
      `WITH session AS MATERIALIZED (
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
       FROM session ORDER BY from_at DESC`,
    );
  }

  /** The newest ones first. */
  newest(project_ref: number, endpoint_id: string, most: number): readonly AwakeSession[] {
    return this.#newest.all({ project_ref, endpoint_id, most });
  }
}
