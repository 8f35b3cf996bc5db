import { hourMs } from '../../resources/duration.ts';
import type { AwakeSpan, Span } from '../../resources/endpoint-history.ts';

/** A row of endpoint_use. */
export interface UseRow {
  readonly from_at: number;
  readonly until_at: number;
  readonly quiet_until_at: number | null;
}

/** When an endpoint began to be in a state, and whether that is active. */
export type StateBegin = readonly [fromAt: number, isActive: number];

/** The states and uses of an endpoint, in order of time; the first of either may have begun before the window they are of. */
export interface AwakeRows {
  readonly states: readonly StateBegin[];
  readonly uses: readonly UseRow[];
}

/** In a longer time between two readings nobody knows what was used. */
const longestUnseenMs = hourMs;

/** When an endpoint was awake within a window. */
export function listAwake({ states, uses }: AwakeRows, window: Span): readonly AwakeSpan[] {
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
