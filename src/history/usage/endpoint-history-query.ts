import type { Database } from 'better-sqlite3';
import { lastInstant } from '../../resources/backfill.ts';
import { secondMs } from '../../resources/duration.ts';
import type {
  AwakeSpan,
  DatedDelay,
  EndpointHistory,
  RememberedEndpoint,
  Span,
} from '../../resources/endpoint-history.ts';
import type { DatedSize, EndpointPast } from '../../resources/endpoint-past.ts';
import { compact } from '../../resources/field.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import { keptFromAt } from '../upkeep/retention.ts';
import { describeSpan, type UseRow } from './awake-span.ts';
import { ComputeQuery, type ComputeTotals } from './compute-query.ts';
import type { UsageQuery } from './usage-query.ts';

interface WatchedEndpoint {
  readonly endpoint_ref: number;
  readonly endpoint_id: string;
  readonly branch_id: string | null;
  readonly minCu: number | null;
  readonly maxCu: number | null;
  readonly lastActiveAt: number | null;
  readonly beginsAt: number;
  readonly untilAt: number;
  /** Null while it is there. */
  readonly goneAt: number | null;
}

/** Reads the histories of endpoints: when they were awake, used and checked. */
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

  /**
   * Histories of the endpoints of a project that are not gone, each from an instant on until `beforeAt`, which is now by
   * default.
   */
  endpoints(
    project: UsageProject,
    sinceAtOf: (endpoint_id: string) => number,
    beforeAt = Number.POSITIVE_INFINITY,
  ): readonly EndpointHistory[] {
    const rows = this.#statements.endpoints.all(project.project_ref).filter(({ goneAt }) => goneAt === null);
    return rows.map(row =>
      this.#read(project, row, { fromAt: sinceAtOf(row.endpoint_id), untilAt: beforeAt }),
    );
  }

  /** The endpoints of a project with what they used from `sinceAt` until `beforeAt`, also those that are gone. */
  remembered(project: UsageProject, sinceAt: number, beforeAt: number): readonly RememberedEndpoint[] {
    return this.#statements.endpoints.all(project.project_ref).map((row, _index, rows) => {
      const { endpoint_ref, beginsAt, untilAt, goneAt } = row;
      const known = {
        fromAt: Math.max(sinceAt, beginsAt, this.#keptFromAt),
        untilAt: goneAt === null ? Math.min(untilAt, beforeAt) : beforeAt,
      };
      return {
        known,
        ...(goneAt !== null && goneAt < beforeAt && { goneAt }),
        usedAtSteps: rows.length === 1 ? this.#usedAlone(project) : this.#usedByBounds(endpoint_ref),
        past: span => this.#read(project, this.#asOf(row, span.untilAt), span),
      };
    });
  }

  /** What all endpoints of a project did in a stretch of time, gone ones too, with their sizes. */
  pasts(project: UsageProject, { fromAt, untilAt }: Span): readonly EndpointPast[] {
    return this.#statements.endpoints.all(project.project_ref).flatMap(row => {
      const { endpoint_ref, beginsAt, goneAt } = row;
      const window = {
        fromAt: Math.max(fromAt, beginsAt, this.#keptFromAt),
        untilAt: Math.min(untilAt, row.untilAt),
      };
      if (window.fromAt >= window.untilAt) return [];
      const sizes = this.#statements.sizes.all(endpoint_ref, untilAt);
      return {
        past: this.#history(project, row, window),
        sizes: sizes.filter((size, index) => index === 0 || !isSameSize(size, sizes[index - 1])),
        ...(goneAt !== null && { goneAt }),
      };
    });
  }

  #read(
    project: UsageProject,
    row: WatchedEndpoint,
    { fromAt: sinceAt, untilAt: beforeAt }: Span,
  ): EndpointHistory {
    const fromAt = Math.max(sinceAt, row.beginsAt, this.#keptFromAt);
    const history = this.#history(project, row, { fromAt, untilAt: Math.min(row.untilAt, beforeAt) });
    return { ...history, ...this.#used(project, row, history) };
  }

  /** The endpoint with its size and last use as they were then. */
  #asOf(row: WatchedEndpoint, at: number): WatchedEndpoint {
    const { endpoint_ref, minCu, maxCu, lastActiveAt } = row;
    const size = this.#statements.size.get({ endpoint_ref, at }) ?? { minCu, maxCu };
    const isLater = lastActiveAt !== null && lastActiveAt >= at;
    const lastUseAt = isLater ? this.#statements.lastUse.get({ endpoint_ref, at }) : lastActiveAt;
    // Used later, it may have been used just before too, if no reading tells.
    return { ...row, ...size, lastActiveAt: lastUseAt ?? (isLater ? at - 1 : null) };
  }

  /** By the counter of its project, which no other endpoint shares. */
  #usedAlone({ project_ref }: UsageProject): RememberedEndpoint['usedAtSteps'] {
    return instants => [...this.#usage.usedAtSteps(project_ref, instants)];
  }

  /** Between the bounds of its ledger, which is what can be said for any instant. */
  #usedByBounds(endpoint_ref: number): RememberedEndpoint['usedAtSteps'] {
    return instants =>
      this.#compute
        .endpointAtSteps(endpoint_ref, { ...instants, untilAt: lastInstant(instants) })
        .map(({ lower, upper }) => ((lower ?? 0) + (upper ?? 0)) / 2);
  }

  #history(project: UsageProject, row: WatchedEndpoint, { fromAt, untilAt }: Span): EndpointHistory {
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
      ...this.#delays(endpoint_ref, untilAt),
      checks: this.#statements.checks.all(endpoint_ref, fromAt, untilAt),
    };
  }

  #delays(endpoint_ref: number, untilAt: number): Pick<EndpointHistory, 'delays'> {
    const delays = this.#statements.delays.all(endpoint_ref, untilAt);
    return delays.length === 0 ? {} : { delays: delays.map(readDelay) };
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
    { endpoint_ref }: WatchedEndpoint,
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

/** 0 is the default of its plan, which is not known; -1 is never ("Auto-suspend value" in the specification). */
function readDelay({
  fromAt,
  seconds,
}: {
  readonly fromAt: number;
  readonly seconds: number | null;
}): DatedDelay {
  if (seconds === null || seconds === 0) return { fromAt };
  return { fromAt, delayMs: seconds < 0 ? Number.POSITIVE_INFINITY : seconds * secondMs };
}

function isSameSize(one: DatedSize, other: DatedSize | undefined): boolean {
  return one.minCu === other?.minCu && one.maxCu === other.maxCu;
}

const noCompute: ComputeTotals = { lower: 0, upper: 0 };

function growth(before = noCompute, after = noCompute): ComputeTotals {
  return { lower: after.lower - before.lower, upper: after.upper - before.upper };
}

function prepare(database: Database) {
  type OfEndpoint = Span & { readonly endpoint_ref: number };
  type AtOf = { readonly endpoint_ref: number; readonly at: number };
  return {
    endpoints: database.prepare<[number], WatchedEndpoint>(
      `SELECT endpoint_ref, endpoint_id, branch_id, autoscaling_limit_min_cu AS minCu,
         coalesce(autoscaling_limit_max_cu, autoscaling_limit_min_cu) AS maxCu, last_active AS lastActiveAt,
         (SELECT min(from_at) FROM state_interval s WHERE s.endpoint_ref = endpoint.endpoint_ref) AS beginsAt,
         ledger_until_at AS untilAt, coalesce(endpoint.gone_at, project.gone_at) AS goneAt
       FROM endpoint JOIN project USING (project_ref)
       WHERE project_ref = ? AND endpoint.first_seen_at IS NOT NULL AND ledger_until_at IS NOT NULL`,
    ),
    // A size is sure while the endpoint is surely awake.
    sizes: database.prepare<[number, number], DatedSize>(
      `SELECT from_at AS fromAt, lower_cu AS minCu, upper_cu AS maxCu FROM compute_interval
       WHERE endpoint_ref = ? AND from_at < ? AND lower_cu > 0 ORDER BY from_at`,
    ),
    delays: database.prepare<[number, number], { readonly fromAt: number; readonly seconds: number | null }>(
      `SELECT from_at AS fromAt, suspend_timeout_seconds AS seconds FROM suspend_timeout
       WHERE endpoint_ref = ? AND from_at < ? ORDER BY from_at`,
    ),
    size: database.prepare<[AtOf], Pick<WatchedEndpoint, 'minCu' | 'maxCu'>>(
      `SELECT lower_cu AS minCu, upper_cu AS maxCu FROM compute_interval
       WHERE endpoint_ref = @endpoint_ref AND from_at < @at AND lower_cu > 0 ORDER BY from_at DESC LIMIT 1`,
    ),
    lastUse: database
      .prepare<[AtOf], number>(
        `SELECT min(until_at, @at) FROM endpoint_use WHERE endpoint_ref = @endpoint_ref AND from_at < @at
         ORDER BY from_at DESC LIMIT 1`,
      )
      .pluck(),
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
