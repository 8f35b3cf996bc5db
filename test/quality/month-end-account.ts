import { utcTurnOf } from '../../src/cost/forecast/month-turn.ts';
import { hourMs } from '../../src/resources/duration.ts';
import { createRandom } from '../../src/simulator/model/random.ts';
import type { AccountRecord } from './account-record.ts';
import { inventAccount } from './synthetic-account.ts';

/** So many days before the last month hold the ends of two others. */
const leastDaysBefore = 45;

/** An account that does its bookkeeping in the last two days of each month, some on the first one too, for months. */
export function inventMonthEnds(seed: number): AccountRecord {
  const random = createRandom(seed, 'month ends');
  const record = findLong(seed);
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

function findLong(seed: number): AccountRecord {
  for (let tries = 0; ; tries += 1) {
    const record = inventAccount(seed * 100 + tries, { spikes: false });
    if (record.hourCount >= (record.monthDays + leastDaysBefore) * 24) return record;
  }
}
