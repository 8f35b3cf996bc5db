import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startDaemonProcess } from '../../support/daemon-process.ts';
import type { BenchRun } from '../bench-run.ts';
import { writePastApart } from '../fleet/past.ts';
import type { ServiceTasks } from '../program/fake-service.ts';
import { startChild } from './child.ts';
import type { Usage } from './usage-probe.ts';

export interface ProbedDaemon {
  /** Of its metrics. */
  readonly url: string;
  /** What it used since this was last called. */
  readUsage(): Promise<Usage>;
  stop(): Promise<void>;
}

const probe = new URL('./usage-probe.ts', import.meta.url);

/** What the daemon gives itself: modules that were compiled once are not stripped of their types in every process. */
export const compileCache = join(tmpdir(), 'dbpm-bench-compile-cache');

/** Set by the image and the units of systemd: one arena of memory for all threads, and larger blocks outside it. */
export const allocator = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '65536',
};

/** The daemon as its packages start it, with compact pages and a probe in its process. */
async function startProbedDaemon(
  run: BenchRun,
  options: {
    readonly base_url: string;
    readonly historyFile: string;
    readonly sweepSeconds: number;
    readonly requestsPerMinute: number;
    readonly env?: Readonly<Record<string, string>>;
  },
): Promise<ProbedDaemon> {
  const socketPath = join(run.openFolder(), 'probe.sock');
  const daemon = startDaemonProcess({
    base_url: options.base_url,
    historyFile: options.historyFile,
    apiKey: 'bench',
    env: {
      NODE_OPTIONS: `--import=${probe.href}`,
      DBPM_BENCH_SOCKET: socketPath,
      NODE_COMPILE_CACHE: compileCache,
      ...allocator,
      DBPM_SERIES_MODE: 'compact',
      DBPM_REQUESTS_PER_MINUTE: String(options.requestsPerMinute),
      DBPM_COLLECT_SCHEDULE: `*/${options.sweepSeconds} * * * * *`,
      ...options.env,
    },
  });
  run.onEnd(() => daemon.isRunning() && daemon.stop('SIGKILL'));
  const url = `${await daemon.untilServing()}/metrics`;
  return {
    url,
    readUsage: async () => JSON.parse(await askSocket(socketPath)) as Usage,
    stop: async () => void (await daemon.stop('SIGTERM')),
  };
}

function askSocket(socketPath: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path: '/' }, response => text(response).then(resolve, reject))
      .once('error', reject)
      .end();
  });
}

const busyShare = 0.05;

/** What the busy twentieth takes in every sweep, all the others every quarter of an hour, and the lists. */
const requestsPerProjectAndMinute = 0.6;
const requestsForLists = 700;

interface WatchedFleet {
  readonly projects: number;
  readonly days: number;
  readonly sweepSeconds: number;
  /** Time between two samples of a busy project in the past; a minute by default. */
  readonly sampleIntervalMs?: number;
  /** More settings of the daemon. */
  readonly env?: Readonly<Record<string, string>>;
  /** What a daemon that ran before did until it was stopped: what it worked out once is in the history. */
  readonly ranBefore?: (daemon: ProbedDaemon) => Promise<unknown>;
}

interface WatchingDaemon extends ProbedDaemon {
  /** Stops it and starts it anew. */
  restart(): Promise<ProbedDaemon>;
}

/** A daemon that has known a fleet of a fake service for some days and goes on watching it. */
export async function watchFleet(
  run: BenchRun,
  { projects, days, sweepSeconds, sampleIntervalMs = 60_000, env = {}, ranBefore }: WatchedFleet,
): Promise<WatchingDaemon> {
  const now = Date.now();
  const fleet = { projects, busyShare, now };
  const historyFile = join(run.openFolder(), 'dbpm.sqlite');
  await writePastApart(run, { ...fleet, file: historyFile, days, sampleIntervalMs, isPruned: true });
  const base_url = await startChild<ServiceTasks>(run, 'fake-service').ask('start', {
    ...fleet,
    latencyMs: 5,
  });
  const requestsPerMinute = requestsForLists + projects * requestsPerProjectAndMinute;
  const options = { base_url, historyFile, sweepSeconds, requestsPerMinute, env };
  if (ranBefore !== undefined) {
    const hurried = { ...options, requestsPerMinute: hurryFactor * requestsPerMinute };
    const before = await startProbedDaemon(run, hurried);
    await ranBefore(before);
    await before.stop();
  }
  const daemon = await startProbedDaemon(run, options);
  const restart = async () => {
    await daemon.stop();
    return await startProbedDaemon(run, options);
  };
  return { ...daemon, restart };
}

/** The first reading of everything is not what is measured. */
const hurryFactor = 10;
