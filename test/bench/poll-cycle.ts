import { join } from 'node:path';
import { declareBenchmark, type Row } from './benchmark.ts';
import { median } from './percentile.ts';
import { startChild } from './process/child.ts';
import type { ServiceTasks } from './program/fake-service.ts';
import type { PastTasks } from './program/past-writer.ts';
import type { Cycle, PollTasks } from './program/poll-cycle.ts';

const latencyMs = 50;
const concurrency = 200;
const busyShare = 0.05;
const pool = 'undici Pool';
const ideal = 'ideal: requests × latency / concurrency';

export const pollCycle = declareBenchmark({
  name: 'poll-cycle',
  goal:
    'Reading every project of a fleet (endpoints and operations, 50 ms latency, 200 at a time), decoded and ' +
    'written to the history, takes at most 1.15 × the ideal.',
  sizes: {
    tiny: { projects: 20, rounds: 1 },
    small: { projects: 1000, rounds: 4 },
    full: { projects: 10_000, rounds: 5 },
  },
  async run({ projects, rounds }, run) {
    const fleet = { projects, busyShare, now: Date.now() };
    const historyFile = join(run.openFolder(), 'dbpm.sqlite');
    const past = { ...fleet, file: historyFile, days: 14, sampleIntervalMs: 60_000 };
    await startChild<PastTasks>(run, 'past-writer').ask('write', past);
    const base_url = await startChild<ServiceTasks>(run, 'fake-service').ask('start', {
      ...fleet,
      latencyMs,
    });
    const cycling = { base_url, historyFile, projects, concurrency };
    const reader = startChild<PollTasks>(run, 'poll-cycle');
    await reader.ask('request', { ...cycling, projects: Math.min(projects, 500) });
    const bare: Cycle[] = [];
    const polled: Cycle[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await reader.ask('beginListPoll', cycling);
      bare.push(await reader.ask('request', cycling));
      polled.push(await reader.ask('poll', cycling));
    }
    const idealMs = (2 * projects * latencyMs) / concurrency;
    return [
      { what: ideal, value: idealMs, unit: 'ms' },
      ...renderRows(pool, bare),
      ...renderRows('poller, decoding and history', polled, 1.15),
    ];
  },
});

function processorTimes(cycles: readonly Cycle[]): Readonly<Record<string, number>> {
  return {
    'processor time': median(cycles.map(({ cpuMs }) => cpuMs)),
    'processor time of the thread that asks': median(cycles.map(({ mainCpuMs }) => mainCpuMs)),
  };
}

function renderRows(name: string, cycles: readonly Cycle[], atMost?: number): readonly Row[] {
  const goal = atMost === undefined ? {} : ({ goal: { of: 'ratio', atMost } } as const);
  return [
    { what: name, value: median(cycles.map(cycle => cycle.durationMs)), unit: 'ms', ratioTo: ideal, ...goal },
    ...Object.entries(processorTimes(cycles)).map(([what, value]) => ({
      what: `${name}, ${what}`,
      value,
      unit: 'ms CPU',
      ...(name !== pool && { ratioTo: `${pool}, ${what}` }),
    })),
  ];
}
