import type { SimulatedAccount } from '../account.ts';
import { amountIn, sumHours } from '../meter/hour-series.ts';
import type { Column, MeteredMetric } from '../meter/metered-metric.ts';
import type { SimulatedProject } from '../project.ts';
import { hash } from '../random.ts';
import { formatSecond } from '../timestamp.ts';
import {
  type BilledPeriod,
  type Granularity,
  type HourRange,
  listBilledPeriods,
  timeframeOf,
} from './billed-period.ts';
import { readMeter, requireLater, requireTerms, startOfHour } from './metering.ts';

/** How much of a column is told of an hour. */
type Told = (column: Column, hour: number) => number;

/** A project as an item of the consumption history that the service bills by; what was not used is left out. */
export function showMetered(
  account: SimulatedAccount,
  project: SimulatedProject,
  granularity: Granularity,
  range: HourRange,
  {
    metrics,
    told = tellLate(account, project),
  }: { readonly metrics: readonly MeteredMetric[]; readonly told?: Told },
) {
  return showPeriods(account, project, granularity, range, frame => {
    const used = metrics
      .map(metric => ({
        metric_name: metric,
        value: sumHours(frame.fromHour, frame.toHour, hour => told(metric, hour)),
      }))
      .filter(({ value }) => value > 0);
    return used.length === 0 ? [] : [{ ...showFrame(granularity, frame), metrics: used }];
  });
}

/** A project as an item of the consumption history of the version before. */
export function showConsumed(
  account: SimulatedAccount,
  project: SimulatedProject,
  granularity: Granularity,
  range: HourRange,
) {
  const told = tellLate(account, project);
  return showPeriods(account, project, granularity, range, frame => {
    const sum = (column: Column) => sumHours(frame.fromHour, frame.toHour, hour => told(column, hour));
    const storedBytes = lastAbove(frame, hour => told('synthetic_storage_size_bytes', hour));
    if (storedBytes === 0) return [];
    return [
      {
        ...showFrame(granularity, frame),
        active_time_seconds: sum('active_time_seconds'),
        compute_time_seconds: sum('compute_unit_seconds'),
        written_data_bytes: sum('written_data_bytes'),
        synthetic_storage_size_bytes: storedBytes,
      },
    ];
  });
}

function showPeriods<Frame>(
  account: SimulatedAccount,
  project: SimulatedProject,
  granularity: Granularity,
  range: HourRange,
  show: (frame: HourRange) => readonly Frame[],
) {
  const periods = listBilledPeriods(account, project, range).map(period => ({
    ...showPeriod(project, period),
    consumption: listFrames(granularity, within(period, range)).flatMap(show),
  }));
  return { project_id: project.id, periods };
}

function showPeriod({ id }: SimulatedProject, { plan, startsAt, endedAt }: BilledPeriod) {
  const digits = [1, 2, 3, 4].map(part => hash(id, startsAt, part).toString(16).padStart(8, '0')).join('');
  return {
    period_id: digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5'),
    period_plan: plan,
    period_start: formatSecond(startsAt),
    ...(endedAt !== undefined && { period_end: formatSecond(endedAt) }),
  };
}

/** A timeframe is told whole, although the period and what is asked for may have a part of its hours. */
function showFrame(granularity: Granularity, { fromHour }: HourRange) {
  const whole = timeframeOf(granularity, fromHour);
  return {
    timeframe_start: formatSecond(startOfHour(whole.fromHour)),
    timeframe_end: formatSecond(startOfHour(whole.toHour)),
  };
}

/** The hours of each timeframe that are in the range. */
function listFrames(granularity: Granularity, range: HourRange): HourRange[] {
  const frames: HourRange[] = [];
  for (let hour = range.fromHour; hour < range.toHour; ) {
    const frame = within(timeframeOf(granularity, hour), range);
    frames.push(frame);
    hour = frame.toHour;
  }
  return frames;
}

function within(one: HourRange, other: HourRange): HourRange {
  return {
    fromHour: Math.max(one.fromHour, other.fromHour),
    toHour: Math.min(one.toHour, other.toHour),
  };
}

/** All that is used up to now is told at once. */
export function tellAtOnce(account: SimulatedAccount, project: SimulatedProject): Told {
  const { columns } = readMeter(account, project);
  return (column, hour) => amountIn(columns[column], hour);
}

/**
 * What is used in an hour is told over the course of an hour that begins when the lag is over: nothing at first, then
 * more and more, and all of it once the lag is over after its end. Storage lags longer than what is used.
 */
function tellLate(account: SimulatedAccount, project: SimulatedProject): Told {
  const { columns } = readMeter(account, project);
  const { now } = account.timeline;
  const { consumptionLagSeconds } = requireTerms(account);
  const longLag = (consumptionLagSeconds * (50 + (requireLater(project).meter.salt % 51))) / 100;
  return (column, hour) => {
    const lag = isStorage(column) ? longLag : longLag / 2;
    const share = Math.min(1, (now - startOfHour(hour) - lag) / startOfHour(1));
    if (share <= 0) return 0;
    const amount = amountIn(columns[column], hour);
    return column === 'synthetic_storage_size_bytes' ? amount : Math.floor(amount * share);
  };
}

function isStorage(column: Column): boolean {
  return /_bytes_month|branches|storage/.test(column);
}

/** The last count of an hour that is more than nothing. */
function lastAbove({ fromHour, toHour }: HourRange, count: (hour: number) => number): number {
  for (let hour = toHour - 1; hour >= fromHour; hour -= 1) {
    const found = count(hour);
    if (found > 0) return found;
  }
  return 0;
}
