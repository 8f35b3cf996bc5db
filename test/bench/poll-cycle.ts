import { join } from 'node:path';
import { Pool } from 'undici';
import { watchAccount } from '../../src/daemon/account-watch.ts';
import { HistoryClient } from '../../src/daemon/history-client.ts';
import { collectors } from '../../src/resources/collector.ts';
import { declareBenchmark, type Row } from './benchmark.ts';
import { projectId } from './fleet/fleet-name.ts';
import { writePastApart } from './fleet/past.ts';
import { median } from './percentile.ts';
import { serveTasks, startChild } from './process/child.ts';
import type { ServiceTasks } from './program/fake-service.ts';

const latencyMs = 50;
const concurrency = 200;
const busyShare = 0.05;
const pool = 'undici Pool';
const ideal = 'ideal: requests × latency / concurrency';

export const pollCycle = declareBenchmark({
  name: 'poll-cycle',
  goal: 'Reading every project (endpoints and operations, 50 ms latency, 200 at a time), decoded and written to the history.',
  sizes: {
    tiny: { projects: 20, rounds: 1 },
    small: { projects: 1000, rounds: 4 },
    full: { projects: 10_000, rounds: 5 },
  },
  async run({ projects, rounds }, run) {
    const fleet = { projects, busyShare, now: Date.now() };
    const historyFile = join(run.openFolder(), 'dbpm.sqlite');
    const past = { ...fleet, file: historyFile, days: 14, sampleIntervalMs: 60_000 };
    await writePastApart(run, past);
    const base_url = await startChild<ServiceTasks>(run, 'fake-service').ask('start', {
      ...fleet,
      latencyMs,
    });
    const cycling = { base_url, historyFile, projects, concurrency };
    const reader = startChild<typeof tasks>(run, import.meta.url);
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

interface Cycling {
  readonly base_url: string;
  readonly historyFile: string;
  readonly projects: number;
  readonly concurrency: number;
}

interface Cycle {
  readonly durationMs: number;
  /** Processor time of the whole process, the thread of the history included. */
  readonly cpuMs: number;
  /** Of this the thread that asks the service. */
  readonly mainCpuMs: number;
}

const account = 'main';
/** Enough that nothing waits for the budget, and that the most projects are read at a time. */
const requestsPerMinute = 6_000_000;
const hourMs = 3_600_000;

/** Reads every project once as the daemon does: scheduler, requests, decoding, and the thread of the history and the page. */
async function poll({ base_url, historyFile, projects }: Cycling): Promise<Cycle> {
  const recording = await openRecording(historyFile);
  let requests = 0;
  const watch = watchAccount(
    {
      name: account,
      base_url: new URL(base_url),
      readApiKey: () => 'bench',
      requestsPerMinute,
      projects: { include: ['*'], exclude: [] },
    },
    {
      client: {
        userAgent: 'bench',
        onAttempt: ({ outcome }) => {
          if (outcome === 'ok') requests += 1;
        },
      },
      scheduleMs: 30_000,
      idleRefreshMs: hourMs,
      dropAfterMs: 600_000,
      apiKeysRefreshMs: hourMs,
      collectors,
      now: Date.now,
      commit: reading => recording.commit(reading),
      knownProjects: () => recording.takeProjects(account),
      budget: undefined,
      onImport: () => {},
      onProblem: ({ error }) => {
        throw error;
      },
    },
  );
  const cycle = await measure(async () => {
    watch.poller.beginRound(new AbortController().signal);
    await watch.poller.idle();
  });
  await watch.close();
  await recording.close();
  if (requests < 2 * projects) throw new Error(`only ${requests} requests for ${projects} projects`);
  return cycle;
}

async function openRecording(file: string): Promise<HistoryClient> {
  const client = await HistoryClient.start(
    {
      file,
      accounts: [account],
      collectors,
      selection: { mode: 'compact', exclude: [], collectors },
      staleAfterMs: hourMs,
      dropAfterMs: hourMs,
    },
    {
      readBudgets: () => new Map(),
      onFailed: (_work, error) => {
        throw error;
      },
    },
  );
  await client.opened;
  return client;
}

/** Lets the fleet go on: its time is told by who reads the list from its beginning. */
async function beginListPoll({ base_url }: Cycling): Promise<void> {
  const { origin, pathname } = new URL(base_url);
  const pool = new Pool(origin);
  const { body } = await pool.request({ path: `${pathname}projects?limit=1`, method: 'GET' });
  await body.dump();
  await pool.close();
}

/** The same requests through a bare pool, their bodies read as JSON. */
async function request({ base_url, projects, concurrency }: Cycling): Promise<Cycle> {
  const { origin, pathname } = new URL(base_url);
  const pool = new Pool(origin, { connections: concurrency });
  const paths = Array.from({ length: projects }, (_, index) => `${pathname}projects/${projectId(index)}`);
  const queue = paths.flatMap(path => [`${path}/endpoints`, `${path}/operations?limit=100`]).values();
  const worker = async () => {
    for (const path of queue) {
      const { body } = await pool.request({ path, method: 'GET' });
      await body.json();
    }
  };
  const cycle = await measure(async () => {
    await Promise.all(Array.from({ length: concurrency }, worker));
  });
  await pool.close();
  return cycle;
}

async function measure(work: () => Promise<void>): Promise<Cycle> {
  const startedAt = performance.now();
  const before = { all: process.cpuUsage(), main: process.threadCpuUsage() };
  await work();
  return {
    durationMs: performance.now() - startedAt,
    cpuMs: totalMs(process.cpuUsage(before.all)),
    mainCpuMs: totalMs(process.threadCpuUsage(before.main)),
  };
}

function totalMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

const tasks = { beginListPoll, poll, request };
if (import.meta.main) serveTasks(tasks);
