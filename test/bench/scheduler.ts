import {
  fleetOf5000,
  minuteMs,
  type Outcome,
  type StrategyName,
  simulate,
} from '../poll/scheduler/freshness-simulation.ts';
import type { BenchRun } from './bench-run.ts';
import { declareBenchmark, type Row } from './benchmark.ts';
import { serveTasks, startChild } from './process/child.ts';

interface SimulatedFleet {
  readonly projects: number;
  readonly lagMinutes: number;
  /** Simulated minutes in all, and how many of them do not count: first readings come before everything else. */
  readonly minutes?: { readonly all: number; readonly warmUp: number };
  /** The scheduler's start delays at p50 and p99 in seconds, the part shown in a wrong state, the oldest idle reading. */
  readonly atMost: {
    readonly p50?: number;
    readonly p99?: number;
    readonly wrong?: number;
    readonly idleSec?: number;
    /** How old busy readings are (p50) as a multiple of the oracle's, which is asked where this is given. */
    readonly busyAge?: number;
  };
}

const fleet5000: SimulatedFleet = {
  projects: 5000,
  lagMinutes: 0,
  atMost: { p50: 10, p99: 18, wrong: 0.07, idleSec: 3600, busyAge: 1.4 },
};
const lagging: SimulatedFleet = { projects: 5000, lagMinutes: 5, atMost: { p50: 307 / 2 } };
const fleet20000: SimulatedFleet = {
  projects: 20_000,
  lagMinutes: 0,
  // First readings alone take almost four hours.
  minutes: { all: 330, warmUp: 270 },
  atMost: { p50: 10, p99: 20, wrong: 0.08 },
};

export const scheduler = declareBenchmark({
  name: 'scheduler',
  goal: 'A simulation of 700 requests a minute and 5 % busy projects, beside round robin and an oracle that knows what happens.',
  sizes: {
    tiny: [{ projects: 50, lagMinutes: 0, atMost: {} }],
    small: [fleet5000],
    full: [fleet5000, lagging, fleet20000],
  } as Readonly<Record<'tiny' | 'small' | 'full', readonly SimulatedFleet[]>>,
  async run(fleets, run) {
    const rows: Row[] = [];
    for (const fleet of fleets) rows.push(...(await simulateFleet(fleet, run)));
    return rows;
  },
});

async function simulateFleet(fleet: SimulatedFleet, run: BenchRun): Promise<readonly Row[]> {
  const simulation = startChild<typeof tasks>(run, import.meta.url);
  const { atMost, ...simulated } = fleet;
  const rivals: readonly StrategyName[] =
    atMost.busyAge === undefined ? ['round robin', 'scheduler'] : ['round robin', 'scheduler', 'oracle'];
  const rows: Row[] = [];
  for (const name of rivals) {
    const outcome = await simulation.ask('simulate', { ...simulated, name });
    rows.push(...renderRows(fleet, name, outcome));
  }
  await simulation.stop();
  return rows;
}

function renderRows(fleet: SimulatedFleet, name: string, outcome: Outcome): readonly Row[] {
  const { atMost, lagMinutes, projects } = fleet;
  const { start, busyAge, idleAge, wrong } = outcome;
  const size = `${projects / 1000}k projects${lagMinutes > 0 ? `, list ${lagMinutes} min late` : ''}`;
  const isJudged = name === 'scheduler';
  const row = (what: string, value: number, unit: string, bound?: number): Row => ({
    what: `${size}: ${name}, ${what}`,
    value,
    unit,
    ...(isJudged && { ratioTo: `${size}: round robin, ${what}` }),
    ...(isJudged && bound !== undefined && { goal: { of: 'value', atMost: bound } }),
  });
  const busy = 'age of busy readings p50';
  return [
    row('start noticed p50', start.p50, 's', atMost.p50),
    row('start noticed p99', start.p99, 's', atMost.p99),
    row('shown in a wrong state', wrong * 100, '%', atMost.wrong),
    row(busy, busyAge.p50, 's'),
    row('age of idle readings p99', idleAge.p99, 's', atMost.idleSec),
    ...(isJudged && atMost.busyAge !== undefined
      ? [
          {
            what: `${size}: ${name}, ${busy}, against the oracle`,
            value: busyAge.p50,
            unit: 's',
            ratioTo: `${size}: oracle, ${busy}`,
            goal: { of: 'ratio', atMost: atMost.busyAge },
          } as const,
        ]
      : []),
  ];
}

interface Simulation {
  readonly name: StrategyName;
  readonly projects: number;
  readonly lagMinutes: number;
  readonly minutes?: { readonly all: number; readonly warmUp: number } | undefined;
}

const tasks = {
  simulate: ({ name, projects, lagMinutes, minutes }: Simulation) =>
    simulate(name, {
      ...fleetOf5000,
      projects,
      lagMs: lagMinutes * minuteMs,
      ...(minutes && { durationMs: minutes.all * minuteMs, warmUpMs: minutes.warmUp * minuteMs }),
    }),
};
if (import.meta.main) serveTasks(tasks);
