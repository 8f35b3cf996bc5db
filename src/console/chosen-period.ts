import * as v from 'valibot';
import { type PeriodContext, type ReportPeriod, zoneClockAt } from '../cost/calendar/calendar.ts';
import { namePeriodBefore } from '../cost/calendar/period-before.ts';
import { parsePeriod } from '../cost/calendar/report-period.ts';
import type { ConsoleConfig } from './console-config.ts';
import { PageProblem } from './page-problem.ts';

/** Words for periods that a reader is offered. */
const offeredPeriods = ['billing', 'last-billing', 'this-month', 'last-month', 'last-30d'] as const;

/** A period that a reader is offered: the word for it, and its days by the clocks that they are counted by. */
export const offeredPeriodField = v.object({
  period: v.string(),
  first_day: v.pipe(v.string(), v.isoDate()),
  last_day: v.pipe(v.string(), v.isoDate()),
});
export type OfferedPeriod = v.InferOutput<typeof offeredPeriodField>;

/** The periods of these words that have begun, each once. */
export function offerPeriods(
  config: ConsoleConfig,
  now: number,
  words: readonly string[] = offeredPeriods,
): OfferedPeriod[] {
  const offered = new Map<string, OfferedPeriod>();
  for (const word of words) {
    const period = parsePeriod(word, contextOf(config, now));
    if (typeof period === 'string') continue;
    const dayOf = (at: number) => zoneClockAt(period.zone, at).toPlainDate().toString();
    const first_day = dayOf(period.fromAt);
    const last_day = dayOf(Math.min(period.untilAt, now) - 1);
    const key = `${first_day} ${last_day}`;
    if (!offered.has(key)) offered.set(key, { period: word, first_day, last_day });
  }
  return [...offered.values()];
}

/** @returns what periods are read by: the zone of days, and the billing periods of the price book. */
function contextOf({ usage, pricing }: ConsoleConfig, now: number): PeriodContext {
  return { now, zone: usage.timezone, billing: pricing?.billingPeriod };
}

/**
 * The period of a page, until now at the latest.
 *
 * @throws PageProblem with the words for periods.
 */
export function choosePeriod(config: ConsoleConfig, text: string, now: number): ReportPeriod {
  const period = parsePeriod(text, contextOf(config, now));
  if (typeof period === 'string') {
    throw new PageProblem(400, 'There is no such period', `${period}.`, [
      ...offeredPeriods,
      'billing:2026-10',
      'last-3-months',
      '2026-10',
      '2026-Q4',
      '2026-10-05',
      '2026-09..2026-11',
      '2026-10-01..2026-11-01',
    ]);
  }
  return { ...period, untilAt: Math.min(period.untilAt, now) };
}

/** The word for the period before one. */
export function nameBefore(config: ConsoleConfig, period: ReportPeriod, now: number): string {
  return namePeriodBefore(period, contextOf(config, now));
}
