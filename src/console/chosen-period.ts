import * as v from 'valibot';
import { type PeriodContext, type ReportPeriod, zoneClockAt } from '../cost/calendar/calendar.ts';
import { namePeriodBefore } from '../cost/calendar/period-before.ts';
import { parsePeriod } from '../cost/calendar/report-period.ts';
import type { ConsoleConfig } from './console-config.ts';
import { PeriodProblem } from './page-problem.ts';

/** Words for periods that a reader is offered. */
const offeredPeriods = ['billing', 'last-billing', 'this-month', 'last-month', 'last-30d'] as const;

/** A period that a reader is offered: the word for it, and its days by the clocks that they are counted by. */
const offeredPeriodField = v.object({
  period: v.string(),
  first_day: v.pipe(v.string(), v.isoDate()),
  last_day: v.pipe(v.string(), v.isoDate()),
});
export type OfferedPeriod = v.InferOutput<typeof offeredPeriodField>;

/** Fields of an answer whose period can be chosen. */
export const offeredFields = {
  periods: v.array(offeredPeriodField),
  /** Months, billing periods that are none, and quarters: as far back as anything is known, the newest first. */
  more_periods: v.array(offeredPeriodField),
  /** The first day with known use; null where no use is known, and where the answer is not about use. */
  known_since: v.nullable(v.pipe(v.string(), v.isoDate())),
};
const offeredAnswer = v.object(offeredFields);
export type OfferedPeriods = v.InferOutput<typeof offeredAnswer>;

const offeredMonths = 12;
const offeredQuarters = 4;
const offeredBillings = 6;

/**
 * The periods to offer: those that have begun and end after use is first known.
 *
 * @param firstKnownAt since when use is known; undefined where that is not known.
 * @param words for the periods at a click; one that is the same days as another is left out.
 */
export function offerPeriods(
  config: ConsoleConfig,
  now: number,
  firstKnownAt?: number,
  words: readonly string[] = offeredPeriods,
): OfferedPeriods {
  const context = contextOf(config, now);
  const dayOf = (zone: string, at: number) => zoneClockAt(zone, at).toPlainDate().toString();
  const offer = (word: string): OfferedPeriod[] => {
    const period = parsePeriod(word, context);
    if (typeof period === 'string' || period.untilAt <= (firstKnownAt ?? 0)) return [];
    const { zone, fromAt, untilAt } = period;
    const last_day = dayOf(zone, Math.min(untilAt, now) - 1);
    return [{ period: word, first_day: dayOf(zone, fromAt), last_day }];
  };
  const isFirst = ({ first_day, last_day }: OfferedPeriod, index: number, all: readonly OfferedPeriod[]) =>
    all.findIndex(each => each.first_day === first_day && each.last_day === last_day) === index;
  const months = listMonths(dayOf(context.zone, now));
  const billings = months.slice(0, offeredBillings).map(month => `billing:${month}`);
  return {
    periods: words.flatMap(offer).filter(isFirst),
    more_periods: [
      ...[...months, ...billings].flatMap(offer).filter(isFirst),
      ...listQuarters(months).flatMap(offer),
    ],
    known_since: firstKnownAt === undefined ? null : dayOf(context.zone, firstKnownAt),
  };
}

/** The months until that of a day, the newest first. */
function listMonths(today: string): readonly string[] {
  const [year = 0, month = 1] = today.split('-').map(Number);
  return Array.from({ length: offeredMonths }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back)).toISOString().slice(0, 7),
  );
}

/** The quarters that months are in: `2026-Q4`. */
function listQuarters(months: readonly string[]): readonly string[] {
  const quarterOf = (month: string) => `${month.slice(0, 4)}-Q${Math.ceil(Number(month.slice(5)) / 3)}`;
  return [...new Set(months.map(quarterOf))].slice(0, offeredQuarters);
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
    throw new PeriodProblem(400, 'There is no such period', `${period}.`, [
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
