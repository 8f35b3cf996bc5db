import { listInstants } from '../../resources/backfill.ts';
import type { DatedDelay } from '../../resources/endpoint-history.ts';
import type { DatedSize } from '../../resources/endpoint-past.ts';
import { largest, smallest } from '../../resources/extreme.ts';
import { EndpointHistoryQuery } from '../usage/endpoint-history-query.ts';
import type { EndpointSource } from '../usage/endpoint-source.ts';
import type { ReportHistory } from '../usage/report-history.ts';
import type { WatchedEndpoint } from '../usage/watched-endpoint-query.ts';
import {
  cutWindow,
  type EndpointDirectory,
  type EndpointLink,
  type LinkedEndpoint,
} from './endpoint-directory.ts';
import type { HistoryPart, RowNumbers } from './history-part.ts';
import { joinDated, joinRows } from './joined-row.ts';
import type { MergedActivity } from './merged-activity.ts';
import type { MergedUsage } from './merged-usage.ts';
import type { ProjectDirectory } from './project-directory.ts';

interface Joined {
  readonly parts: readonly HistoryPart[];
  readonly directory: ProjectDirectory;
  readonly endpoints: EndpointDirectory;
  readonly numbers: RowNumbers;
  readonly usage: MergedUsage;
  readonly activity: MergedActivity;
  readonly days: ReportHistory['rollUps'];
}

/** Histories of endpoints, those of projects that moved from history to history among them. */
export function mergeEndpoints({ usage, activity, days, ...joined }: Joined): EndpointHistoryQuery {
  return new EndpointHistoryQuery({
    ...{ usage: joinUse(joined, usage), compute: joinCompute(joined, activity), days },
    ...{ endpoints: joinWatched(joined), awake: joinAwake(joined), delays: joinDelays(joined) },
    keptFromAt: largest(joined.parts.map(({ history }) => history.keptFromAt.samples)),
  });
}

type Found = Pick<Joined, 'directory' | 'endpoints' | 'numbers'>;

/** The source of the one history that speaks for a project, with the number the project has there. */
function aloneOf({ directory }: Found, project_ref: number) {
  const [only, ...others] = directory.get(project_ref)?.links ?? [];
  if (only === undefined || others.length > 0) return undefined;
  return { part: only.part, source: sourceOf(only), ref: only.project.project_ref };
}

function sourceOf({ part }: { readonly part: HistoryPart }): EndpointSource {
  return part.history.endpoints.source;
}

function joinUse(found: Found, usage: MergedUsage): EndpointSource['usage'] {
  return {
    usedUntil: (project_ref, at) => usage.usedUntil(project_ref, at),
    *usedAtSteps(project_ref, instants) {
      const alone = aloneOf(found, project_ref);
      if (alone !== undefined) yield* alone.source.usage.usedAtSteps(alone.ref, instants);
      else for (const at of listInstants(instants)) yield usage.usedUntil(project_ref, at);
    },
  };
}

function joinCompute(found: Found, activity: MergedActivity): EndpointSource['compute'] {
  return {
    endpoint: (endpoint_ref, at) => activity.computeUntil(endpoint_ref, at),
    endpointAtSteps: (endpoint_ref, { fromAt, untilAt, stepMs }) => {
      if (found.endpoints.find(endpoint_ref) === undefined) {
        const row = found.numbers.rowOf(endpoint_ref);
        return sourceOf(row).compute.endpointAtSteps(row.ref, { fromAt, untilAt, stepMs });
      }
      const count = Math.floor((untilAt - fromAt) / stepMs) + 1;
      return Array.from(listInstants({ fromAt, stepMs, count }), at =>
        activity.computeUntil(endpoint_ref, at),
      );
    },
    project: (project_ref, at) => {
      const alone = aloneOf(found, project_ref);
      if (alone !== undefined) return alone.source.compute.project(alone.ref, at);
      const each = (found.endpoints.list(project_ref) ?? []).map(({ endpoint_ref }) =>
        activity.computeUntil(endpoint_ref, at),
      );
      return {
        lower: each.reduce((sum, { lower }) => sum + lower, 0),
        upper: each.reduce((sum, { upper }) => sum + upper, 0),
      };
    },
  };
}

function joinWatched(found: Found): EndpointSource['endpoints'] {
  const linksOf = (
    endpoint_ref: number,
  ): readonly Pick<EndpointLink, 'part' | 'ref' | 'fromAt' | 'cutAt' | 'untilAt'>[] =>
    found.endpoints.find(endpoint_ref)?.links ?? [
      {
        ...found.numbers.rowOf(endpoint_ref),
        fromAt: Number.NEGATIVE_INFINITY,
        cutAt: Number.NEGATIVE_INFINITY,
        untilAt: Number.POSITIVE_INFINITY,
      },
    ];
  return {
    list: project_ref => {
      const alone = aloneOf(found, project_ref);
      if (alone !== undefined)
        return alone.source.endpoints.list(alone.ref).map(row => ({
          ...row,
          endpoint_ref: found.numbers.numberOf({ part: alone.part, ref: row.endpoint_ref }),
        }));
      const all = found.endpoints.list(project_ref) ?? [];
      return all.flatMap(each => watchedOf(each, all.length));
    },
    isOpen: (endpoint_ref, at) =>
      linksOf(endpoint_ref).some(link => sourceOf(link).endpoints.isOpen(link.ref, at)),
    sizeBefore: (endpoint_ref, at) => {
      for (const link of linksOf(endpoint_ref).toReversed()) {
        const size = sourceOf(link).endpoints.sizeBefore(link.ref, Math.min(at, link.untilAt));
        // A history knows earlier sizes as they were when it came.
        if (size !== undefined && size.fromAt >= link.fromAt) return size;
      }
      return undefined;
    },
    lastUseBefore: (endpoint_ref, at) => {
      for (const link of linksOf(endpoint_ref).toReversed()) {
        const usedAt = sourceOf(link).endpoints.lastUseBefore(link.ref, Math.min(at, link.untilAt));
        if (usedAt !== undefined) return usedAt;
      }
      return undefined;
    },
    sizes: (endpoint_ref, stretch) =>
      cutWindow(linksOf(endpoint_ref), stretch).reduce<readonly DatedSize[]>(
        (before, { link, span }) =>
          joinDated(
            before,
            sourceOf(link).endpoints.sizes(link.ref, span),
            Math.max(span.fromAt, link.fromAt),
            isSameSize,
          ),
        [],
      ),
  };
}

function isSameSize(one: DatedSize, other: DatedSize): boolean {
  return one.minCu === other.minCu && one.maxCu === other.maxCu;
}

/** As the last history that read it has it. */
function watchedOf({ endpoint_ref, links }: LinkedEndpoint, siblings: number): WatchedEndpoint[] {
  const watched = links.flatMap(link => (link.row === undefined ? [] : [{ link, row: link.row }]));
  const last = watched.at(-1);
  if (last === undefined) return [];
  const beginsAt = smallest(watched.map(({ row }) => row.beginsAt));
  return [{ ...last.row, endpoint_ref, siblings, beginsAt, goneAt: goneAt(last.link, last.row) }];
}

/** A history that lets a project go does not know what became of its endpoints: those the next one never read were gone. */
function goneAt({ leftAt }: EndpointLink, row: WatchedEndpoint): number | null {
  return leftAt === undefined ? row.goneAt : Math.min(row.goneAt ?? leftAt, leftAt);
}

function joinAwake({ endpoints, numbers }: Found): EndpointSource['awake'] {
  return {
    rows: (endpoint_ref, window) => {
      const linked = endpoints.find(endpoint_ref);
      if (linked === undefined) {
        const row = numbers.rowOf(endpoint_ref);
        return sourceOf(row).awake.rows(row.ref, window);
      }
      return joinRows(
        cutWindow(linked.links, window).map(({ link, span }) => ({
          ...sourceOf(link).awake.rows(link.ref, span),
          ...{ cutAt: span.fromAt, readUntilAt: Math.min(span.untilAt, link.readUntilAt ?? span.untilAt) },
        })),
      );
    },
    checks: (endpoint_ref, window) => {
      const linked = endpoints.find(endpoint_ref);
      const rows = linked?.links ?? [numbers.rowOf(endpoint_ref)];
      const all = rows.flatMap(row => sourceOf(row).awake.checks(row.ref, window));
      return rows.length === 1 ? all : [...new Set(all)].sort((a, b) => a - b);
    },
  };
}

function joinDelays(found: Found): EndpointSource['delays'] {
  return {
    read: (project_ref, endpoint_ref, untilAt) => {
      const alone = aloneOf(found, project_ref);
      if (alone !== undefined)
        return alone.source.delays.read(alone.ref, found.numbers.rowOf(endpoint_ref).ref, untilAt);
      const links = found.endpoints.find(endpoint_ref)?.links ?? [];
      const told = links
        .filter(({ fromAt }) => fromAt < untilAt)
        .map(link => ({
          fromAt: link.fromAt,
          delays:
            sourceOf(link).delays.read(link.project_ref, link.ref, Math.min(untilAt, link.untilAt)) ?? [],
        }));
      const joined = told.reduce<readonly DatedDelay[]>(
        (before, { fromAt, delays }) => joinDated(before, delays, fromAt, isSameDelay),
        [],
      );
      return joined.length > 0 ? joined : undefined;
    },
  };
}

function isSameDelay(one: DatedDelay, other: DatedDelay): boolean {
  return one.delayMs === other.delayMs;
}
