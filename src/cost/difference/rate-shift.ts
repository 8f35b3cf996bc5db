import type { Period } from '../calendar/calendar.ts';

/** An instant from which on something happened much more often, or less. */
export interface RateShift {
  readonly at: number;
  readonly isMore: boolean;
}

/** Instants on each side at least, but that one side may have none. */
const leastInstants = 3;
/** The likelihood of two rates over that of one, as a logarithm: chance alone stays far below. */
const leastGain = 12;
const leastRatio = 2;

/** The instant that parts others best into a time with many of them and a time with few; undefined where none is clear. */
export function findRateShift(
  instants: readonly number[],
  { fromAt, untilAt }: Period,
): RateShift | undefined {
  const whole = likelihood(instants.length, untilAt - fromAt);
  let best: { readonly gain: number; readonly shift: RateShift } | undefined;
  for (const [index, at] of instants.entries()) {
    // A rise begins with the first of many, a fall after the last of them.
    for (const isMore of [true, false]) {
      const before = isMore ? index : index + 1;
      const after = instants.length - before;
      const [lengthBefore, lengthAfter] = [at - fromAt, untilAt - at];
      if ((isMore ? after : before) < leastInstants || lengthBefore <= 0 || lengthAfter <= 0) continue;
      const [rateBefore, rateAfter] = [before / lengthBefore, after / lengthAfter];
      if (isMore ? rateAfter < leastRatio * rateBefore : rateBefore < leastRatio * rateAfter) continue;
      const gain = likelihood(before, lengthBefore) + likelihood(after, lengthAfter) - whole;
      if (gain > (best?.gain ?? leastGain)) best = { gain, shift: { at, isMore } };
    }
  }
  return best?.shift;
}

/** Of so many instants at a constant rate, as a logarithm. */
function likelihood(count: number, ms: number): number {
  return count === 0 ? 0 : count * Math.log(count / ms);
}
