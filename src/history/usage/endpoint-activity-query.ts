import type { Database } from 'better-sqlite3';
import { dayMs, type Span } from '../../resources/duration.ts';
import { isTransition, spansIn } from '../clause.ts';
import { statementsOf } from '../file/statement.ts';
import { keptFromAt } from '../upkeep/retention.ts';
import { type ComputeTotals, computeOf, noCompute } from './compute-query.ts';
import { dayOf } from './roll-up-query.ts';

/** An endpoint that is or was there. */
export interface KnownEndpoint {
  readonly endpoint_ref: number;
  readonly endpoint_id: string;
  readonly branch_id: string | null;
}

/** A stretch in which an endpoint was in a state; epoch milliseconds. */
export interface StateSpan extends Span {
  readonly state: string;
}

/** The intervals of an endpoint, each until the next one begins. */
const spans = `(
  SELECT state, from_at, coalesce(
    lead(from_at) OVER (ORDER BY from_at),
    (SELECT ledger_until_at FROM endpoint WHERE endpoint_ref = @endpoint_ref), from_at) AS until_at
  FROM ${spansIn('state_interval')}
) AS span`;

type Window = Span & { readonly endpoint_ref: number };

/** Reads the activity of endpoints, also gone ones: from intervals as long as they are kept, then from days. */
export type EndpointActivityQuery = ReturnType<typeof endpointActivityOf>;

export function endpointActivityOf(database: Database) {
  const sql = statementsOf(database);
  const compute = computeOf(database);
  const samplesKeptAt = keptFromAt(database, 'samples');
  const day = sql.one<[endpoint_ref: number, day: number], ComputeTotals>`
    SELECT lower_total AS lower, upper_total AS upper FROM compute_day
    WHERE endpoint_ref = ? AND day < ? ORDER BY day DESC LIMIT 1`;
  // The condition on both actions is what the index is for.
  const starts = sql.value<[Window], number>`
    SELECT count(*) FROM operation
    WHERE endpoint_ref = @endpoint_ref AND updated_at >= @fromAt AND updated_at < @untilAt
      AND ${isTransition} AND action = 'start_compute'`;
  const awake = sql.value<[Window], number>`
    SELECT sum(min(span.until_at, @untilAt) - max(span.from_at, @fromAt)) FROM ${spans}
    WHERE span.state = 'active' AND span.until_at > @fromAt AND span.from_at < @untilAt`;
  return {
    endpoints: sql.all<[project_ref: number], KnownEndpoint>`
      SELECT endpoint_ref, endpoint_id, branch_id FROM endpoint WHERE project_ref = ? ORDER BY endpoint_ref`,
    /** Bounds of the compute an endpoint used before an instant, in CU-milliseconds. */
    computeUntil(endpoint_ref: number, at: number): ComputeTotals {
      if (at >= samplesKeptAt) return compute.endpoint(endpoint_ref, at) ?? noCompute;
      const before = day(endpoint_ref, dayOf(at)) ?? noCompute;
      const share = (at % dayMs) / dayMs;
      if (share === 0) return before;
      const after = day(endpoint_ref, dayOf(at) + 1) ?? before;
      return {
        lower: before.lower + (after.lower - before.lower) * share,
        upper: before.upper + (after.upper - before.upper) * share,
      };
    },
    /** States of an endpoint from one instant to another, in order of time, as far as they are kept. */
    states: sql.all<[Window], StateSpan>`
      SELECT state, max(span.from_at, @fromAt) AS fromAt, min(span.until_at, @untilAt) AS untilAt FROM ${spans}
      WHERE span.until_at > @fromAt AND span.from_at < @untilAt ORDER BY span.from_at`,
    /** Finished starts of an endpoint from one instant to another, and its time in state active. */
    activity: (window: Window) => ({ starts: starts(window) ?? 0, awakeMs: awake(window) ?? 0 }),
  };
}
