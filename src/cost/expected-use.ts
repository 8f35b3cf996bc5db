import type { GoneUse, HourlyUse, YoungUse } from '../resources/hourly-use.ts';
import { hourMs, hoursPerDay, hoursPerWeek } from './week-slot.ts';
import { fitHabit, type HourSpan, type WeeklyHabit } from './weekly-habit.ts';

/** From this age on a project has a rhythm of its own. */
const matureHours = 14 * hoursPerDay;

/** So many hours of its own and a new project is believed as much as what new ones usually use. */
const infantTrustHours = 24;

/**
 * What an account will use in each hour of the week, by what was known at the beginning of an hour of the series (`origin`,
 * an index): what its projects do. Those that are still to come or to go show in how wrong such forecasts are.
 */
export function expectUse(use: HourlyUse, slots: Uint8Array, origin: number): WeeklyHabit {
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
  const rhythm = fitHabit({ hours: use.settled, slots, from: 0, until: origin });
  for (const span of spans.filter(isMature)) addTo(rhythm, fitHabit(span));
  const infants = spans.filter(span => !isMature(span));
  if (infants.length === 0) return rhythm;
  const usual = usualOfInfants(use, originAt, origin);
  const habit = Float64Array.from(rhythm);
  for (const span of infants) addTo(habit, guessHabit(span, rhythm, usual));
  return habit;
}

function isMature({ from, until }: HourSpan): boolean {
  return until - from >= matureHours;
}

/** A new project follows the rhythm of the others, at its own level as far as that is known. */
function guessHabit(
  { hours, slots, from, until }: HourSpan,
  rhythm: WeeklyHabit,
  usual: number | undefined,
): WeeklyHabit {
  const mean = meanOf(rhythm);
  const shape = mean > 0 ? rhythm.map(value => value / mean) : new Float64Array(hoursPerWeek).fill(1);
  let used = 0;
  let weight = 0;
  for (let hour = from; hour < until; hour += 1) {
    used += hours[hour] ?? 0;
    weight += shape[slots[hour] ?? 0] ?? 0;
  }
  if (usual !== undefined) {
    used += infantTrustHours * usual;
    weight += infantTrustHours;
  }
  return shape.map(value => (weight > 0 ? (value * used) / weight : 0));
}

/** What projects that came since the beginning used an hour in their first weeks; undefined if there were none. */
function usualOfInfants(use: HourlyUse, originAt: number, origin: number): number | undefined {
  let used = 0;
  let hours = 0;
  for (const project of [...use.young, ...use.gone]) {
    if (project.bornAt < use.firstHourAt || project.bornAt >= originAt) continue;
    const from = firstHourOf(project, use.firstHourAt);
    const until = Math.min(origin, from + matureHours, lastHourOf(project, use.firstHourAt));
    for (let hour = from; hour < until; hour += 1) used += project.hours[hour] ?? 0;
    hours += Math.max(0, until - from);
  }
  return hours > 0 ? used / hours : undefined;
}

function firstHourOf({ bornAt }: YoungUse, firstHourAt: number): number {
  return Math.max(0, Math.floor((bornAt - firstHourAt) / hourMs));
}

function lastHourOf(project: YoungUse | GoneUse, firstHourAt: number): number {
  return 'goneAt' in project ? Math.ceil((project.goneAt - firstHourAt) / hourMs) : project.hours.length;
}

function addTo(sum: Float64Array, added: Float64Array): void {
  for (let slot = 0; slot < hoursPerWeek; slot += 1) sum[slot] = (sum[slot] ?? 0) + (added[slot] ?? 0);
}

function meanOf(habit: WeeklyHabit): number {
  return habit.reduce((sum, value) => sum + value, 0) / hoursPerWeek;
}
