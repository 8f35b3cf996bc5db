import { isResting } from '../../resources/endpoint.ts';
import { maxOf, minOf } from '../../resources/min-max.ts';
import type { BegunInterval } from './state-ledger.ts';

/** No endpoint is a thousandth as large. */
export const largestCu = 1e6;

/** Compute units an endpoint runs with while it is awake. */
export interface ComputeSize {
  readonly minCu: number;
  readonly maxCu: number;
}

/** How much compute an endpoint uses from an instant on, at least and at most, in CU. */
export interface ComputeRate {
  readonly fromAt: number;
  readonly lowerCu: number;
  readonly upperCu: number;
}

/** A row of compute_interval: a rate from an instant on, in CU, and what was used before, in CU-milliseconds. */
export type ComputeRow = Readonly<
  Record<'from_at' | 'lower_cu' | 'upper_cu' | 'lower_total' | 'upper_total', number>
>;

/** A stretch of the life of an endpoint, as its state ledger has it. */
export interface LedgerStretch {
  readonly fromAt: number;
  readonly untilAt: number;
  /** At the beginning. */
  readonly state: string;
  readonly begun: readonly BegunInterval[];
  /** As last read before the stretch, and as read at its end: it may have changed anywhere in between. */
  readonly sizeBefore: ComputeSize;
  readonly sizeAfter: ComputeSize;
}

/** The rates of a stretch and after it, each where it differs from the one before. */
export function chartCompute(stretch: LedgerStretch): readonly ComputeRate[] {
  const { fromAt, untilAt, begun, sizeBefore, sizeAfter } = stretch;
  const size = {
    minCu: Math.min(sizeBefore.minCu, sizeAfter.minCu),
    maxCu: Math.max(sizeBefore.maxCu, sizeAfter.maxCu),
  };
  const doubts = doubtsOf(stretch);
  const cuts = [
    fromAt,
    untilAt,
    ...begun.map(({ at }) => at),
    ...doubts.flatMap(doubt => [doubt.fromAt, doubt.untilAt]),
  ];
  const rates: ComputeRate[] = [];
  let reached = stretch.state;
  let next = 0;
  for (const at of new Set(cuts.toSorted((a, b) => a - b))) {
    for (; (begun[next]?.at ?? Number.POSITIVE_INFINITY) <= at; next += 1)
      reached = begun[next]?.state ?? reached;
    if (at < fromAt || at > untilAt) continue;
    const doubted = doubts.filter(doubt => doubt.fromAt <= at && at < doubt.untilAt);
    const states = [reached, ...doubted.flatMap(doubt => doubt.states)];
    const rate = rateAmong(states, at < untilAt ? size : sizeAfter);
    const last = rates.at(-1);
    if (last?.lowerCu !== rate.lowerCu || last.upperCu !== rate.upperCu) rates.push({ fromAt: at, ...rate });
  }
  return rates;
}

/** The rates of an endpoint that is no more: what it did since it was last read is not known. */
export function endCompute(untilAt: number, goneAt: number, { maxCu }: ComputeSize): readonly ComputeRate[] {
  return [
    { fromAt: untilAt, lowerCu: 0, upperCu: maxCu },
    { fromAt: Math.max(goneAt, untilAt), lowerCu: 0, upperCu: 0 },
  ];
}

/** While it is in doubt when a state began, the one before it may still have been. */
function doubtsOf({ state, begun }: LedgerStretch) {
  return begun.flatMap(({ state: next, doubt }, index) =>
    doubt === undefined ? [] : [{ ...doubt, states: [next, begun[index - 1]?.state ?? state] }],
  );
}

/** The rate of an endpoint that is in one of these states. */
function rateAmong(states: readonly string[], size: ComputeSize): Omit<ComputeRate, 'fromAt'> {
  const rates = states.map(state => rateOf(state, size));
  return {
    lowerCu: minOf(rates.map(({ lowerCu }) => lowerCu)),
    upperCu: maxOf(rates.map(({ upperCu }) => upperCu)),
  };
}

/** A state that is not known may use compute or not. */
function rateOf(state: string, { minCu, maxCu }: ComputeSize): Omit<ComputeRate, 'fromAt'> {
  if (isResting(state)) return { lowerCu: 0, upperCu: 0 };
  return { lowerCu: state === 'active' ? minCu : 0, upperCu: maxCu };
}
