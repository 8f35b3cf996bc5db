import { dayMs } from '../../resources/duration.ts';
import type { MeterMetric } from '../../resources/meter.ts';
import { maxOf, minOf } from '../../resources/min-max.ts';
import { type ThingMetric, thingMetrics } from '../../resources/price-book.ts';
import type { MeteredLedger, UsageProject } from '../../resources/usage/ledger.ts';
import { medianOf } from './robust-statistic.ts';

/** The amount of a metric by day. */
export interface MeteredDays {
  /** The first day, by its number since 1970. */
  readonly first: number;
  readonly days: Float64Array;
}

/** Metered amounts of some projects day by day, from where they began in earnest. */
export type MeteredPast = ReadonlyMap<ThingMetric, MeteredDays>;

/** Before that a first reading knows months alone, whose days are all the same: they would be foretold without an error. */
const lookBackDays = 59;

/** Days at the beginning with less than this part of the usual one are when data is loaded: what is loaded once does not go on growing. */
const begunPart = 0.5;

/** The past of some projects, as far as the meter is complete for all of their accounts. */
export function rollMeter(metered: MeteredLedger, projects: readonly UsageProject[]): MeteredPast {
  const accounts = new Set(projects.map(({ account }) => account));
  const spans = [...accounts].flatMap(account => metered.knownSpan(account) ?? []);
  const until = Math.floor(minOf(spans.map(({ untilAt }) => untilAt)) / dayMs);
  const from = Math.ceil(maxOf(spans.map(({ fromAt }) => fromAt)) / dayMs);
  const first = Math.max(from, until - lookBackDays);
  if (spans.length === 0 || first >= until) return new Map();
  return new Map(
    thingMetrics.flatMap(metric => {
      const days = new Float64Array(until - first);
      for (const { project_ref } of projects) addDays(days, metered, project_ref, metric, first);
      return days.some(amount => amount > 0) ? [[metric, leaveOutBegin({ first, days })] as const] : [];
    }),
  );
}

function leaveOutBegin({ first, days }: MeteredDays): MeteredDays {
  const usual = medianOf([...days].filter(amount => amount > 0));
  const begin = days.findIndex(amount => amount >= begunPart * usual);
  return { first: first + begin, days: days.subarray(begin) };
}

function addDays(
  days: Float64Array,
  metered: MeteredLedger,
  project_ref: number,
  metric: MeterMetric,
  first: number,
): void {
  const until = (day: number) => metered.meteredUntil(project_ref, metric, (first + day) * dayMs);
  let before = until(0);
  if (until(days.length) === before) return;
  for (const day of days.keys()) {
    const after = until(day + 1);
    days[day] = (days[day] ?? 0) + after - before;
    before = after;
  }
}
