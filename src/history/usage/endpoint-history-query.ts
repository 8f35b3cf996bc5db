import type { Database } from 'better-sqlite3';
import type { Span } from '../../resources/duration.ts';
import type {
  AwakeSpan,
  EndpointHistory,
  EndpointPast,
  RememberedEndpoint,
} from '../../resources/endpoint-history.ts';
import { compact } from '../../resources/field.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import { keptFromAt } from '../upkeep/retention.ts';
import { awakeOf, suspendDelaysOf } from './awake-query.ts';
import { computeOf, growth, noCompute } from './compute-query.ts';
import { dayOf, rollUpsOf } from './roll-up-query.ts';
import type { UsageQuery } from './usage-query.ts';
import { type WatchedEndpoint, watchedEndpointsOf } from './watched-endpoint-query.ts';

/** The use of an endpoint, or its share of what several used. */
type OwnUse = Pick<EndpointHistory, 'usedCuMs' | 'sharedCuMs'>;

/** Reads the histories of endpoints. */
export type EndpointHistoryQuery = ReturnType<typeof endpointHistoriesOf>;

/** Reads the histories of endpoints: when they were awake, used and checked. */
export function endpointHistoriesOf(database: Database, usage: UsageQuery) {
  const compute = computeOf(database);
  const delaysOf = suspendDelaysOf(database);
  const watched = watchedEndpointsOf(database);
  const awakeTimes = awakeOf(database);
  const days = rollUpsOf(database);
  /** Before it nothing is told of what they did. */
  const samplesKeptAt = keptFromAt(database, 'samples');
  /** Used for one project after the other: an array of each would take megabytes until they are collected. */
  let midnights = new Float64Array();

  /** Whether all that its project uses while it is known is its own. */
  function hasOwnCounter({ endpoint_ref, siblings, goneAt }: WatchedEndpoint, { fromAt }: Span): boolean {
    return siblings === 1 && goneAt === null && watched.isOpen(endpoint_ref, fromAt) === 1;
  }

  /** By days of UTC: seven days that begin at any time have a part of eight. Days that are not rolled up may have all the rest. */
  function mostADay({ project_ref }: UsageProject, { fromAt, untilAt }: Span): number {
    const firstDay = dayOf(fromAt);
    const count = dayOf(untilAt) - firstDay + 2;
    if (midnights.length !== count) midnights = new Float64Array(count);
    const totals = days.used(project_ref, firstDay, count, midnights);
    const last = usage.usedUntil(project_ref, Number.POSITIVE_INFINITY);
    let most = 0;
    let least = 0;
    for (let day = 0; day < count; day += 1) {
      const total = totals[day] ?? Number.NaN;
      if (!Number.isNaN(total)) least = total;
      totals[day] = least;
      const before = totals[Math.max(0, day - 8)] ?? 0;
      most = Math.max(most, ((Number.isNaN(total) ? last : total) - before) / 7);
    }
    return most;
  }

  /** The endpoint with its size and last use as they were then. */
  function asOf(row: WatchedEndpoint, at: number): WatchedEndpoint {
    const { endpoint_ref, minCu, maxCu } = row;
    const size = watched.sizeBefore({ endpoint_ref, at }) ?? { minCu, maxCu };
    return { ...withUseBefore(row, at), minCu: size.minCu, maxCu: size.maxCu };
  }

  /** The endpoint with its last use as it was then. */
  function withUseBefore(row: WatchedEndpoint, at: number): WatchedEndpoint {
    const { endpoint_ref, lastActiveAt } = row;
    if (lastActiveAt === null || lastActiveAt < at) return row;
    // Used later, it may have been used just before too, if no reading tells.
    return { ...row, lastActiveAt: watched.lastUseBefore({ endpoint_ref, at }) ?? at - 1 };
  }

  function read(
    project: UsageProject,
    row: WatchedEndpoint,
    { fromAt: sinceAt, untilAt: beforeAt }: Span,
  ): EndpointHistory {
    const fromAt = Math.max(sinceAt, row.beginsAt, samplesKeptAt);
    const window = { fromAt, untilAt: Math.min(row.untilAt, beforeAt) };
    return describe(project, row, window, ownUse(project, row, window));
  }

  /** By the counter of its project, which no other endpoint shares. */
  function usedAlone({ project_ref }: UsageProject): RememberedEndpoint['usedAtSteps'] {
    return instants => [...usage.usedAtSteps(project_ref, instants)];
  }

  /** Between the bounds of its ledger, which is what can be said for any instant. */
  function usedByBounds(endpoint_ref: number): RememberedEndpoint['usedAtSteps'] {
    return instants =>
      compute
        .endpointAtSteps(endpoint_ref, instants)
        .map(({ lower, upper }) => ((lower ?? 0) + (upper ?? 0)) / 2);
  }

  /** Times awake and checks are read when they are first asked for: what an endpoint used may tell enough. */
  function describe(
    project: UsageProject,
    row: WatchedEndpoint,
    { fromAt, untilAt }: Span,
    used: OwnUse = {},
  ): EndpointHistory {
    const { account, project_id, project_name } = project;
    const { endpoint_ref, endpoint_id, branch_id, minCu, maxCu, lastActiveAt } = row;
    const delays = delaysOf(project.project_ref, endpoint_ref, untilAt);
    const window = { endpoint_ref, fromAt, untilAt };
    let awake: readonly AwakeSpan[] | undefined;
    let checks: readonly number[] | undefined;
    return {
      ...{ account, project_id, endpoint_id, fromAt, untilAt },
      ...compact({ project_name, branch_id, minCu, maxCu, lastActiveAt }),
      get awake() {
        awake ??= awakeTimes.spans(window);
        return awake;
      },
      ...(delays && { delays }),
      get checks() {
        checks ??= awakeTimes.checks(window);
        return checks;
      },
      ...used,
    };
  }

  /** Where no other endpoint of the project can have used anything, all is its own; else it has a share. */
  function ownUse(
    { project_ref }: UsageProject,
    { endpoint_ref, siblings }: WatchedEndpoint,
    { fromAt, untilAt }: Span,
  ): OwnUse {
    if (untilAt <= fromAt || !watched.isOpen(endpoint_ref, untilAt)) return {};
    const used = usage.usedUntil(project_ref, untilAt) - usage.usedUntil(project_ref, fromAt);
    if (siblings === 1) return { usedCuMs: used };
    const all = growth(compute.project(project_ref, fromAt), compute.project(project_ref, untilAt));
    const atEnd = compute.endpoint(endpoint_ref, untilAt) ?? noCompute;
    const own = growth(compute.endpoint(endpoint_ref, fromAt), atEnd);
    if (all.upper <= own.upper) return { usedCuMs: used };
    const height = all.upper > all.lower ? (used - all.lower) / (all.upper - all.lower) : 0;
    return { sharedCuMs: own.lower + Math.min(1, Math.max(0, height)) * (own.upper - own.lower) };
  }

  return {
    /**
     * Histories of the endpoints of a project that are not gone, each from an instant on until `beforeAt`, which is now by
     * default.
     */
    endpoints(
      project: UsageProject,
      sinceAtOf: (endpoint_id: string) => number,
      beforeAt = Number.POSITIVE_INFINITY,
    ): readonly EndpointHistory[] {
      const rows = watched.list(project.project_ref).filter(({ goneAt }) => goneAt === null);
      return rows.map(row =>
        read(project, withUseBefore(row, beforeAt), {
          fromAt: sinceAtOf(row.endpoint_id),
          untilAt: beforeAt,
        }),
      );
    },
    /** Names all that is known of the endpoints of a project until an instant: their histories are the same while it is. */
    nameOf({ project_ref }: UsageProject, beforeAt: number): string {
      const rows = watched.list(project_ref).map(({ untilAt, lastActiveAt, ...row }) => {
        const isLater = lastActiveAt !== null && lastActiveAt >= beforeAt;
        return { ...row, untilAt: Math.min(untilAt, beforeAt), lastUse: isLater ? 'later' : lastActiveAt };
      });
      return JSON.stringify([samplesKeptAt, rows.map(row => Object.values(row))]);
    },
    /** The endpoints of a project with what they used from `sinceAt` until `beforeAt`, gone ones too. */
    remembered(project: UsageProject, sinceAt: number, beforeAt: number): readonly RememberedEndpoint[] {
      return watched.list(project.project_ref).map((row, _index, rows) => {
        const { endpoint_ref, beginsAt, untilAt, goneAt } = row;
        const fromAt = Math.max(sinceAt, beginsAt, samplesKeptAt);
        const endsAt = goneAt === null ? Math.min(untilAt, beforeAt) : beforeAt;
        // Nothing is known of one that was last read before.
        const known = { fromAt, untilAt: Math.max(fromAt, endsAt) };
        return {
          known,
          ...(goneAt !== null && goneAt < beforeAt && { goneAt }),
          ...(hasOwnCounter(row, known) && { mostADay: () => mostADay(project, known) }),
          usedAtSteps: rows.length === 1 ? usedAlone(project) : usedByBounds(endpoint_ref),
          past: span => read(project, asOf(row, span.untilAt), span),
        };
      });
    },
    /** What all endpoints of a project did in a stretch of time, gone ones too, with their sizes. */
    pasts(project: UsageProject, { fromAt, untilAt }: Span): readonly EndpointPast[] {
      return watched.list(project.project_ref).flatMap(row => {
        const { endpoint_ref, beginsAt, goneAt } = row;
        const window = {
          fromAt: Math.max(fromAt, beginsAt, samplesKeptAt),
          untilAt: Math.min(untilAt, row.untilAt),
        };
        if (window.fromAt >= window.untilAt) return [];
        return {
          past: describe(project, row, window),
          sizes: watched.sizes({ endpoint_ref, fromAt: window.fromAt, untilAt }),
          ...(goneAt !== null && { goneAt }),
        };
      });
    },
  };
}
