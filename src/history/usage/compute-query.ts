import type { Database } from 'better-sqlite3';
import { type InstantRow, lastInstant } from '../../resources/backfill.ts';
import { statementsOf } from '../file/statement.ts';
import type { ComputeRow } from '../ledger/compute-ledger.ts';

/** A table of instants for a statement that looks something up at each: much faster than a statement for each. */
const instantsOf = `(
  WITH RECURSIVE step(instant) AS (
    VALUES (@fromAt) UNION ALL SELECT instant + @stepMs FROM step WHERE instant + @stepMs <= @untilAt)
  SELECT instant FROM step)`;

/** Compute used at least and at most before an instant, in CU-milliseconds since the ledgers begin. */
export interface ComputeTotals {
  readonly lower: number;
  readonly upper: number;
}

/** The compute of nothing. */
export const noCompute: ComputeTotals = { lower: 0, upper: 0 };

/** The compute between two instants; nothing was used before a ledger is open. */
export function growth(before: ComputeTotals | undefined, after: ComputeTotals): ComputeTotals {
  return { lower: after.lower - (before?.lower ?? 0), upper: after.upper - (before?.upper ?? 0) };
}

type MaybeTotals = { readonly [Bound in keyof ComputeTotals]: number | null };

/** The interval an instant lies in; where those are pruned, the totals of the days before. */
const intervalAt = (at: string) => `JOIN compute_interval c ON c.endpoint_ref = e.endpoint_ref AND c.from_at =
    (SELECT max(from_at) FROM compute_interval WHERE endpoint_ref = e.endpoint_ref AND from_at <= ${at})`;

const isOver = 'coalesce(e.gone_at, p.gone_at) IS NOT NULL';
/** Bounds of an endpoint `e` before an instant, which lies in its interval `c`. */
function boundsAt(at: string): { readonly lower: string; readonly upper: string } {
  const knownMs = `iif(${isOver}, ${at}, min(${at}, e.ledger_until_at)) - c.from_at`;
  const unknownMs = `iif(${isOver}, 0, max(${at} - e.ledger_until_at, 0))`;
  return {
    lower: `c.lower_total + c.lower_cu * max(0, ${knownMs})`,
    upper: `c.upper_total + c.upper_cu * max(0, ${knownMs}) + coalesce(e.ledger_max_cu, 0) * ${unknownMs}`,
  };
}

/** Reads compute ledgers. */
export type ComputeQuery = ReturnType<typeof computeOf>;

/**
 * Reads the compute ledgers. A ledger knows an endpoint until `ledger_until_at`: after it no compute is sure, and up to
 * the largest size is possible, unless the endpoint is gone by then.
 */
export function computeOf(database: Database) {
  const sql = statementsOf(database);
  type OfEndpoint = Readonly<Record<'endpoint_ref' | 'at', number>>;
  type OfProject = Readonly<Record<'project_ref' | 'at', number>>;
  const ofEndpoint = 'endpoint e JOIN project p USING (project_ref)';
  const from = `FROM ${ofEndpoint} ${intervalAt('@at')}`;
  const { lower, upper } = boundsAt('@at');
  const each = boundsAt('instant');
  const readSteps = sql.all<[InstantRow & Readonly<Record<'untilAt' | 'endpoint_ref', number>>], MaybeTotals>`
    SELECT ${each.lower} AS lower, ${each.upper} AS upper
    FROM ${instantsOf} CROSS JOIN ${ofEndpoint} LEFT ${intervalAt('instant')}
    WHERE e.endpoint_ref = @endpoint_ref ORDER BY instant`;
  const readEndpoint = sql.one<[OfEndpoint], ComputeTotals>`
    SELECT ${lower} AS lower, ${upper} AS upper ${from} WHERE e.endpoint_ref = @endpoint_ref`;
  const readProject = sql.one<[OfProject], ComputeTotals>`
    SELECT coalesce(sum(${lower}), 0) AS lower, coalesce(sum(${upper}), 0) AS upper ${from}
    WHERE e.project_ref = @project_ref`;
  const readExtended = sql.one<[OfProject], ComputeTotals>`
    SELECT coalesce(sum(c.lower_total + c.lower_cu * (@at - c.from_at)), 0) AS lower,
      coalesce(sum(c.upper_total + c.upper_cu * (@at - c.from_at)), 0) AS upper
    FROM endpoint e ${intervalAt('@at')} WHERE e.project_ref = @project_ref`;
  const readSince = sql.all<[OfProject], ComputeRow & { readonly endpoint_ref: number }>`
    SELECT c.endpoint_ref, c.from_at, c.lower_cu, c.upper_cu, c.lower_total, c.upper_total
    FROM endpoint e JOIN compute_interval c USING (endpoint_ref)
    WHERE e.project_ref = @project_ref AND c.from_at >= coalesce(
      (SELECT max(from_at) FROM compute_interval WHERE endpoint_ref = e.endpoint_ref AND from_at <= @at), 0)
    ORDER BY c.endpoint_ref, c.from_at`;
  return {
    /** Compute of one endpoint; undefined while its ledger is not open. */
    endpoint: (endpoint_ref: number, at: number) => readEndpoint({ endpoint_ref, at }),
    /** Compute of one endpoint at each of some instants; nulls while its ledger is not open. */
    endpointAtSteps: (endpoint_ref: number, instants: InstantRow) =>
      readSteps({ endpoint_ref, ...instants, untilAt: lastInstant(instants) }),
    /** Compute of all endpoints of a project whose ledgers are open. */
    project: (project_ref: number, at: number) => readProject({ project_ref, at }) ?? noCompute,
    /** As `project`, but going on as the ledgers last were: the growth of a project's counter is spread over time by it. */
    extended: (project_ref: number, at: number) => readExtended({ project_ref, at }) ?? noCompute,
    /** As `extended`, for instants that rise from one on: with one look at the rows instead of one for each. */
    follow(project_ref: number, fromAt: number): (at: number) => ComputeTotals {
      const rows = readSince({ project_ref, at: fromAt });
      const ledgers = [...Map.groupBy(rows, ({ endpoint_ref }) => endpoint_ref).values()].map(intervals => ({
        intervals,
        index: -1,
      }));
      return at => {
        let lower = 0;
        let upper = 0;
        for (const ledger of ledgers) {
          while ((ledger.intervals[ledger.index + 1]?.from_at ?? Number.POSITIVE_INFINITY) <= at)
            ledger.index += 1;
          const interval = ledger.intervals[ledger.index];
          if (interval === undefined) continue;
          const ms = at - interval.from_at;
          lower += interval.lower_total + interval.lower_cu * ms;
          upper += interval.upper_total + interval.upper_cu * ms;
        }
        return { lower, upper };
      };
    },
  };
}
