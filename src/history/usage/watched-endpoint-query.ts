import type { Database } from 'better-sqlite3';
import type { Span } from '../../resources/duration.ts';
import type { DatedSize } from '../../resources/endpoint-history.ts';
import { spansIn } from '../clause.ts';
import { statementsOf } from '../file/statement.ts';
import type { KnownEndpoint } from './endpoint-activity-query.ts';

interface EndpointRow extends KnownEndpoint {
  readonly minCu: number | null;
  readonly maxCu: number | null;
  readonly lastActiveAt: number | null;
  readonly beginsAt: number;
  readonly untilAt: number | null;
  /** Null where operations alone name it. */
  readonly seenAt: number | null;
  /** Null while it is there. */
  readonly goneAt: number | null;
}

/** An endpoint whose ledger was opened. */
export interface WatchedEndpoint extends EndpointRow {
  readonly untilAt: number;
  /** Endpoints that its project ever had, it among them. */
  readonly siblings: number;
}

function isWatched(endpoint: EndpointRow): endpoint is EndpointRow & Pick<WatchedEndpoint, 'untilAt'> {
  return endpoint.seenAt !== null && endpoint.untilAt !== null;
}

/** A size is sure while the endpoint is surely awake. */
const sizesIn = `FROM ${spansIn('compute_interval', 'lower_cu > 0')}`;

/** Reads which endpoints projects have and had, and their sizes. */
export function watchedEndpointsOf(database: Database) {
  const sql = statementsOf(database);
  type OfEndpoint = Span & { readonly endpoint_ref: number };
  type AtOf = { readonly endpoint_ref: number; readonly at: number };
  // Subqueries take a quarter of the time of a join.
  const endpoints = sql.all<[number], EndpointRow>`
    SELECT endpoint_ref, endpoint_id, branch_id, autoscaling_limit_min_cu AS minCu,
      coalesce(autoscaling_limit_max_cu, autoscaling_limit_min_cu) AS maxCu, last_active AS lastActiveAt,
      coalesce(
        (SELECT min(from_at) FROM state_interval s WHERE s.endpoint_ref = endpoint.endpoint_ref), 0) AS beginsAt,
      ledger_until_at AS untilAt, first_seen_at AS seenAt,
      coalesce(gone_at, (SELECT gone_at FROM project WHERE project.project_ref = endpoint.project_ref)) AS goneAt
    FROM endpoint WHERE project_ref = ?`;
  const sizes = sql.all<[OfEndpoint], DatedSize>`
    SELECT from_at AS fromAt, lower_cu AS minCu, upper_cu AS maxCu ${sizesIn} ORDER BY from_at`;
  const onlySize = sql.one<[OfEndpoint], DatedSize>`
    SELECT min(from_at) AS fromAt, min(lower_cu) AS minCu, max(upper_cu) AS maxCu ${sizesIn}
    HAVING min(lower_cu) = max(lower_cu) AND min(upper_cu) = max(upper_cu)`;
  // Endpoints of the project that was asked for last: it is asked for more than once.
  let last: { readonly project_ref: number; readonly rows: readonly WatchedEndpoint[] } | undefined;
  return {
    list(project_ref: number): readonly WatchedEndpoint[] {
      if (last?.project_ref === project_ref) return last.rows;
      const all = endpoints(project_ref);
      const rows = all.flatMap(row => (isWatched(row) ? { ...row, siblings: all.length } : []));
      last = { project_ref, rows };
      return rows;
    },
    /** Its size when it was last awake before an instant, and from when on; undefined if it never was. */
    sizeBefore: sql.one<[AtOf], DatedSize>`
      SELECT from_at AS fromAt, lower_cu AS minCu, upper_cu AS maxCu FROM compute_interval
      WHERE endpoint_ref = @endpoint_ref AND from_at < @at AND lower_cu > 0 ORDER BY from_at DESC LIMIT 1`,
    /** Its last use before an instant that a reading showed. */
    lastUseBefore: sql.value<[AtOf], number>`
      SELECT min(until_at, @at) FROM endpoint_use WHERE endpoint_ref = @endpoint_ref AND from_at < @at
      ORDER BY from_at DESC LIMIT 1`,
    /** The sizes it had in a stretch of time, each once; most have one alone. */
    sizes(stretch: OfEndpoint): readonly DatedSize[] {
      const only = onlySize(stretch);
      if (only !== undefined) return [only];
      return sizes(stretch).filter(({ minCu, maxCu }, index, all) => {
        const before = all[index - 1];
        return before?.minCu !== minCu || before.maxCu !== maxCu;
      });
    },
    /** 1 where its compute ledger was open at an instant. */
    isOpen: sql.value<[endpoint_ref: number, at: number], 1>`
      SELECT 1 FROM compute_interval WHERE endpoint_ref = ? AND from_at <= ? LIMIT 1`,
  };
}
