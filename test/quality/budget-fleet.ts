import { utcSlotOf } from '../../src/cost/forecast/week-slot.ts';
import { hourMs } from '../../src/resources/duration.ts';
import { createRandom, type Random } from '../../src/simulator/model/random.ts';
import type { AccountRecord, ProjectRecord } from './account-record.ts';

/** How the projects of a fleet are used through the week. */
export interface FleetKind {
  readonly name: string;
  /** Use at an hour of the week as a part of the busiest hour. */
  readonly rhythm: (slot: number, startHour: number) => number;
  /** How much more is used each week than in the week before. */
  readonly weeklyGrowth: number;
}

const hoursPerDay = 24;
const isWeekend = (slot: number): boolean => slot >= 5 * hoursPerDay;
const isWithin = (slot: number, from: number, length: number): boolean =>
  (slot + hoursPerDay - from) % hoursPerDay < length;

export const fleetKinds: readonly FleetKind[] = [
  {
    name: 'office',
    rhythm: (slot, start) => (isWeekend(slot) ? 0.03 : isWithin(slot, start, 10) ? 1 : 0.08),
    weeklyGrowth: 0,
  },
  {
    name: 'batch',
    rhythm: (slot, start) =>
      isWithin(slot, start + 16, 3) ? (Math.floor(slot / hoursPerDay) === 6 ? 3 : 1) : 0.02,
    weeklyGrowth: 0,
  },
  {
    name: 'weekend',
    rhythm: (slot, start) => (isWeekend(slot) ? 1 : 0.25) * (isWithin(slot, start + 2, 14) ? 1 : 0.2),
    weeklyGrowth: 0,
  },
  {
    name: 'growing',
    rhythm: (slot, start) => (isWeekend(slot) ? 0.4 : 1) * (isWithin(slot, start, 12) ? 1 : 0.3),
    weeklyGrowth: 0.04,
  },
];

/** The watched months, in UTC. */
export const watchedFromAt = Date.UTC(2026, 0, 1);
export const watchedUntilAt = Date.UTC(2026, 3, 1);

/** The use of a fleet from before the watched months until their end; growing fleets get more projects too. */
export function inventFleet({ name, rhythm, weeklyGrowth }: FleetKind, seed: number): AccountRecord {
  const random = createRandom(seed, `${name} fleet`);
  const firstHourAt = watchedFromAt - random.integer(4, 40) * hoursPerDay * hourMs;
  const hourCount = (watchedUntilAt - firstHourAt) / hourMs;
  const sharedMoods = drawMoods(random, hourCount / hoursPerDay, 0.08);
  const settled = random.integer(4, 10);
  const newcomers = weeklyGrowth > 0 ? random.integer(2, 5) : random.integer(0, 1);
  const projects = Array.from({ length: settled + newcomers }, (_, index): ProjectRecord => {
    const bornHour = index < settled ? 0 : random.integer(hoursPerDay, hourCount);
    const level = 1200 * Math.exp(0.6 * drawNormal(random));
    const start = random.integer(6, 10);
    const moods = drawMoods(random, hourCount / hoursPerDay, 0.12);
    const hours = Float64Array.from({ length: hourCount }, (_, hour) => {
      if (hour < bornHour) return 0;
      const day = Math.floor(hour / hoursPerDay);
      const part = rhythm(utcSlotOf(firstHourAt + hour * hourMs), start);
      const mood = Math.exp((sharedMoods[day] ?? 0) + (moods[day] ?? 0) + 0.3 * drawNormal(random));
      return level * part * mood * (1 + weeklyGrowth) ** (hour / 168);
    });
    const bornAt = bornHour === 0 ? firstHourAt - hoursPerDay * hourMs : firstHourAt + bornHour * hourMs;
    return { bornAt, goneAt: Number.POSITIVE_INFINITY, hours };
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

function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.fraction())) * Math.cos(2 * Math.PI * random.fraction());
}
