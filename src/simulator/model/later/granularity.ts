import { hourOf } from '../meter/hour-series.ts';
import { monthOf } from '../meter/month.ts';

/** How long the timeframes of a consumption history are. */
export const granularities = ['hourly', 'daily', 'monthly'] as const;

export type Granularity = (typeof granularities)[number];

/** Hours counted from the epoch, the last one left out. */
export interface HourRange {
  readonly fromHour: number;
  readonly toHour: number;
}

/** The timeframe that an hour lies in. */
export function timeframeOf(granularity: Granularity, hour: number): HourRange {
  if (granularity === 'hourly') return { fromHour: hour, toHour: hour + 1 };
  if (granularity === 'monthly') {
    const { firstHour, endHour } = monthOf(hour);
    return { fromHour: firstHour, toHour: endHour };
  }
  const fromHour = Math.floor(hour / 24) * 24;
  return { fromHour, toHour: fromHour + 24 };
}

/** The first hour that is still told at an instant: of 168 hours, 60 days or a year. */
export function oldestHour(granularity: Granularity, now: number): number {
  const { fromHour } = timeframeOf(granularity, hourOf(now));
  if (granularity === 'hourly') return fromHour - 168;
  if (granularity === 'daily') return fromHour - 60 * 24;
  const date = new Date(now * 1000);
  return hourOf(Date.UTC(date.getUTCFullYear() - 1, date.getUTCMonth()) / 1000);
}
