import type { AwakeSpan, EndpointHistory } from '../../resources/endpoint-history.ts';
import type { Finding } from '../../resources/finding.ts';

/** What a detector has found, before findings of the same endpoint are set off against each other. */
export interface Recommendation
  extends Pick<
    Finding,
    'kind' | 'isUpperBound' | 'evidence' | 'advice' | 'periodMs' | 'delayMs' | 'advisedDelayMs' | 'share'
  > {
  /** Of each awake span the part that the change would spare, 0 to 1. */
  readonly spared: readonly number[];
}

/** Looks for one kind of finding; undefined if there is none, or too little is known to say so. */
export type Detector = (past: EndpointHistory) => Recommendation | undefined;

export function lengthMs({ fromAt, untilAt }: { readonly fromAt: number; readonly untilAt: number }): number {
  return untilAt - fromAt;
}

export function awakeMs({ awake }: Pick<EndpointHistory, 'awake'>): number {
  return sum(awake.map(lengthMs));
}

/** Whether the span's beginning was seen: one that reaches the window's edge may have begun before it. */
export function isWake(past: EndpointHistory, span: AwakeSpan): boolean {
  return span.fromAt > past.fromAt;
}

/** Whether it is over, and not just cut by the window. */
export function hasEndedInWindow(past: EndpointHistory, span: AwakeSpan): boolean {
  return span.untilAt < past.untilAt;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** @param values at least one; of an even number of them the lower one of the middle. */
export function lowerMedianOf(values: readonly number[]): number {
  return quantileOf(values, 0.5);
}

/** The value with so large a part of the others below it; 0 if there is none. */
export function quantileOf(values: readonly number[], part: number): number {
  const ordered = [...values].sort((left, right) => left - right);
  return ordered[Math.floor(part * (ordered.length - 1))] ?? 0;
}
