import type { Database } from 'better-sqlite3';
import { hourMs, type Span } from '../../resources/duration.ts';
import { livesOf, type ProjectLife, type UsageProject } from '../../resources/usage/ledger.ts';
import { clockSlackMs } from '../commit/life-change.ts';
import { statementsOf } from '../file/statement.ts';
import type { EndpointActivityQuery } from './endpoint-activity-query.ts';
import { type CountStart, findTurn, SampleInterpolation } from './sample-interpolation.ts';

/** Time of a project in which it may have used compute that no reading of `cpu_used_sec` tells; epoch milliseconds. */
export interface UsageGap {
  /** The counter was set back, or the project was deleted, some time after it was last read. */
  readonly kind: 'counter_reset' | 'project_deleted';
  readonly fromAt: number;
  readonly untilAt: number;
  /** The account that the project moved to instead of being deleted: its count went on there. */
  readonly movedTo?: string;
  /** Whether it is about as long as the usual time between two readings. */
  readonly isShort: boolean;
  /** CU-milliseconds its endpoints can have used at most; absent where no size of any is known. */
  readonly mostCuMs?: number;
}

/** Less than reports show is no gap: what endpoints did is known to the second alone. */
const leastCuMs = 36_000;

/** Finds the gaps in the use of projects, and bounds what may be hidden in them by what the endpoints can have used. */
export function gapsOf(database: Database, activity: EndpointActivityQuery) {
  const interpolation = new SampleInterpolation(database);
  const sql = statementsOf(database);
  const lastReadAt = sql.value<[project_ref: number, untilAt: number], number>`
    SELECT max(at) FROM cpu_sample WHERE project_ref = ? AND at <= ?`;
  // A project that moved began a life in its other account then.
  const movedTo = sql.value<[Readonly<{ project_ref: number; lastAt: number; gone_at: number }>], string>`
    SELECT account FROM project AS own JOIN project AS other USING (project_id, created_at)
      JOIN account ON account.account_ref = other.account_ref
      JOIN project_change AS life ON life.project_ref = other.project_ref AND field = 'created_at'
    -- the index of projects begins with their account
    WHERE own.project_ref = @project_ref AND other.account_ref IN (SELECT account_ref FROM account)
      AND other.account_ref <> own.account_ref
      AND life.value BETWEEN @lastAt - ${clockSlackMs} AND @gone_at AND life.value > other.created_at
    ORDER BY life.value DESC LIMIT 1`;

  function mostOf(project_ref: number, { fromAt, untilAt }: Span): number {
    return activity.endpoints(project_ref).reduce((sum, { endpoint_ref }) => {
      const until = (at: number) => activity.computeUntil(endpoint_ref, at).upper;
      return sum + until(untilAt) - until(fromAt);
    }, 0);
  }

  /** All that was used until the count was read and is not in it was used before it began. */
  function describeReset(project_ref: number, start: CountStart, stretch: Span): UsageGap[] {
    const { fromAt, readAt, countedCuMs } = start;
    // A first count that can have begun when the project was created hides nothing.
    if ((start.isFirst ? start.untilAt : readAt) - fromAt <= shortestGapMs) return [];
    const possible = mostOf(project_ref, { fromAt, untilAt: readAt });
    const isBounded = countedCuMs > 0 ? possible > 0 : activity.endpoints(project_ref).length > 0;
    const hidden = possible - countedCuMs;
    if (isBounded && hidden < leastCuMs) return [];
    const part = clip({ fromAt, untilAt: endOf(project_ref, start, isBounded) }, stretch);
    if (part === undefined) return [];
    const inside = mostOf(project_ref, part);
    return [
      {
        ...{ kind: 'counter_reset', ...part, isShort: false },
        ...(isBounded && { mostCuMs: Math.ceil(Math.min(hidden, inside)) }),
      },
    ];
  }

  /** The end of a gap: of a first count the instant from which on its account is known. */
  function endOf(project_ref: number, start: CountStart, isBounded: boolean): number {
    if (start.isFirst) return start.untilAt;
    return isBounded ? latestBegin(project_ref, start) : start.readAt;
  }

  /** The latest instant from which on the endpoints can have used as much as was counted. */
  function latestBegin(project_ref: number, { fromAt, readAt, countedCuMs }: CountStart): number {
    return findTurn(
      fromAt,
      readAt,
      at => mostOf(project_ref, { fromAt: at, untilAt: readAt }) >= countedCuMs,
    );
  }

  function describeDeletion(project_ref: number, { gone_at }: ProjectLife, stretch: Span): UsageGap[] {
    if (gone_at === undefined) return [];
    const lastAt = lastReadAt(project_ref, gone_at + clockSlackMs);
    if (lastAt === undefined) return [];
    const part = clip({ fromAt: lastAt, untilAt: gone_at }, stretch);
    if (part === undefined) return [];
    const isShort = gone_at - lastAt <= shortestGapMs;
    const mostCuMs = Math.ceil(mostOf(project_ref, part));
    if (isShort && mostCuMs < leastCuMs) return [];
    const account = movedTo({ project_ref, lastAt, gone_at });
    return [
      {
        ...{ kind: 'project_deleted', ...part, isShort },
        ...(mostCuMs > 0 && { mostCuMs }),
        ...(account !== undefined && { movedTo: account }),
      },
    ];
  }

  return {
    /** The gaps of a project as far as they lie in a stretch, oldest first, those without any compute left out. */
    read(project: UsageProject, stretch: Span): readonly UsageGap[] {
      const { project_ref } = project;
      const lives = livesOf(project);
      // The count of a project that was created in place of a deleted one begins with it.
      const begunAt = new Set(lives.slice(1).map(({ created_at }) => created_at));
      const resets = interpolation
        .resets(project_ref, stretch.fromAt, stretch.untilAt)
        .filter(({ fromAt }) => !begunAt.has(fromAt))
        .flatMap(start => describeReset(project_ref, start, stretch));
      const deletions = lives.flatMap(life => describeDeletion(project_ref, life, stretch));
      return [...resets, ...deletions].sort((a, b) => a.fromAt - b.fromAt);
    },
  };
}

function clip(whole: Span, part: Span): Span | undefined {
  const fromAt = Math.max(whole.fromAt, part.fromAt);
  const untilAt = Math.min(whole.untilAt, part.untilAt);
  return fromAt < untilAt ? { fromAt, untilAt } : undefined;
}

/** A reset in a stretch shorter than this hides hardly anything. */
const shortestGapMs = hourMs;

/**
 * Reads the instant from which on the use of all projects of an account is known; undefined while there are none.
 */
export function knownFromOf(database: Database, interpolation: SampleInterpolation) {
  const sql = statementsOf(database);
  const firstSeenAt = sql.value<[account: string], number>`
    SELECT min(first_seen_at) FROM project JOIN account USING (account_ref) WHERE account = ?`;
  // Most projects were first counted later.
  const countedFrom = sql.values<[at: number], number>`
    SELECT DISTINCT project_ref FROM cpu_count_start JOIN cpu_sample USING (project_ref, at)
    WHERE coalesce(after_at, 0) < ?`;
  return (account: string, own: readonly UsageProject[]): number | undefined => {
    const seenAt = firstSeenAt(account);
    if (seenAt === undefined) return undefined;
    const begunAt = own
      .flatMap(livesOf)
      .reduce((least, { created_at = seenAt }) => Math.min(least, created_at), seenAt);
    const counted = new Set(countedFrom(seenAt));
    return own
      .filter(({ project_ref }) => counted.has(project_ref))
      .reduce((latest, { project_ref }) => {
        const gaps = interpolation
          .resets(project_ref, 0, seenAt, latest)
          .filter(({ fromAt, untilAt }) => untilAt - fromAt > shortestGapMs && fromAt < seenAt);
        return gaps.reduce((last, { untilAt }) => Math.max(last, untilAt), latest);
      }, begunAt);
  };
}
