import type { Database } from 'better-sqlite3';
import { dayMs } from '../../resources/duration.ts';
import { isTransition, spansIn } from '../clause.ts';
import { keptFromAt } from '../upkeep/retention.ts';
import { ComputeQuery, type ComputeTotals } from './compute-query.ts';
import { dayOf } from './roll-up-query.ts';

/** An endpoint that is or was there. */
export interface KnownEndpoint {
  readonly endpoint_ref: number;
  readonly endpoint_id: string;
  readonly branch_id: string | null;
}

/** A stretch in which an endpoint was in a state; epoch milliseconds. */
export interface StateSpan {
  readonly state: string;
  readonly fromAt: number;
  readonly untilAt: number;
}

/** Starts and time awake of an endpoint from one instant to another. */
interface EndpointActivity {
  /** Finished starts. */
  readonly starts: number;
  /** Time in state active. */
  readonly awakeMs: number;
}

const noCompute: ComputeTotals = { lower: 0, upper: 0 };

/** Reads the activity of endpoints, also gone ones: from intervals as long as they are kept, then from days. */
export class EndpointActivityQuery {
  readonly #compute: ComputeQuery;
  readonly #statements;
  readonly #samplesKeptAt: number;

  constructor(database: Database) {
    this.#compute = new ComputeQuery(database);
    this.#statements = prepare(database);
    this.#samplesKeptAt = keptFromAt(database, 'samples');
  }

  endpoints(project_ref: number): readonly KnownEndpoint[] {
    return this.#statements.endpoints.all(project_ref);
  }

  /** Bounds of the compute an endpoint used before an instant, in CU-milliseconds. */
  computeUntil(endpoint_ref: number, at: number): ComputeTotals {
    if (at >= this.#samplesKeptAt) return this.#compute.endpoint(endpoint_ref, at) ?? noCompute;
    const before = this.#statements.day.get(endpoint_ref, dayOf(at)) ?? noCompute;
    const share = (at % dayMs) / dayMs;
    if (share === 0) return before;
    const after = this.#statements.day.get(endpoint_ref, dayOf(at) + 1) ?? before;
    return {
      lower: before.lower + (after.lower - before.lower) * share,
      upper: before.upper + (after.upper - before.upper) * share,
    };
  }

  /** States of an endpoint from one instant to another, in order of time, as far as they are kept. */
  states(endpoint_ref: number, fromAt: number, untilAt: number): readonly StateSpan[] {
    return this.#statements.states.all({ endpoint_ref, fromAt, untilAt });
  }

  activity(endpoint_ref: number, fromAt: number, untilAt: number): EndpointActivity {
    const window = { endpoint_ref, fromAt, untilAt };
    return {
      starts: this.#statements.starts.get(window) ?? 0,
      awakeMs: this.#statements.awake.get(window) ?? 0,
    };
  }
}

/** The intervals of an endpoint, each until the next one begins. */
const spans = `(
  SELECT state, from_at, coalesce(
    lead(from_at) OVER (ORDER BY from_at),
    (SELECT ledger_until_at FROM endpoint WHERE endpoint_ref = @endpoint_ref), from_at) AS until_at
  FROM ${spansIn('state_interval')}
) AS span`;

function prepare(database: Database) {
  type Window = { readonly endpoint_ref: number; readonly fromAt: number; readonly untilAt: number };
  return {
    endpoints: database.prepare<[number], KnownEndpoint>(
      'SELECT endpoint_ref, endpoint_id, branch_id FROM endpoint WHERE project_ref = ? ORDER BY endpoint_ref',
    ),
    day: database.prepare<[number, number], ComputeTotals>(
      `SELECT lower_total AS lower, upper_total AS upper FROM compute_day
       WHERE endpoint_ref = ? AND day < ? ORDER BY day DESC LIMIT 1`,
    ),
    // The condition on both actions is what the index is for.
    starts: database
      .prepare<[Window], number>(
        `SELECT count(*) FROM operation
         WHERE endpoint_ref = @endpoint_ref AND updated_at >= @fromAt AND updated_at < @untilAt
           AND ${isTransition} AND action = 'start_compute'`,
      )
      .pluck(),
    awake: database
      .prepare<[Window], number | null>(
        `SELECT sum(min(span.until_at, @untilAt) - max(span.from_at, @fromAt)) FROM ${spans}
         WHERE span.state = 'active' AND span.until_at > @fromAt AND span.from_at < @untilAt`,
      )
      .pluck(),
    states: database.prepare<[Window], StateSpan>(
      `SELECT state, max(span.from_at, @fromAt) AS fromAt, min(span.until_at, @untilAt) AS untilAt FROM ${spans}
       WHERE span.until_at > @fromAt AND span.from_at < @untilAt ORDER BY span.from_at`,
    ),
  };
}
