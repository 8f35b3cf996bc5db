import { createProject, deleteProject } from '../../src/simulator/model/account.ts';
import { drawProject } from '../../src/simulator/model/blueprint.ts';
import { cpuUsedSecondsEver, setCpuUsed } from '../../src/simulator/model/endpoint.ts';
import { createFleet } from '../../src/simulator/model/fleet.ts';
import { createRandom, type Random } from '../../src/simulator/model/random.ts';
import { type AccountRecord, drawSpan } from './account-record.ts';

const hour = 3600;
const day = 24 * hour;
/** The simulator creates most projects in the first tenth of its history: that is over when the record begins. */
const settlingDays = 14;

/** An account as the simulator has it live, with projects that come and go, and counters set back at the month's beginning. */
export function simulateAccount(seed: number): AccountRecord {
  const random = createRandom(seed, 'account');
  const { firstHourAt, hourCount, monthDays } = drawSpan(random);
  const from = firstHourAt / 1000;
  const until = from + hourCount * hour;
  const account = createFleet({
    seed,
    projects: random.integer(6, 24),
    historyDays: hourCount / 24 + settlingDays,
    apiKey: 'key',
    plan: 'paid',
    now: until,
  });
  scheduleArrivals(account, random, from, until);
  account.timeline.schedule(until - monthDays * day, () => {
    for (const project of account.projects.values()) setCpuUsed(project, 0);
  });
  account.timeline.advanceTo(from);
  const readings = new Map<string, number[]>();
  for (let index = 0; index <= hourCount; index += 1) {
    account.timeline.advanceTo(from + index * hour);
    for (const project of account.projects.values()) {
      const row = readings.get(project.id) ?? new Array<number>(index).fill(0);
      readings.set(project.id, row);
      row.push(cpuUsedSecondsEver(project));
    }
  }
  const projects = [...account.projects.values()].map(project => {
    const row = readings.get(project.id) ?? [];
    return {
      bornAt: project.createdAt * 1000,
      goneAt: (project.deletedAt ?? Number.POSITIVE_INFINITY) * 1000,
      hours: Float64Array.from(
        { length: hourCount },
        (_, index) => (row[index + 1] ?? 0) - (row[index] ?? 0),
      ),
    };
  });
  return { firstHourAt, hourCount, monthDays, projects };
}

/** About every fifth day a project comes, and one in two months goes of every eight. */
function scheduleArrivals(
  account: ReturnType<typeof createFleet>,
  random: Random,
  from: number,
  until: number,
): void {
  const { timeline, seed, plan } = account;
  for (let at = from, index = 0; ; index += 1) {
    at += random.integer(1, 10 * day);
    if (at >= until) break;
    timeline.schedule(at, () => createProject(account, drawProject(seed, 'arrival', index, plan)));
  }
  for (let at = from; ; ) {
    at += random.integer(1, 16 * day);
    if (at >= until) break;
    timeline.schedule(at, () => {
      const alive = [...account.projects.values()].filter(({ deletedAt }) => deletedAt === undefined);
      const project = alive[random.integer(0, Math.max(0, alive.length - 1))];
      if (project !== undefined) deleteProject(project);
    });
  }
}
