import { hourMs } from '../../resources/duration.ts';
import type { GoneUsage, HourlyUsage, YoungUsage } from '../../resources/usage/hourly-usage.ts';
import { hoursPerDay, hoursPerWeek } from './week-slot.ts';
import { fitHabit, type HourSpan, type WeeklyHabit } from './weekly-habit.ts';

/** From this age on a project has a rhythm of its own. */
const matureHours = 14 * hoursPerDay;

/** After so many hours, a new project's own usage is believed as much as the usual usage of new projects. */
const infantTrustHours = 24;

/**
 * Forecasts the usage in each hour of the week, by the knowledge at the beginning of an hour of the series: the sum of
 * the habits of the projects there are. Projects still to come or to go show in the errors of such forecasts.
 *
 * @param slots the hour of the week of each hour of the series.
 * @param origin index of the hour at which the forecast is made.
 */
export function forecastWeek(use: HourlyUsage, slots: Uint8Array, origin: number): WeeklyHabit {
  const originAt = use.firstHourAt + origin * hourMs;
  const spans = [
    ...use.young.filter(({ bornAt }) => bornAt < originAt),
    ...use.gone.filter(({ bornAt, goneAt }) => bornAt < originAt && goneAt > originAt),
  ].map(project => ({
    hours: project.hours,
    slots,
    from: firstHourOf(project, use.firstHourAt),
    until: origin,
  }));
  const rhythm = fitHabit({ hours: use.steady, slots, from: 0, until: origin });
  for (const span of spans.filter(isMature)) addTo(rhythm, fitHabit(span));
  const infants = spans.filter(span => !isMature(span));
  if (infants.length === 0) return rhythm;
  const mean = meanOf(rhythm);
  const shape = rhythm.map(value => (mean > 0 ? value / mean : 1));
  const usual = usualOfInfants(use, { slots, shape, origin });
  const habit = Float64Array.from(rhythm);
  for (const span of infants) addTo(habit, guessHabit(span, shape, usual));
  return habit;
}

function isMature({ from, until }: HourSpan): boolean {
  return until - from >= matureHours;
}

/** A new project follows the rhythm of the others, at its own level as far as that is known. */
function guessHabit(span: HourSpan, shape: Float64Array, usual: number): WeeklyHabit {
  const { used, weight } = measureLevel(span, shape);
  const level = (used + infantTrustHours * usual) / (weight + infantTrustHours);
  return shape.map(value => value * level);
}

/** The level of projects in their first weeks, of all that came since the beginning. */
function usualOfInfants(
  use: HourlyUsage,
  known: { readonly slots: Uint8Array; readonly shape: Float64Array; readonly origin: number },
): number {
  let used = 0;
  let weight = 0;
  for (const project of [...use.young, ...use.gone]) {
    if (project.bornAt < use.firstHourAt) continue;
    const from = firstHourOf(project, use.firstHourAt);
    const until = Math.min(known.origin, from + matureHours, lastHourOf(project, use.firstHourAt));
    const level = measureLevel({ hours: project.hours, slots: known.slots, from, until }, known.shape);
    used += level.used;
    weight += level.weight;
  }
  return weight > 0 ? used / weight : 0;
}

/** Actual usage, and the usage at a level of 1: hours of the night and of the weekend count less. */
function measureLevel({ hours, slots, from, until }: HourSpan, shape: Float64Array) {
  let used = 0;
  let weight = 0;
  for (let hour = from; hour < until; hour += 1) {
    used += hours[hour] ?? 0;
    weight += shape[slots[hour] ?? 0] ?? 0;
  }
  return { used, weight };
}

function firstHourOf({ bornAt }: YoungUsage, firstHourAt: number): number {
  return Math.max(0, Math.floor((bornAt - firstHourAt) / hourMs));
}

function lastHourOf(project: YoungUsage | GoneUsage, firstHourAt: number): number {
  return 'goneAt' in project ? Math.ceil((project.goneAt - firstHourAt) / hourMs) : project.hours.length;
}

function addTo(sum: Float64Array, added: Float64Array): void {
  for (let slot = 0; slot < hoursPerWeek; slot += 1) sum[slot] = (sum[slot] ?? 0) + (added[slot] ?? 0);
}

function meanOf(habit: WeeklyHabit): number {
  return habit.reduce((sum, value) => sum + value, 0) / hoursPerWeek;
}
