import type { GoneUse, HourlyUse, YoungUse } from '../resources/hourly-use.ts';
import { hourMs, hoursPerDay, hoursPerWeek } from './week-slot.ts';
import { fitHabit, type HourSpan, type WeeklyHabit } from './weekly-habit.ts';

/** What an account is expected to use from some moment on, by what was known then. */
export interface ExpectedUse {
  readonly habit: WeeklyHabit;
  /** By which part of its use it grows an hour as projects come and go. */
  readonly growthPerHour: number;
}

/** From this age on a project has a rhythm of its own. */
const matureHours = 14 * hoursPerDay;

/** So many hours of its own and a new project is believed as much as what new ones usually use. */
const infantTrustHours = 24;

/** Coming and going is told from so many days, and believed as if as many days without any had gone before. */
const turnoverHours = 28 * hoursPerDay;

/** No account grows for ever as it did lately. */
const growthFadeHours = 14 * hoursPerDay;

/** As it was known at the beginning of an hour of the series: `origin`, an index. */
export function expectUse(use: HourlyUse, slots: Uint8Array, origin: number): ExpectedUse {
  const originAt = use.firstHourAt + origin * hourMs;
  const alive = [
    ...use.young.filter(({ bornAt }) => bornAt < originAt),
    ...use.gone.filter(({ bornAt, goneAt }) => bornAt < originAt && goneAt > originAt),
  ].map(project => ({
    arrivedAt: project.bornAt,
    span: { hours: project.hours, slots, from: firstHourOf(project, use.firstHourAt), until: origin },
  }));
  const [mature, infant] = [alive.filter(isMature), alive.filter(project => !isMature(project))];
  const rhythm = fitHabit({ hours: use.settled, slots, from: 0, until: origin });
  let arrived = 0;
  const arrivedAfter = Math.max(use.firstHourAt, originAt - turnoverHours * hourMs);
  for (const { arrivedAt, span } of mature) {
    const habit = fitHabit(span);
    addTo(rhythm, habit);
    if (arrivedAt > arrivedAfter) arrived += meanOf(habit);
  }
  const habit = Float64Array.from(rhythm);
  const usual = infant.length === 0 ? undefined : usualOfInfants(use, originAt, origin);
  for (const { arrivedAt, span } of infant) {
    const guess = guessHabit(span, rhythm, usual);
    addTo(habit, guess);
    if (arrivedAt > arrivedAfter) arrived += meanOf(guess);
  }
  const left = use.gone
    .filter(({ goneAt }) => goneAt > arrivedAfter && goneAt <= originAt)
    .reduce((sum, project) => sum + lastLevelOf(project, use.firstHourAt), 0);
  const level = meanOf(habit);
  const toldFromHours = Math.min(origin, turnoverHours) + turnoverHours;
  return { habit, growthPerHour: level > 0 ? (arrived - left) / level / toldFromHours : 0 };
}

/** What is expected in an hour, `hoursAhead` after the origin. */
export function expectHour({ habit, growthPerHour }: ExpectedUse, slot: number, hoursAhead: number): number {
  const faded = growthFadeHours * (1 - Math.exp(-hoursAhead / growthFadeHours));
  return (habit[slot] ?? 0) * Math.max(0, 1 + growthPerHour * faded);
}

function isMature({ span }: { readonly span: HourSpan }): boolean {
  return span.until - span.from >= matureHours;
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

/** What a project that is gone used an hour before it went. */
function lastLevelOf(project: GoneUse, firstHourAt: number): number {
  const until = lastHourOf(project, firstHourAt);
  const from = Math.max(firstHourOf(project, firstHourAt), until - matureHours);
  let used = 0;
  for (let hour = from; hour < until; hour += 1) used += project.hours[hour] ?? 0;
  return until > from ? used / (until - from) : 0;
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
