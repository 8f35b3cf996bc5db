import { joinAmounts } from '../../resources/consumption.ts';
import { type MeterAmounts, type MeterMetric, meterMetrics } from '../../resources/meter.ts';

export function addAmounts(a: MeterAmounts, b: MeterAmounts): MeterAmounts {
  return joinAmounts(a, b, (x, y) => x + y);
}

/** The larger of two of the same: what is known of it may only grow. */
export function largerAmounts(a: MeterAmounts, b: MeterAmounts): MeterAmounts {
  return joinAmounts(a, b, Math.max);
}

/** By how much amounts grew, with 0 for those that were not known before and are none. */
export function growthOf(before: MeterAmounts, after: MeterAmounts): MeterAmounts {
  const grown: Partial<Record<MeterMetric, number>> = {};
  for (const metric of meterMetrics) {
    const amount = after[metric];
    if (amount !== undefined && amount !== before[metric]) grown[metric] = amount - (before[metric] ?? 0);
  }
  return grown;
}

export function isSameAmounts(a: MeterAmounts, b: MeterAmounts): boolean {
  return meterMetrics.every(metric => a[metric] === b[metric]);
}
