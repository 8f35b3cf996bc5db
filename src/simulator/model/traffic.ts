import { connect } from './endpoint-life.ts';
import type { SimulatedEndpoint } from './project.ts';
import { createRandom, type Random } from './random.ts';

/** How the clients of an endpoint behave. `quiet` and `woken-by-checks` have none of their own. */
export const profiles = [
  'working-hours',
  'bursty',
  'nightly-cron',
  'five-minute-cron',
  'never-sleeping',
  'forgotten',
  'quiet',
  'ten-minute-cron',
  'short-visits',
  'woken-by-checks',
] as const;

export type Profile = (typeof profiles)[number];

interface Session {
  /** Epoch seconds, after the moment it was asked for. */
  readonly at: number;
  readonly seconds: number;
}

const hour = 3600;
const day = 24 * hour;

/** When the clients of an endpoint come. */
interface Habit {
  /** Seconds after the usual time of a day. */
  readonly second: number;
  readonly hasWeekend: boolean;
}

interface TrafficOptions {
  /** Makes the habits of clients. */
  readonly seed: number;
  readonly hasSureStarts: boolean;
  /** Whether clients come at any hour of any day. */
  readonly aroundTheClock: boolean;
}

/** Has clients connect as the profile says until the endpoint is deleted. */
export function startTraffic(
  endpoint: SimulatedEndpoint,
  profile: Profile,
  { seed, hasSureStarts, aroundTheClock }: TrafficOptions,
): void {
  const random = createRandom(seed, endpoint.id, 'traffic');
  const drawn = random.integer(0, 4 * hour);
  const habit = { second: aroundTheClock ? 6 * drawn : drawn, hasWeekend: !aroundTheClock };
  const { timeline } = endpoint.project;
  const scheduleNext = (): void => {
    const session = nextSession(profile, random, timeline.now, endpoint.createdAt, habit);
    if (session === undefined) return;
    timeline.schedule(session.at, () => {
      if (endpoint.deletedAt !== undefined) return;
      if (hasSureStarts) connect(endpoint, session.seconds);
      else beginSession(endpoint, session.seconds, random);
      scheduleNext();
    });
  };
  scheduleNext();
}

/** A start fails now and then; the clients then try again. */
function beginSession(endpoint: SimulatedEndpoint, seconds: number, random: Random): void {
  const isWake = endpoint.state !== 'active' && endpoint.pendingState === undefined;
  if (isWake && random.chance(0.003)) {
    connect(endpoint, seconds, { totalSeconds: 20, fails: true, failuresCount: 3 });
    endpoint.project.timeline.schedule(endpoint.project.timeline.now + 30, () => connect(endpoint, seconds));
  } else if (isWake && random.chance(0.01)) {
    connect(endpoint, seconds, { totalSeconds: 9, failuresCount: random.integer(1, 2) });
  } else {
    connect(endpoint, seconds);
  }
}

function nextSession(
  profile: Profile,
  random: Random,
  now: number,
  createdAt: number,
  { second: habit, hasWeekend }: Habit,
): Session | undefined {
  switch (profile) {
    case 'working-hours':
      return {
        at: withinWorkingHours(now + random.integer(600, 2400), habit, hasWeekend),
        seconds: random.integer(60, 1500),
      };
    case 'bursty': {
      const gap = random.chance(0.7) ? random.integer(360, 900) : random.integer(2 * hour, 12 * hour);
      return { at: now + gap, seconds: random.integer(10, 180) };
    }
    case 'nightly-cron': {
      const today = Math.floor(now / day) * day + hour + habit;
      return { at: today > now ? today : today + day, seconds: random.integer(300, 2400) };
    }
    case 'five-minute-cron':
      return { at: (Math.floor(now / 300) + 1) * 300 + (habit % 60), seconds: random.integer(3, 12) };
    case 'ten-minute-cron':
      return { at: (Math.floor(now / 600) + 1) * 600 + (habit % 60), seconds: random.integer(3, 12) };
    case 'short-visits':
      return { at: now + random.integer(2 * hour, 5 * hour), seconds: random.integer(20, 60) };
    case 'never-sleeping':
      return { at: now + random.integer(hour, 6 * hour), seconds: random.integer(60, 900) };
    case 'forgotten':
      return now < createdAt + 2 * day
        ? { at: now + random.integer(hour, 8 * hour), seconds: 300 }
        : undefined;
    case 'quiet':
    case 'woken-by-checks':
      return undefined;
  }
}

/** Moves a moment outside working days, ten hours from 06:00 UTC plus the habit, to the next such morning. */
function withinWorkingHours(second: number, habit: number, hasWeekend: boolean): number {
  let morning = Math.floor((second - 6 * hour - habit) / day) * day + 6 * hour + habit;
  const isAfterWork = second - morning > 10 * hour;
  if (isAfterWork) morning += day;
  const weekday = new Date(morning * 1000).getUTCDay();
  const weekendDays = !hasWeekend ? 0 : weekday === 6 ? 2 : weekday === 0 ? 1 : 0;
  if (!isAfterWork && weekendDays === 0) return second;
  return morning + weekendDays * day + (second % 1800);
}
