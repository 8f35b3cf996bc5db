import { findMeteredAnomalies, type MeterHabit } from '../../src/cost/forecast/metered-anomaly.ts';
import { dayMs, hourMs } from '../../src/resources/duration.ts';
import type { MeterMetric } from '../../src/resources/meter.ts';
import type { MeteredLedger, UsageProject } from '../../src/resources/usage/ledger.ts';
import { createFleet } from '../../src/simulator/model/fleet.ts';
import { readMeter } from '../../src/simulator/model/later/metering.ts';
import { amountIn, hourOf } from '../../src/simulator/model/meter/hour-series.ts';
import { createRandom } from '../../src/simulator/model/random.ts';
import { laterTermsOf } from '../../src/simulator/server.ts';
import { type Measurement, renderPercent } from './quality-table.ts';

/** How many unusual days were told of projects in which there are none, and how many of those put into them were found. */
interface MeteredAnomalyCount {
  readonly projectDays: number;
  readonly alarms: number;
  readonly jumps: number;
  readonly found: number;
}

const daysOfQuarter = 365.25 / 4;
const historyDays = 100;
/** The simulator takes snapshots of projects in their first three weeks: these are as unusual as what is put in. */
const settlingDays = 22;
const jumpBytes = 30e9;

const usual: MeterHabit = { leastBytes: 10e9, leastBranches: 10, unit: 'month' };
/** Nothing is too little to be told, so that the statistics alone decide. */
const strict: MeterHabit = { leastBytes: 1e6, leastBranches: 1, unit: 'month' };

export const meteredAnomalyQuality: Measurement = {
  name: 'metered-anomaly',
  measure: seeds => [
    {
      title: `Anomalies of what is metered, ${seeds.length} seeds`,
      heads: ['least', 'project-quarters', 'false alarms of each', 'jumps', 'found that day'],
      rows: [usual, strict].map(habit => {
        const count = addUpMetered(seeds.map(seed => countMeteredAnomalies(seed, habit)));
        const quarters = count.projectDays / daysOfQuarter;
        return [
          `${habit.leastBytes / 1e9} GB`,
          quarters.toFixed(0),
          (count.alarms / quarters).toFixed(2),
          String(count.jumps),
          renderPercent(count.found / count.jumps),
        ];
      }),
    },
  ],
};

export function addUpMetered(counts: readonly MeteredAnomalyCount[]): MeteredAnomalyCount {
  const sum = (numberOf: (count: MeteredAnomalyCount) => number) =>
    counts.reduce((total, count) => total + numberOf(count), 0);
  return {
    projectDays: sum(({ projectDays }) => projectDays),
    alarms: sum(({ alarms }) => alarms),
    jumps: sum(({ jumps }) => jumps),
    found: sum(({ found }) => found),
  };
}

/** Looks at every day of a simulated fleet, and at a day of each project into which a jump was put. */
export function countMeteredAnomalies(seed: number, habit: MeterHabit = usual): MeteredAnomalyCount {
  const random = createRandom(seed, 'metered');
  const now = Date.UTC(2026, random.integer(0, 11), random.integer(1, 28)) / 1000;
  const later = laterTermsOf({ meteredIn: habit.unit });
  const account = createFleet({ seed, projects: 12, historyDays, apiKey: 'key', plan: 'paid', now, later });
  account.timeline.advanceTo(now);
  const simulated = [...account.projects.values()];
  const books = simulated.map(project => readMeter(account, project).columns);
  const beganAt = now * 1000 - historyDays * dayMs;
  const projects = simulated.map(({ id, createdAt }, index) => {
    return { account: 'main', project_id: id, project_ref: index, created_at: createdAt * 1000 };
  });
  const settledDayOf = ({ created_at }: (typeof projects)[number]) =>
    Math.ceil((created_at - beganAt) / dayMs) + settlingDays;
  const firstHour = hourOf(beganAt / 1000);
  const told = projects.map(({ project_ref }) => (metric: MeterMetric, hour: number) => {
    const column = books[project_ref]?.[metric];
    return column === undefined ? 0 : amountIn(column, firstHour + hour);
  });
  const steady = ledgerOf(told, beganAt);
  const toldOn = new Map<string, number>();
  let alarms = 0;
  let projectDays = 0;
  for (let day = settlingDays; day <= historyDays; day += 1) {
    const settled = projects.filter(project => settledDayOf(project) <= day);
    projectDays += settled.length;
    for (const [project_ref, found] of findAt(steady, settled, beganAt, day, habit)) {
      for (const metric of Object.keys(found)) {
        const key = `${project_ref} ${metric}`;
        // Each is told of for two days.
        if ((toldOn.get(key) ?? 0) < day - 1) alarms += 1;
        toldOn.set(key, day);
      }
    }
  }
  const jumps = projects.flatMap(project => {
    if (settledDayOf(project) > historyDays) return [];
    const day = random.integer(settledDayOf(project), historyDays);
    const metric = random.pick(['public_network_transfer_bytes', 'root_branch_bytes_month'] as const);
    const jumped = withJump(told, project.project_ref, metric, day, random.integer(1, 12));
    const found = findAt(ledgerOf(jumped, beganAt), [project], beganAt, day, habit);
    return found.get(project.project_ref)?.[metric] !== undefined;
  });
  return { projectDays, alarms, jumps: jumps.length, found: jumps.filter(Boolean).length };
}

/** What is unusual at the end of a day, by its number. */
function findAt(
  ledger: MeteredLedger,
  projects: readonly UsageProject[],
  beganAt: number,
  day: number,
  habit: MeterHabit,
) {
  const knownUntilAt = beganAt + day * dayMs;
  const known = { ...ledger, knownSpan: () => ({ fromAt: beganAt, untilAt: knownUntilAt }) };
  return findMeteredAnomalies(known, { account: 'main', knownUntilAt }, projects, habit);
}

/** What is metered of a project in each hour since the fleet began. */
type Told = (metric: MeterMetric, hour: number) => number;

/** The last hours of a day transfer so much more, or so much more is stored from then on. */
function withJump(
  told: readonly Told[],
  project_ref: number,
  metric: MeterMetric,
  day: number,
  hours: number,
): readonly Told[] {
  const fromHour = day * 24 - 24;
  const untilHour = fromHour + hours;
  const isTransfer = metric === 'public_network_transfer_bytes';
  return told.map((usual, index) =>
    index !== project_ref
      ? usual
      : (asked, hour) => {
          const isJump = asked === metric && hour >= fromHour && (!isTransfer || hour < untilHour);
          const more = isTransfer ? jumpBytes / hours : jumpBytes / (31 * 24);
          return usual(asked, hour) + (isJump ? more : 0);
        },
  );
}

/** Everything is told by the hour, and asked for by the day. */
function ledgerOf(told: readonly Told[], beganAt: number): MeteredLedger {
  const totals = new Map<string, Float64Array>();
  const totalsOf = (project_ref: number, metric: MeterMetric) => {
    const key = `${project_ref} ${metric}`;
    const known = totals.get(key) ?? new Float64Array(historyDays * 24 + 1);
    if (!totals.has(key)) {
      for (let hour = 0; hour < historyDays * 24; hour += 1)
        known[hour + 1] = (known[hour] ?? 0) + (told[project_ref]?.(metric, hour) ?? 0);
      totals.set(key, known);
    }
    return known;
  };
  return {
    others: [],
    knownSpan: () => undefined,
    meteredUntil: (project_ref, metric, at) =>
      totalsOf(project_ref, metric)[Math.max(0, Math.floor((at - beganAt) / hourMs))] ?? 0,
  };
}
