import type { Span } from '../../../resources/duration.ts';
import { maxOf, minOf } from '../../../resources/min-max.ts';

/** A scale of values from bottom to top of a chart. */
export interface ValueScale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  /** Places after the point that tell its lines apart. */
  readonly decimals: number;
}

/** Lines of a scale, about. */
const mostTicks = 5;

/** A scale that has 0 and all values on it, with round numbers. */
export function valueScale(values: readonly number[]): ValueScale {
  const [lowest, highest] = [smallestOf([0, ...values]), largestOf([0, ...values])];
  const span = highest - lowest || 1;
  const power = 10 ** Math.floor(Math.log10(span / mostTicks));
  const unit = power * ([1, 2, 5, 10].find(each => each * power * mostTicks >= span) ?? 10);
  const [first, last] = [Math.floor(lowest / unit), Math.ceil(highest / unit)];
  const ticks = Array.from({ length: Math.max(1, last - first) + 1 }, (_, index) => (first + index) * unit);
  const decimals = Math.max(0, -Math.floor(Math.log10(unit) + 1e-9));
  return { low: first * unit, high: ticks.at(-1) ?? unit, ticks, decimals };
}

/** How far from the top a value is, in thousandths of the height. */
export function heightOf({ low, high }: ValueScale): (value: number) => number {
  return value => round(1000 * (1 - (value - low) / (high - low)));
}

/** How far from the left an instant is, in thousandths of the width, where all steps are as wide. */
export function placeOf(steps: readonly Span[]): (at: number) => number {
  const wide = 1000 / Math.max(1, steps.length);
  return at => {
    const found = steps.findLastIndex(({ fromAt }) => fromAt <= at);
    const step = steps[found];
    if (step === undefined) return 0;
    const part = Math.min(1, (at - step.fromAt) / Math.max(1, step.untilAt - step.fromAt));
    return round((found + part) * wide);
  };
}

/** Thousandths as an attribute of an element whose size is not known before it is shown. */
export function percent(thousandths: number): string {
  return `${round(thousandths / 10)}%`;
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The largest of some values, 0 of none. */
export function largestOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : maxOf(values);
}

/** The smallest of some values, 0 of none. */
export function smallestOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : minOf(values);
}
