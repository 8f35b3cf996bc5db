import type { Period } from '../../src/cost/calendar/calendar.ts';
import { utcTurnOf } from '../../src/cost/forecast/month-turn.ts';
import { utcSlotOf } from '../../src/cost/forecast/week-slot.ts';
import { hourMs } from '../../src/resources/duration.ts';
import { createRandom, type Random } from '../../src/simulator/model/random.ts';
import type { AccountRecord, Projects } from './account-record.ts';
import { drawNormal } from './synthetic-account.ts';

/** How the projects of a fleet are used through the week. */
interface FleetKind {
  readonly name: string;
  /** Use at an hour of the week as a part of the busiest hour. */
  readonly rhythm: (slot: number, startHour: number) => number;
  /** How much more is used each week than in the week before. */
  readonly weeklyGrowth: number;
  /** Whether more is used about the end of each month. */
  readonly closesMonths?: boolean;
  /** Whether a project of it runs away once in each watched month. */
  readonly runsAway?: boolean;
}

/** A fleet with the stretches in which one of its projects ran away. */
export interface FleetRecord extends AccountRecord {
  readonly runaways: readonly Period[];
}

const hoursPerDay = 24;
const isWeekend = (slot: number): boolean => slot >= 5 * hoursPerDay;
const isWithin = (slot: number, from: number, length: number): boolean =>
  (slot + hoursPerDay - from) % hoursPerDay < length;

const office: FleetKind = {
  name: 'office',
  rhythm: (slot, start) => (isWeekend(slot) ? 0.03 : isWithin(slot, start, 10) ? 1 : 0.08),
  weeklyGrowth: 0,
};

const batch: FleetKind = {
  name: 'batch',
  rhythm: (slot, start) =>
    isWithin(slot, start + 16, 3) ? (Math.floor(slot / hoursPerDay) === 6 ? 3 : 1) : 0.02,
  weeklyGrowth: 0,
};

const weekend: FleetKind = {
  name: 'weekend',
  rhythm: (slot, start) => (isWeekend(slot) ? 1 : 0.25) * (isWithin(slot, start + 2, 14) ? 1 : 0.2),
  weeklyGrowth: 0,
};

const growing: FleetKind = {
  name: 'growing',
  rhythm: (slot, start) => (isWeekend(slot) ? 0.4 : 1) * (isWithin(slot, start, 12) ? 1 : 0.3),
  weeklyGrowth: 0.04,
};

/** Fleets that forecasts are judged by. */
export const forecastFleets: readonly FleetKind[] = [
  office,
  batch,
  weekend,
  growing,
  { ...growing, name: 'shrinking', weeklyGrowth: -0.04 },
  { ...office, name: 'month end', closesMonths: true },
];

/** Fleets that alerts on budgets are judged by. */
export const budgetFleets: readonly FleetKind[] = [
  office,
  batch,
  weekend,
  growing,
  { ...office, name: 'runaway', runsAway: true },
];

/** The watched months, in UTC. */
export const watchedMonths = 3;
export const watchedFromAt = Date.UTC(2026, 0, 1);
export const watchedUntilAt = Date.UTC(2026, watchedMonths, 1);

/**
 * The use of a fleet from before the watched months until their end; growing fleets get more projects too, and shrinking ones
 * lose some.
 */
export function inventFleet(kind: FleetKind, seed: number): FleetRecord {
  const regular = inventRegular(kind, seed);
  const record = kind.closesMonths ? closeMonths(regular, seed) : regular;
  return { ...record, runaways: kind.runsAway ? runAway(record, seed) : [] };
}

/** Lets a project use many times as much as the whole fleet does in the mean hour, for some hours of each month. */
function runAway({ firstHourAt, hourCount, projects }: AccountRecord, seed: number): readonly Period[] {
  const random = createRandom(seed, 'runaways');
  const sum = projects.flatMap(({ hours }) => [...hours]).reduce((total, used) => total + used, 0);
  return Array.from({ length: watchedMonths }, (_, month) => {
    const monthFromAt = Date.UTC(2026, month, 1);
    const fromAt = monthFromAt + random.integer(3 * hoursPerDay, 20 * hoursPerDay) * hourMs;
    const untilAt = fromAt + random.integer(8, 36) * hourMs;
    const extra = (random.integer(15, 30) * sum) / hourCount;
    const runaway = projects[random.integer(0, projects.length - 1)]?.hours ?? new Float64Array();
    for (let at = fromAt; at < untilAt; at += hourMs) {
      const hour = (at - firstHourAt) / hourMs;
      runaway[hour] = (runaway[hour] ?? 0) + extra;
    }
    return { fromAt, untilAt };
  });
}

/** Lets all projects work harder in the last two days of each month, in some fleets in the last one alone or on the first, too. */
function closeMonths(record: AccountRecord, seed: number): AccountRecord {
  const random = createRandom(seed, 'month ends');
  const factor = 1.8 + 2 * random.fraction();
  const days = new Set<number>(random.pick([[-1], [-2, -1], [-2, -1, 1]]));
  const projects = record.projects.map(project => ({
    ...project,
    hours: project.hours.map((used, hour) => {
      const isPeak = days.has(utcTurnOf(record.firstHourAt + hour * hourMs));
      return isPeak ? used * factor * Math.exp(0.2 * (random.fraction() - 0.5)) : used;
    }),
  }));
  return { ...record, projects };
}

function inventRegular({ name, rhythm, weeklyGrowth }: FleetKind, seed: number): AccountRecord {
  const random = createRandom(seed, `${name} fleet`);
  const firstHourAt = watchedFromAt - random.integer(4, 40) * hoursPerDay * hourMs;
  const hourCount = (watchedUntilAt - firstHourAt) / hourMs;
  const sharedMoods = drawMoods(random, hourCount / hoursPerDay, 0.08);
  const settled = random.integer(4, 10);
  const newcomers = weeklyGrowth > 0 ? random.integer(2, 5) : random.integer(0, 1);
  const leavers = weeklyGrowth < 0 ? random.integer(1, 3) : 0;
  const projects = Array.from({ length: settled + newcomers }, (_, index): Projects => {
    const bornHour = index < settled ? 0 : random.integer(hoursPerDay, hourCount);
    const goneHour = index < leavers ? random.integer(hoursPerDay, hourCount) : Number.POSITIVE_INFINITY;
    const level = 1200 * Math.exp(0.6 * drawNormal(random));
    const start = random.integer(6, 10);
    const moods = drawMoods(random, hourCount / hoursPerDay, 0.12);
    const hours = Float64Array.from({ length: hourCount }, (_, hour) => {
      if (hour < bornHour || hour >= goneHour) return 0;
      const day = Math.floor(hour / hoursPerDay);
      const part = rhythm(utcSlotOf(firstHourAt + hour * hourMs), start);
      const mood = Math.exp((sharedMoods[day] ?? 0) + (moods[day] ?? 0) + 0.3 * drawNormal(random));
      return level * part * mood * (1 + weeklyGrowth) ** (hour / 168);
    });
    const bornAt = bornHour === 0 ? firstHourAt - hoursPerDay * hourMs : firstHourAt + bornHour * hourMs;
    return { bornAt, goneAt: firstHourAt + goneHour * hourMs, hours };
  });
  return { firstHourAt, hourCount, monthDays: 31, projects };
}

/** How good or bad each day is, which lasts for some days. */
function drawMoods(random: Random, days: number, spread: number): readonly number[] {
  let mood = 0;
  return Array.from({ length: days }, () => {
    mood = 0.6 * mood + spread * drawNormal(random);
    return mood;
  });
}
