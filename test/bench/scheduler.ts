import type { BenchRun } from './bench-run.ts';
import { declareBenchmark, type Row } from './benchmark.ts';
import { startChild } from './process/child.ts';
import type { SimulationTasks } from './program/scheduler-simulation.ts';

interface SimulatedFleet {
  readonly projects: number;
  readonly lagMinutes: number;
  /** The scheduler's start delays at p50 and p99 in seconds, the part shown in a wrong state, the oldest idle reading. */
  readonly atMost: {
    readonly p50?: number;
    readonly p99?: number;
    readonly wrong?: number;
    readonly idleSec?: number;
  };
}

const rivals = ['round robin', 'scheduler', 'oracle'] as const;
const fleet5000: SimulatedFleet = {
  projects: 5000,
  lagMinutes: 0,
  atMost: { p50: 10, p99: 18, wrong: 0.07, idleSec: 3600 },
};
const lagging: SimulatedFleet = { projects: 5000, lagMinutes: 5, atMost: { p50: 307 / 2 } };
const fleet20000: SimulatedFleet = {
  projects: 20_000,
  lagMinutes: 0,
  atMost: { p50: 10, p99: 20, wrong: 0.08 },
};

export const scheduler = declareBenchmark({
  name: 'scheduler',
  goal:
    'With 700 requests a minute and 5 % busy projects, a start among 5,000 is noticed within 10 s (p50) and 18 s ' +
    '(p99), at most 0.07 % are shown in a wrong state, busy readings are at most 1.4 × as old as those of an oracle ' +
    'and idle ones at most 60 min (p99); all figures are of a simulation.',
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
  const { projects, lagMinutes, atMost } = fleet;
  const simulation = startChild<SimulationTasks>(run, 'scheduler-simulation');
  const rows: Row[] = [];
  const size = `${projects / 1000}k projects${lagMinutes > 0 ? `, list ${lagMinutes} min late` : ''}`;
  for (const name of rivals) {
    const { start, busyAge, idleAge, wrong } = await simulation.ask('simulate', {
      name,
      projects,
      lagMinutes,
    });
    const row = (what: string, value: number, unit: string, bound?: number): Row => ({
      what: `${size}: ${name}, ${what}`,
      value,
      unit,
      ...(name === 'scheduler' && { ratioTo: `${size}: round robin, ${what}` }),
      ...(name === 'scheduler' && bound !== undefined && { goal: { of: 'value', atMost: bound } }),
    });
    rows.push(
      row('start noticed p50', start.p50, 's', atMost.p50),
      row('start noticed p99', start.p99, 's', atMost.p99),
      row('shown in a wrong state', wrong * 100, '%', atMost.wrong),
      row('age of busy readings p50', busyAge.p50, 's'),
      row('age of idle readings p99', idleAge.p99, 's', atMost.idleSec),
    );
  }
  const busy = (name: string) =>
    rows.find(({ what }) => what === `${size}: ${name}, age of busy readings p50`);
  rows.push({
    what: `${size}: scheduler, age of busy readings p50, against the oracle`,
    value: busy('scheduler')?.value ?? Number.NaN,
    unit: 's',
    ratioTo: `${size}: oracle, age of busy readings p50`,
    goal: { of: 'ratio', atMost: 1.4 },
  });
  await simulation.stop();
  return rows;
}
