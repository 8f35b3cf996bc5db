import { utcSlotOf } from '../../src/cost/forecast/week-slot.ts';
import { hourMs } from '../../src/resources/duration.ts';
import { createRandom, type Random } from '../../src/simulator/model/random.ts';
import { type AccountRecord, drawSpan, type Projects } from './account-record.ts';

const dayMs = 24 * hourMs;

/**
 * An account whose projects the simulator does not have: they work hard on weekdays and little at weekends, grow or shrink,
 * have good and bad days, and now and then one that is out of all proportion.
 */
export function inventAccount(seed: number, { spikes = true } = {}): AccountRecord {
  const random = createRandom(seed, 'invented account');
  const span = drawSpan(random);
  const endAt = span.firstHourAt + span.hourCount * hourMs;
  const count = random.integer(3, 20);
  const weeklyGrowth = 0.015 * drawNormal(random);
  const projects = Array.from({ length: count }, () => {
    const isSettled = random.chance(0.75);
    const bornAt = isSettled
      ? span.firstHourAt - dayMs
      : span.firstHourAt + random.fraction() * (endAt - span.firstHourAt);
    const goneAt = random.chance(0.12)
      ? bornAt + random.fraction() * 1.5 * (endAt - bornAt)
      : Number.POSITIVE_INFINITY;
    return inventProject(random, span, { bornAt, goneAt, weeklyGrowth, spikes });
  });
  return { ...span, projects };
}

function inventProject(
  random: Random,
  { firstHourAt, hourCount }: { readonly firstHourAt: number; readonly hourCount: number },
  life: {
    readonly bornAt: number;
    readonly goneAt: number;
    readonly weeklyGrowth: number;
    readonly spikes: boolean;
  },
): Projects {
  const { bornAt, goneAt, weeklyGrowth, spikes } = life;
  const level = 1200 * Math.exp(0.8 * drawNormal(random));
  const weekend = random.pick([0.1, 0.3, 1]);
  const night = random.pick([0.1, 0.4, 1]);
  const morning = random.integer(5, 11);
  let mood = 0;
  let isSpike = false;
  const hours = new Float64Array(hourCount);
  for (let hour = 0; hour < hourCount; hour += 1) {
    const at = firstHourAt + hour * hourMs;
    if (hour % 24 === 0) {
      mood = 0.7 * mood + 0.15 * drawNormal(random);
      isSpike = random.chance(0.01) && spikes;
    }
    const slot = utcSlotOf(at);
    const isWork = slot % 24 >= morning && slot % 24 < morning + 10;
    const rhythm = (slot >= 5 * 24 ? weekend : 1) * (isWork ? 1 : night);
    const growth = Math.exp((weeklyGrowth * hour) / 168);
    const noise = Math.exp(0.4 * drawNormal(random)) * (isSpike ? 4 : 1);
    const isThere = at >= bornAt && at < goneAt;
    hours[hour] = isThere ? level * rhythm * growth * Math.exp(mood) * noise : 0;
  }
  return { bornAt, goneAt, hours };
}

export function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.fraction())) * Math.cos(2 * Math.PI * random.fraction());
}
