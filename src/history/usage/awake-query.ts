import type { Database } from 'better-sqlite3';
import { hourMs, type Span, secondMs } from '../../resources/duration.ts';
import type { AwakeSpan, DatedDelay } from '../../resources/endpoint-history.ts';
import { spansIn } from '../clause.ts';
import { statementsOf } from '../file/statement.ts';

/** Reads when endpoints were awake, and when they were checked. */
export function awakeOf(database: Database) {
  const sql = statementsOf(database);
  type OfEndpoint = Span & { readonly endpoint_ref: number };
  const states = sql.tuples<[OfEndpoint], StateBegin>`
    SELECT from_at, state = 'active' FROM ${spansIn('state_interval')} ORDER BY from_at`;
  const uses = sql.all<[OfEndpoint], UseRow>`
    SELECT from_at, until_at, quiet_until_at FROM endpoint_use
    WHERE endpoint_ref = @endpoint_ref AND until_at >= @fromAt AND from_at < @untilAt ORDER BY from_at`;
  return {
    /** When an endpoint was awake within a window. */
    spans: (window: OfEndpoint) => listAwake(states(window), uses(window), window),
    /** When checks of its availability were created. */
    checks: sql.values<[OfEndpoint], number>`
      SELECT created_at FROM operation
      WHERE endpoint_ref = @endpoint_ref AND action = 'check_availability'
        AND created_at >= @fromAt AND created_at < @untilAt
      ORDER BY created_at`,
  };
}

/** A row of endpoint_use. */
export interface UseRow {
  readonly from_at: number;
  readonly until_at: number;
  readonly quiet_until_at: number | null;
}

/** When an endpoint began to be in a state, and whether that is active. */
type StateBegin = readonly [fromAt: number, isActive: number];

/** In a longer time between two readings it is not known what was used. */
const longestUnseenMs = hourMs;

/** @param states and uses in order of time; the first of either may have begun before the window they are of. */
function listAwake(
  states: readonly StateBegin[],
  uses: readonly UseRow[],
  window: Span,
): readonly AwakeSpan[] {
  let next = 0;
  return states.flatMap(([from_at, isActive], index) => {
    const fromAt = Math.max(from_at, window.fromAt);
    const untilAt = Math.min(states[index + 1]?.[0] ?? window.untilAt, window.untilAt);
    if (isActive === 0 || untilAt <= fromAt) return [];
    while ((uses[next]?.until_at ?? Number.POSITIVE_INFINITY) < fromAt) next += 1;
    const first = next;
    while ((uses[next]?.from_at ?? Number.POSITIVE_INFINITY) < untilAt) next += 1;
    return [describeSpan({ fromAt, untilAt }, uses.slice(first, next))];
  });
}

/** @param uses the ones that share some time with the span, in order of time. */
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

interface DatedSeconds {
  readonly fromAt: number;
  /** Null where it was not sent. */
  readonly seconds: number | null;
}

/**
 * Reads the auto-suspend delays of an endpoint of a project before an instant, as the service reported them, each from when on it
 * was known; undefined if none was sent.
 */
export function suspendDelaysOf(database: Database) {
  const sql = statementsOf(database);
  const ofEndpoint = sql.all<[endpoint_ref: number, untilAt: number], DatedSeconds>`
    SELECT from_at AS fromAt, value AS seconds FROM endpoint_change
    WHERE endpoint_ref = ? AND field = 'suspend_timeout_seconds' AND from_at < ? ORDER BY from_at`;
  const byDefault = sql.all<[project_ref: number, untilAt: number], DatedSeconds>`
    SELECT from_at AS fromAt, value AS seconds FROM project_change
    WHERE project_ref = ? AND field = 'default_suspend_timeout_seconds' AND from_at < ? ORDER BY from_at`;
  return (project_ref: number, endpoint_ref: number, untilAt: number): readonly DatedDelay[] | undefined => {
    const own = ofEndpoint(endpoint_ref, untilAt);
    if (own.length === 0) return undefined;
    const defaults = own.some(({ seconds }) => seconds === 0) ? byDefault(project_ref, untilAt) : [];
    return own.flatMap((entry, index) => {
      const endAt = own[index + 1]?.fromAt ?? untilAt;
      const spans = entry.seconds === 0 ? resolveDefault(entry.fromAt, endAt, defaults) : [entry];
      return spans.map(readDelay);
    });
  };
}

/** The defaults that were in force in a stretch, the first from its beginning on. */
function resolveDefault(
  fromAt: number,
  untilAt: number,
  defaults: readonly DatedSeconds[],
): readonly DatedSeconds[] {
  const first = defaults.findLast(each => each.fromAt <= fromAt);
  const later = defaults.filter(each => each.fromAt > fromAt && each.fromAt < untilAt);
  return [{ fromAt, seconds: first?.seconds ?? null }, ...later];
}

/** A default of 0 is that of the plan, which is not known; -1 is never ("Auto-suspend value" in the specification). */
function readDelay({ fromAt, seconds }: DatedSeconds): DatedDelay {
  if (seconds === null || seconds === 0) return { fromAt };
  return { fromAt, delayMs: seconds < 0 ? Number.POSITIVE_INFINITY : seconds * secondMs };
}
