import type { Database } from 'better-sqlite3';

/** What endpoints used before an instant at least and at most, in CU-milliseconds since their ledgers begin. */
export interface ComputeTotals {
  readonly lower: number;
  readonly upper: number;
}

/**
 * Reads the compute ledgers. A ledger knows an endpoint until `ledger_until_at`: after it no compute is sure, and up to
 * the largest size is possible, unless the endpoint is gone by then.
 */
export class ComputeQuery {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** Of one endpoint; undefined while its ledger is not open. */
  endpoint(endpoint_ref: number, at: number): ComputeTotals | undefined {
    return this.#statements.endpoint.get({ endpoint_ref, at });
  }

  /** Of all endpoints of a project whose ledgers are open. */
  project(project_ref: number, at: number): ComputeTotals {
    return this.#statements.project.get({ project_ref, at }) ?? { lower: 0, upper: 0 };
  }

  /**
   * A measure of how much of what a project used falls before an instant, for spreading what its counter says: the mean
   * of both bounds, going on as the ledgers last were.
   */
  weigh(project_ref: number, at: number): number {
    return this.#statements.weight.get({ project_ref, at }) ?? 0;
  }
}

/** The interval an instant lies in; where those are pruned, the totals of the days before. */
const intervalAt = `
  JOIN compute_interval c ON c.endpoint_ref = e.endpoint_ref AND c.from_at =
    (SELECT max(from_at) FROM compute_interval WHERE endpoint_ref = e.endpoint_ref AND from_at <= @at)`;

const isOver = 'coalesce(e.gone_at, p.gone_at) IS NOT NULL';
const knownMs = `iif(${isOver}, @at, min(@at, e.ledger_until_at)) - c.from_at`;
const unknownMs = `iif(${isOver}, 0, max(@at - e.ledger_until_at, 0))`;
const lower = `c.lower_total + c.lower_cu * max(0, ${knownMs})`;
const upper = `c.upper_total + c.upper_cu * max(0, ${knownMs}) + coalesce(e.ledger_max_cu, 0) * ${unknownMs}`;

function prepare(database: Database) {
  type At = { readonly at: number };
  const from = `FROM endpoint e JOIN project p USING (project_ref) ${intervalAt}`;
  return {
    endpoint: database.prepare<[At & { readonly endpoint_ref: number }], ComputeTotals>(
      `SELECT ${lower} AS lower, ${upper} AS upper ${from} WHERE e.endpoint_ref = @endpoint_ref`,
    ),
    project: database.prepare<[At & { readonly project_ref: number }], ComputeTotals>(
      `SELECT coalesce(sum(${lower}), 0) AS lower, coalesce(sum(${upper}), 0) AS upper ${from}
       WHERE e.project_ref = @project_ref`,
    ),
    weight: database
      .prepare<[At & { readonly project_ref: number }], number | null>(
        `SELECT sum(c.lower_total + c.upper_total + (c.lower_cu + c.upper_cu) * (@at - c.from_at)) / 2
         FROM endpoint e ${intervalAt} WHERE e.project_ref = @project_ref`,
      )
      .pluck(),
  };
}
