import { dayMs, hourMs } from '../resources/duration.ts';
import { type Granularity, type MeterSpan, timeframeStart } from '../resources/meter.ts';
import { monthStart } from '../resources/utc-month.ts';

/** How far back the service tells, in whole timeframes; one less than it keeps, as the oldest may go while it is asked. */
const keptHours = 167;
const keptDays = 59;
const keptMonths = 11;

const oldestAt: Readonly<Record<Granularity, (now: number) => number>> = {
  hourly: now => timeframeStart.hourly(now) - keptHours * hourMs,
  daily: now => timeframeStart.daily(now) - keptDays * dayMs,
  monthly: now => monthStart(now, -keptMonths),
};

/**
 * The time to ask the meter for: from the first timeframe that may have grown, as far back as the service tells.
 *
 * @param now by the service's clock, in epoch milliseconds.
 */
export function meterSpan(granularity: Granularity, now: number, settledUntilAt = 0): MeterSpan {
  const fromAt = Math.max(timeframeStart[granularity](settledUntilAt), oldestAt[granularity](now));
  return { granularity, fromAt: Math.min(fromAt, timeframeStart[granularity](now)), untilAt: now };
}
