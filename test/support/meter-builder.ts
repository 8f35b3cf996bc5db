import { consumptionList } from '../../src/resources/consumption.ts';
import type { Granularity, MeterAmounts } from '../../src/resources/meter.ts';
import type { ConsumptionReading } from '../../src/resources/reading.ts';
import { instant, type WireItem } from './reading-builder.ts';

/** A timeframe as it comes over the wire. */
export function wireTimeframe(fromAt: number, untilAt: number, amounts: MeterAmounts): WireItem {
  const metrics = Object.entries(amounts).map(([metric_name, value]) => ({ metric_name, value }));
  return { timeframe_start: instant(fromAt), timeframe_end: instant(untilAt), metrics };
}

/** A project's consumption in one period of its plan. */
export function wireConsumption(project_id: string, consumption: readonly WireItem[]): WireItem {
  const period_start = '2026-01-01T00:00:00Z';
  return {
    project_id,
    periods: [{ period_id: 'period-1', period_plan: 'launch', period_start, consumption }],
  };
}

interface ConsumptionOptions {
  readonly account?: string;
  readonly granularity?: Granularity;
  readonly scope?: string;
  /** Whether there are more pages. */
  readonly goesOn?: boolean;
  /** From when on it was asked for; from the first timeframe on by default. */
  readonly fromAt?: number;
  readonly servedAt?: number;
}

/** A page of consumption, read by decoding it as the daemon does. */
export function consumptionReading(
  at: number,
  wire: readonly unknown[],
  options: ConsumptionOptions = {},
): ConsumptionReading {
  const { account = 'main', granularity = 'hourly', scope = '', goesOn = false, servedAt = at } = options;
  const { decode } = consumptionList(granularity);
  const items = wire.map(decode).filter(item => item !== undefined);
  const rejected = wire.length - items.length;
  const starts = items.flatMap(({ timeframes }) => timeframes.map(each => each.timeframe_start));
  const { fromAt = Math.min(at, ...starts) } = options;
  const moment = { account, readAt: at, servedAt, durationMs: 120, fromAt };
  const end = { rejected, complete: rejected === 0 };
  return { kind: 'consumption', ...moment, scope, granularity, items, ...(!goesOn && { end }) };
}
