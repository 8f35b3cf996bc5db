import { dayMs, hourMs } from '../../resources/duration.ts';
import type { EndpointHistory, Span } from '../../resources/endpoint-history.ts';
import { awakeMs, lengthMs } from './awake-time.ts';
import { sum } from './statistic.ts';

const monthMs = 30 * dayMs;

/** Compute hours of each awake span, at the endpoint's mean size while it was awake. */
export function spanHoursOf(past: EndpointHistory): number[] {
  const cu = cuWhileAwake(past);
  return past.awake.map(span => (lengthMs(span) * cu) / hourMs);
}

/** The compute hours that parts of spans come to in 30 days. */
export function monthHoursOf(
  past: EndpointHistory,
  spared: readonly number[],
  spanHours: readonly number[],
): number {
  return monthHours(past, sum(spared.map((part, index) => part * (spanHours[index] ?? 0))));
}

/** The compute hours that those of a window come to in 30 days. */
export function monthHours(window: Span, hours: number): number {
  return (hours * monthMs) / lengthMs(window);
}

/** Compute hours to a millionth, as savings are told. */
export function roundHours(hours: number): number {
  return Math.round(hours * 1e6) / 1e6;
}

/** The endpoint's mean size in CU while it was awake; its smallest size where its usage is not known. */
export function cuWhileAwake(past: EndpointHistory): number {
  const { minCu = 0, usedCuMs, sharedCuMs } = past;
  const used = usedCuMs ?? sharedCuMs;
  return used === undefined ? minCu : used / awakeMs(past);
}
