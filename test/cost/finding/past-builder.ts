import type { Span } from '../../../src/resources/duration.ts';
import type { AwakeSpan, EndpointHistory } from '../../../src/resources/endpoint-history.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Monday, midnight. */
export const begin = Date.parse('2026-10-05T00:00:00Z');

/** The past of an endpoint of 1 CU from `begin` on, ten days unless said otherwise. */
export function makePast({
  days = 10,
  ...given
}: Partial<EndpointHistory> & { readonly days?: number } = {}) {
  const past: EndpointHistory = {
    account: 'main',
    project_id: 'p1',
    endpoint_id: 'ep1',
    fromAt: begin,
    untilAt: begin + days * day,
    minCu: 1,
    maxCu: 1,
    awake: [],
    checks: [],
    ...given,
  };
  return past;
}

/** Awake from so long after `begin` on, for so long; the last use is told as its distance from the start. */
export function awakeFor(afterMs: number, durationMs: number, lastUseMs?: number): AwakeSpan {
  const fromAt = begin + afterMs;
  return {
    fromAt,
    untilAt: fromAt + durationMs,
    ...(lastUseMs !== undefined && { lastActiveAt: fromAt + lastUseMs }),
  };
}

/** A stretch from so long after `begin` on. */
export function stretch(afterMs: number, durationMs: number): Span {
  return { fromAt: begin + afterMs, untilAt: begin + afterMs + durationMs };
}

/** `count` values, by position. */
export function repeat<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
