import type { StateBegin } from '../../../history/browse/browsed-project.ts';
import type { Span } from '../../../resources/duration.ts';
import { wakefulness } from '../../part/endpoint-state.ts';

/** A state from one instant until another, within the time that is looked at. */
interface StateSpan extends Span {
  readonly state: string;
}

/** States of an endpoint in a stretch of time, added up. */
export interface FoldedStates {
  readonly awakeMs: number;
  readonly asleepMs: number;
  readonly unknownMs: number;
  readonly starts: number;
  readonly suspends: number;
  /** Absent where there are more than are told one by one. */
  readonly spans?: readonly StateSpan[];
  /** Milliseconds awake, and in a known state, of equal parts of the stretch, in order. */
  readonly awakeByColumn: Float64Array;
  readonly knownByColumn: Float64Array;
}

interface FoldOptions extends Span {
  /** From when until when there was such an endpoint: outside of that nothing can be known. */
  readonly bornAt: number;
  readonly goneAt: number;
  /** Until when its states are known. */
  readonly knownUntilAt: number;
  readonly columns: number;
  readonly mostSpans: number;
}

/** Adds up what an endpoint did: any number of states become sums, and columns as wide as can be seen. */
export function foldStates(states: Iterable<StateBegin>, options: FoldOptions): FoldedStates {
  const { fromAt, untilAt, bornAt, goneAt, knownUntilAt, columns, mostSpans } = options;
  const endAt = Math.min(untilAt, knownUntilAt);
  const lifeMs = Math.min(untilAt, goneAt) - Math.max(fromAt, bornAt);
  const awakeByColumn = new Float64Array(columns);
  const knownByColumn = new Float64Array(columns);
  const columnMs = (untilAt - fromAt) / columns;
  const sums = { awake: 0, asleep: 0, unknown: 0 };
  const spans: StateSpan[] = [];
  let [count, starts, suspends] = [0, 0, 0];
  const add = (beganAt: number, endedAt: number, state: string) => {
    const [a, b] = [Math.max(beganAt, fromAt), Math.min(endedAt, endAt)];
    if (b <= a) return;
    const kind = wakefulness(state);
    sums[kind] += b - a;
    count += 1;
    if (count <= mostSpans) spans.push({ fromAt: a, untilAt: b, state });
    if (kind === 'unknown') return;
    for (let column = Math.floor((a - fromAt) / columnMs); column < columns; column += 1) {
      const columnAt = fromAt + column * columnMs;
      const part = Math.min(b, columnAt + columnMs) - Math.max(a, columnAt);
      if (part <= 0) break;
      knownByColumn[column] = (knownByColumn[column] ?? 0) + part;
      if (kind === 'awake') awakeByColumn[column] = (awakeByColumn[column] ?? 0) + part;
    }
  };
  let before: StateBegin | undefined;
  for (const begin of states) {
    if (before !== undefined) add(before[0], begin[0], before[1]);
    if (begin[0] >= fromAt && begin[0] < endAt && before !== undefined) {
      const [was, is] = [wakefulness(before[1]), wakefulness(begin[1])];
      if (is === 'awake' && was !== 'awake') starts += 1;
      if (was === 'awake' && is === 'asleep') suspends += 1;
    }
    before = begin;
  }
  if (before !== undefined) add(before[0], endAt, before[1]);
  return {
    ...{ awakeMs: sums.awake, asleepMs: sums.asleep, starts, suspends },
    unknownMs: Math.max(0, lifeMs - sums.awake - sums.asleep),
    ...(count <= mostSpans && { spans }),
    ...{ awakeByColumn, knownByColumn },
  };
}
