import type { AwakeSpan, EndpointHistory } from '../../resources/endpoint-history.ts';
import { sumOf } from '../../resources/sum.ts';

/** Milliseconds from the beginning of a stretch of time to its end. */
export function lengthMs({ fromAt, untilAt }: { readonly fromAt: number; readonly untilAt: number }): number {
  return untilAt - fromAt;
}

/** Milliseconds the endpoint was awake within the window of its history. */
export function awakeMs({ awake }: Pick<EndpointHistory, 'awake'>): number {
  return sumOf(awake.map(lengthMs));
}

/** Whether the span's beginning was seen: one that reaches the window's edge may have begun before it. */
export function isWake(past: EndpointHistory, span: AwakeSpan): boolean {
  return span.fromAt > past.fromAt;
}

/** Whether the span is over, and not just cut by the window. */
export function hasEndedInWindow(past: EndpointHistory, span: AwakeSpan): boolean {
  return span.untilAt < past.untilAt;
}
