import { dayMs, hourMs } from './duration.ts';
import { monthStart } from './utc-month.ts';

/** Metrics of the service's meter, in the unit it counts in; the names are its own, and columns of the history. */
export const meterMetrics = [
  'compute_unit_seconds',
  'root_branch_bytes_month',
  'child_branch_bytes_month',
  'instant_restore_bytes_month',
  'snapshot_storage_bytes_month',
  'public_network_transfer_bytes',
  'private_network_transfer_bytes',
  'extra_branches_month',
] as const;
export type MeterMetric = (typeof meterMetrics)[number];

/** Amounts by metric; what is not known is absent. */
export type MeterAmounts = Readonly<Partial<Record<MeterMetric, number>>>;

/** How finely the service tells consumption, from the finest on. */
export const granularities = ['hourly', 'daily', 'monthly'] as const;
export type Granularity = (typeof granularities)[number];

/** The beginning of the hour, day or month of UTC an instant lies in. */
export const timeframeStart: Readonly<Record<Granularity, (at: number) => number>> = {
  hourly: at => Math.floor(at / hourMs) * hourMs,
  daily: at => Math.floor(at / dayMs) * dayMs,
  monthly: at => monthStart(at),
};

/** A stretch of time to be told of; instants in epoch milliseconds by the service's clock. */
export interface MeterSpan {
  readonly granularity: Granularity;
  readonly fromAt: number;
  readonly untilAt: number;
}

/** Whether what lasts is counted in byte-months and branch-months, or in byte-hours and branch-hours. */
export type MeterUnit = 'month' | 'hour';

/** The vendor takes every month for one of 31 days. */
export const hoursOfMonth = 31 * 24;

/** Amounts with what lasts in byte-months and branch-months, whatever it was counted in. */
export function inMonths(amounts: MeterAmounts, unit: MeterUnit): MeterAmounts {
  if (unit === 'month') return amounts;
  const shown = Object.entries(amounts).map(([metric, amount]) => [
    metric,
    metric.endsWith('_month') ? amount / hoursOfMonth : amount,
  ]);
  return Object.fromEntries(shown);
}
