import type { AwakeSpan, EndpointHistory } from '../../resources/endpoint-history.ts';
import type { EndpointPast } from '../../resources/endpoint-past.ts';
import { clip, type Period } from '../calendar/calendar.ts';
import { isWake } from '../finding/awake-time.ts';
import { sum } from '../finding/statistic.ts';

/** Two periods whose bills are compared. */
export interface ComparedPeriods {
  readonly before: Period;
  readonly after: Period;
}

/** How often spans began within a period, and how long of it they lasted. */
export interface AwakeMeasure {
  readonly wakes: number;
  readonly awakeMs: number;
}

/** Milliseconds that a stretch of time has in a period. */
export function sharedMs(span: Period, period: Period): number {
  return Math.max(0, Math.min(span.untilAt, period.untilAt) - Math.max(span.fromAt, period.fromAt));
}

/** @param spans those of the endpoint, or some of them. */
export function measureAwake(
  past: EndpointHistory,
  spans: readonly AwakeSpan[],
  period: Period,
): AwakeMeasure {
  const begun = spans.filter(
    span => isWake(past, span) && span.fromAt >= period.fromAt && span.fromAt < period.untilAt,
  );
  return { wakes: begun.length, awakeMs: sum(spans.map(span => sharedMs(span, period))) };
}

/** The history of an endpoint within a shorter window. */
export function clipPast(past: EndpointHistory, period: Period): EndpointHistory {
  const window = clip(past, period);
  const { lastActiveAt, ...rest } = past;
  return {
    ...rest,
    ...window,
    awake: past.awake
      .filter(span => sharedMs(span, window) > 0)
      .map(({ lastActiveAt: usedAt, pauses: _pauses, unseenMs: _unseen, ...span }) => ({
        ...clip(span, window),
        ...(usedAt !== undefined &&
          usedAt >= window.fromAt &&
          usedAt <= window.untilAt && { lastActiveAt: usedAt }),
      })),
    checks: past.checks.filter(at => at >= window.fromAt && at < window.untilAt),
    ...(lastActiveAt !== undefined && lastActiveAt <= window.untilAt && { lastActiveAt }),
  };
}

/** CU-milliseconds that an endpoint probably used in a period: the time awake at the middle of its limits. */
export function estimateUse({ past, sizes }: EndpointPast, period: Period): number {
  const dated = sizes.map((size, index) => {
    const fromAt = index === 0 ? Number.NEGATIVE_INFINITY : size.fromAt;
    const untilAt = sizes[index + 1]?.fromAt ?? Number.POSITIVE_INFINITY;
    return { cu: (size.minCu + size.maxCu) / 2, inForce: clip({ fromAt, untilAt }, period) };
  });
  let used = 0;
  for (const span of past.awake) for (const { cu, inForce } of dated) used += cu * sharedMs(span, inForce);
  return used;
}
