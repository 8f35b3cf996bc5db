import type { Temporal } from 'temporal-polyfill';
import {
  type CalendarUnit,
  clip,
  midnightInUtc,
  periodsBetween,
  type ReportPeriod,
  zoneCalendar,
  zoneClockAt,
} from './calendar.ts';

export type StepUnit = Exclude<CalendarUnit, 'year'>;

/** A day, week or month of a period, as far as it lies in it: its label is its first day, or its month (`2026-10`). */
export type Step = Omit<ReportPeriod, 'zone'>;

type SteppedPeriod = Omit<ReportPeriod, 'label'>;

/** Cuts a period where the days, weeks or months of its zone begin: each instant and billing period is in one step. */
export function cutIntoSteps(unit: StepUnit, period: SteppedPeriod): Step[] {
  const { zone, billedStretch } = period;
  const parts = periodsBetween(zoneCalendar(unit, zone), period).map(each => {
    const part = clip(each, period);
    return { part, date: zoneClockAt(zone, part.fromAt).toPlainDate() };
  });
  const cuts = parts
    .slice(1)
    .map(({ date }) => Math.min(Math.max(midnightInUtc(date), billedStretch.fromAt), billedStretch.untilAt));
  const ends = [billedStretch.fromAt, ...cuts, billedStretch.untilAt];
  return parts.map(({ part, date }, index) => ({
    ...part,
    label: labelOf(unit, date),
    billedStretch: {
      fromAt: ends[index] ?? billedStretch.fromAt,
      untilAt: ends[index + 1] ?? billedStretch.untilAt,
    },
  }));
}

/** The steps from the end of a period to a later end; the first one may be the rest of its last one, and is called as that. */
export function stepsAfter(period: SteppedPeriod, unit: StepUnit, untilAt: number): Step[] {
  const rest = { fromAt: period.untilAt, untilAt };
  return cutIntoSteps(unit, { ...period, untilAt })
    .filter(step => step.untilAt > rest.fromAt)
    .map(step => ({ ...step, ...clip(step, rest) }));
}

function labelOf(unit: StepUnit, date: Temporal.PlainDate): string {
  return unit === 'month' ? date.toPlainYearMonth().toString() : date.toString();
}
