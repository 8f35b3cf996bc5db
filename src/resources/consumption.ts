import { asFields, asIdentifier, asInstant, asText, type Fields } from './field.ts';
import type { ListDefinition } from './list-definition.ts';
import {
  type Granularity,
  hoursOfMonth,
  type MeterAmounts,
  type MeterMetric,
  meterMetrics,
  timeframeStart,
} from './meter.ts';

/** Consumption of a project within a stretch of time; instants in epoch milliseconds. */
export interface Timeframe {
  readonly timeframe_start: number;
  readonly timeframe_end: number;
  readonly amounts: MeterAmounts;
}

/** Consumption of a project, the earliest timeframe first and each of them once. */
export interface ProjectConsumption {
  readonly project_id: string;
  readonly timeframes: readonly Timeframe[];
  /** Values and timeframes that could not be used. */
  readonly lost: number;
}

/** More is a fault of the service. A project of 100 TB comes to a tenth of it, also where the meter counts in byte-hours. */
const largestInHour = 1e15;
const largestAmount: Readonly<Record<Granularity, number>> = {
  hourly: largestInHour,
  daily: 24 * largestInHour,
  monthly: hoursOfMonth * largestInHour,
};

/** The consumption of projects by hour, day or month. */
export function consumptionList(granularity: Granularity): ListDefinition<ProjectConsumption> {
  return {
    route: '/consumption_history/v2/projects',
    itemsKey: 'projects',
    pageLimit: 100,
    takesLimit: true,
    takesOrganisation: true,
    decode: item => decodeProject(item, granularity),
    identify: ({ project_id }) => project_id,
  };
}

/** Counts what is lost of a project while the rest of it is read. */
interface Loss {
  count: number;
}

function decodeProject(item: unknown, granularity: Granularity): ProjectConsumption | undefined {
  const fields = asFields(item);
  const project_id = asIdentifier(fields?.project_id);
  if (fields === undefined || project_id === undefined) return undefined;
  const loss: Loss = { count: 0 };
  const byPeriod = listObjects(fields.periods, loss).map((period, index) => ({
    id: asText(period.period_id) ?? asText(period.period_start) ?? String(index),
    timeframes: listObjects(period.consumption, loss).flatMap(each =>
      decodeTimeframe(each, granularity, loss),
    ),
  }));
  const periods = Map.groupBy(byPeriod, ({ id }) => id);
  const read = [...periods.values()].map(parts => repeatOnce(parts.flatMap(part => part.timeframes)));
  return { project_id, timeframes: addUp(read, largestAmount[granularity]), lost: loss.count };
}

/** The objects of an array that may be absent. */
function listObjects(value: unknown, loss: Loss): readonly Fields[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    loss.count += 1;
    return [];
  }
  const objects = value.map(asFields).filter(fields => fields !== undefined);
  loss.count += value.length - objects.length;
  return objects;
}

function decodeTimeframe(fields: Fields, granularity: Granularity, loss: Loss): Timeframe[] {
  const timeframe_start = asInstant(fields.timeframe_start);
  const timeframe_end = asInstant(fields.timeframe_end);
  if (
    timeframe_start === undefined ||
    timeframe_end === undefined ||
    !lies(granularity, timeframe_start, timeframe_end)
  ) {
    loss.count += 1;
    return [];
  }
  const amounts: Partial<Record<MeterMetric, number>> = {};
  for (const { metric_name, value } of listObjects(fields.metrics, loss)) {
    const metric = meterMetrics.find(each => each === metric_name);
    if (metric === undefined || value === undefined || value === null) continue;
    if (isAmount(value, largestAmount[granularity])) amounts[metric] = Math.max(amounts[metric] ?? 0, value);
    else loss.count += 1;
  }
  return [{ timeframe_start, timeframe_end, amounts }];
}

/** Whether it reaches over no end of an hour, day or month: time would count twice. */
function lies(granularity: Granularity, fromAt: number, untilAt: number): boolean {
  const startOf = timeframeStart[granularity];
  return untilAt > fromAt && startOf(fromAt) === startOf(untilAt - 1);
}

function isAmount(value: unknown, largest: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= largest;
}

/** Within a period, a timeframe that is told twice is the same one. */
function repeatOnce(timeframes: readonly Timeframe[]): readonly Timeframe[] {
  return joinEqual(timeframes, (a, b) => Math.max(a, b));
}

/** A timeframe in which a period ends and the next one begins is told by both, each its part. */
function addUp(periods: readonly (readonly Timeframe[])[], largest: number): readonly Timeframe[] {
  const timeframes = joinEqual(periods.flat(), (a, b) => Math.min(a + b, largest));
  return timeframes.toSorted((a, b) => a.timeframe_start - b.timeframe_start);
}

function joinEqual(
  timeframes: readonly Timeframe[],
  join: (a: number, b: number) => number,
): readonly Timeframe[] {
  const joined = new Map<number, Timeframe>();
  for (const timeframe of timeframes) {
    const before = joined.get(timeframe.timeframe_start);
    joined.set(
      timeframe.timeframe_start,
      before === undefined ? timeframe : joinTwo(before, timeframe, join),
    );
  }
  return [...joined.values()];
}

function joinTwo(a: Timeframe, b: Timeframe, join: (a: number, b: number) => number): Timeframe {
  const timeframe_end = Math.max(a.timeframe_end, b.timeframe_end);
  return { ...a, timeframe_end, amounts: joinAmounts(a.amounts, b.amounts, join) };
}

/** The amounts of two, joined where both know one. */
export function joinAmounts(
  a: MeterAmounts,
  b: MeterAmounts,
  join: (a: number, b: number) => number,
): MeterAmounts {
  const joined: Partial<Record<MeterMetric, number>> = { ...a };
  for (const metric of meterMetrics) {
    const [known, other] = [a[metric], b[metric]];
    if (other !== undefined) joined[metric] = known === undefined ? other : join(known, other);
  }
  return joined;
}
