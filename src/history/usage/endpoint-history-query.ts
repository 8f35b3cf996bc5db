import type { Database } from 'better-sqlite3';
import { hourMs } from '../../resources/duration.ts';
import type { AwakeSpan, EndpointHistory, Span } from '../../resources/endpoint-history.ts';
import { compact } from '../../resources/field.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import { keptFromAt } from '../upkeep/retention.ts';
import { ComputeQuery, type ComputeTotals } from './compute-query.ts';
import type { UsageQuery } from './usage-query.ts';

interface PresentEndpoint {
  readonly endpoint_ref: number;
  readonly endpoint_id: string;
  readonly branch_id: string | null;
  readonly minCu: number | null;
  readonly maxCu: number | null;
  readonly lastActiveAt: number | null;
  readonly beginsAt: number;
  readonly untilAt: number;
}

interface UseRow {
  readonly from_at: number;
  readonly until_at: number;
  readonly quiet_until_at: number | null;
}

/** Reads the histories of endpoints that are not gone: when they were awake, used and checked. */
export class EndpointHistoryQuery {
  readonly #usage: UsageQuery;
  readonly #compute: ComputeQuery;
  readonly #statements;
  readonly #keptFromAt: number;

  constructor(database: Database, usage: UsageQuery) {
    this.#usage = usage;
    this.#compute = new ComputeQuery(database);
    this.#statements = prepare(database);
    this.#keptFromAt = keptFromAt(database, 'samples');
  }

  /** Histories of the endpoints of a project from `sinceAt` until `beforeAt`, which is now by default. */
  endpoints(
    project: UsageProject,
    sinceAt: number,
    beforeAt = Number.POSITIVE_INFINITY,
  ): readonly EndpointHistory[] {
    const rows = this.#statements.endpoints.all(project.project_ref);
    const histories = rows.map(row => {
      const fromAt = Math.max(sinceAt, row.beginsAt, this.#keptFromAt);
      const span = { fromAt, untilAt: Math.min(row.untilAt, beforeAt) };
      return { row, history: this.#history(project, row, span) };
    });
    return histories.map(({ row, history }) => ({ ...history, ...this.#used(project, row, history) }));
  }

  #history(project: UsageProject, row: PresentEndpoint, { fromAt, untilAt }: Span): EndpointHistory {
    const { account, project_id, project_name } = project;
    const { endpoint_ref, endpoint_id, branch_id, minCu, maxCu, lastActiveAt } = row;
    return {
      ...{ account, project_id, endpoint_id, fromAt, untilAt },
      ...compact({
        project_name,
        branch_id: branch_id ?? undefined,
        minCu: minCu ?? undefined,
        maxCu: maxCu ?? undefined,
        lastActiveAt: lastActiveAt ?? undefined,
      }),
      awake: this.#awake(endpoint_ref, { fromAt, untilAt }),
      checks: this.#statements.checks.all(endpoint_ref, fromAt, untilAt),
    };
  }

  #awake(endpoint_ref: number, window: Span): readonly AwakeSpan[] {
    const states = this.#statements.states.all({ endpoint_ref, ...window });
    const uses = this.#statements.uses.all({ endpoint_ref, ...window });
    let next = 0;
    return states.flatMap(({ state, from_at }, index) => {
      const fromAt = Math.max(from_at, window.fromAt);
      const untilAt = Math.min(states[index + 1]?.from_at ?? window.untilAt, window.untilAt);
      if (state !== 'active' || untilAt <= fromAt) return [];
      while ((uses[next]?.until_at ?? Number.POSITIVE_INFINITY) < fromAt) next += 1;
      const first = next;
      while ((uses[next]?.from_at ?? Number.POSITIVE_INFINITY) < untilAt) next += 1;
      return [describeSpan({ fromAt, untilAt }, uses.slice(first, next))];
    });
  }

  /** Where no other endpoint of the project can have used anything, all is its own; else it has a share. */
  #used(
    { project_ref }: UsageProject,
    { endpoint_ref }: PresentEndpoint,
    { fromAt, untilAt }: Span,
  ): Pick<EndpointHistory, 'usedCuMs' | 'sharedCuMs'> {
    if (untilAt <= fromAt) return {};
    const used = this.#usage.usedUntil(project_ref, untilAt) - this.#usage.usedUntil(project_ref, fromAt);
    const all = growth(
      this.#compute.project(project_ref, fromAt),
      this.#compute.project(project_ref, untilAt),
    );
    const atEnd = this.#compute.endpoint(endpoint_ref, untilAt);
    if (atEnd === undefined) return {};
    const own = growth(this.#compute.endpoint(endpoint_ref, fromAt), atEnd);
    if (all.upper <= own.upper) return { usedCuMs: used };
    const height = all.upper > all.lower ? (used - all.lower) / (all.upper - all.lower) : 0;
    return { sharedCuMs: own.lower + Math.min(1, Math.max(0, height)) * (own.upper - own.lower) };
  }
}

const noCompute: ComputeTotals = { lower: 0, upper: 0 };

function growth(before = noCompute, after = noCompute): ComputeTotals {
  return { lower: after.lower - before.lower, upper: after.upper - before.upper };
}

/** In a longer time between two readings nobody knows what was used. */
const longestUnseenMs = hourMs;

/** @param uses those that share some time with the span, in order of time. */
function describeSpan({ fromAt, untilAt }: Span, uses: readonly UseRow[]): AwakeSpan {
  const last = uses.at(-1);
  if (last === undefined) return { fromAt, untilAt };
  const before = uses.map(({ from_at, quiet_until_at }, index) => {
    const usedUntilAt = Math.max(fromAt, uses[index - 1]?.until_at ?? fromAt);
    // The first use that was ever read of has no reading before it.
    const quietUntilAt = Math.max(usedUntilAt, quiet_until_at ?? usedUntilAt);
    return { fromAt: usedUntilAt, untilAt: quietUntilAt, unseenMs: from_at - quietUntilAt };
  });
  const unseenMs = before
    .filter((gap, index) => gap.unseenMs > longestUnseenMs || uses[index]?.quiet_until_at === null)
    .reduce((sum, gap) => sum + Math.max(0, gap.unseenMs), 0);
  return {
    fromAt,
    untilAt,
    lastActiveAt: Math.min(last.until_at, untilAt),
    pauses: before
      .filter(pause => pause.untilAt > pause.fromAt)
      .map(({ unseenMs: afterMs, ...pause }) => ({
        ...pause,
        ...(afterMs > 0 && afterMs <= longestUnseenMs && { latestUntilAt: pause.untilAt + afterMs }),
      })),
    ...(unseenMs > 0 && { unseenMs }),
  };
}

function prepare(database: Database) {
  type OfEndpoint = Span & { readonly endpoint_ref: number };
  return {
    endpoints: database.prepare<[number], PresentEndpoint>(
      `SELECT endpoint_ref, endpoint_id, branch_id, autoscaling_limit_min_cu AS minCu,
         coalesce(autoscaling_limit_max_cu, autoscaling_limit_min_cu) AS maxCu, last_active AS lastActiveAt,
         (SELECT min(from_at) FROM state_interval s WHERE s.endpoint_ref = endpoint.endpoint_ref) AS beginsAt,
         ledger_until_at AS untilAt
       FROM endpoint
       WHERE project_ref = ? AND gone_at IS NULL AND first_seen_at IS NOT NULL AND ledger_until_at IS NOT NULL`,
    ),
    states: database.prepare<[OfEndpoint], { readonly state: string; readonly from_at: number }>(
      `SELECT state, from_at FROM state_interval
       WHERE endpoint_ref = @endpoint_ref AND from_at < @untilAt AND from_at >= coalesce(
         (SELECT max(from_at) FROM state_interval WHERE endpoint_ref = @endpoint_ref AND from_at <= @fromAt), 0)
       ORDER BY from_at`,
    ),
    uses: database.prepare<[OfEndpoint], UseRow>(
      `SELECT from_at, until_at, quiet_until_at FROM endpoint_use
       WHERE endpoint_ref = @endpoint_ref AND until_at >= @fromAt AND from_at < @untilAt ORDER BY from_at`,
    ),
    checks: database
      .prepare<[number, number, number], number>(
        `SELECT created_at FROM operation
         WHERE endpoint_ref = ? AND action = 'check_availability' AND created_at >= ? AND created_at < ?
         ORDER BY created_at`,
      )
      .pluck(),
  };
}
