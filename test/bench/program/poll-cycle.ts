import { Pool } from 'undici';
import { createSource } from '../../../src/account-watch.ts';
import { ApiClient } from '../../../src/api/client.ts';
import { History } from '../../../src/history/history.ts';
import { AccountPoller } from '../../../src/poll/account-poller.ts';
import { projectId } from '../fleet/fleet-name.ts';
import { serveTasks } from '../process/task.ts';

export interface Cycling {
  readonly base_url: string;
  readonly historyFile: string;
  readonly projects: number;
  readonly concurrency: number;
}

export interface Cycle {
  readonly requests: number;
  readonly durationMs: number;
  /** Processor time of the whole process. */
  readonly cpuMs: number;
}

const account = 'main';
const unlimitedPerMinute = 6_000_000;
const hourMs = 3_600_000;

/** Reads every project once as the daemon does: requests, decoding, history. */
async function poll({ base_url, historyFile, projects, concurrency }: Cycling): Promise<Cycle> {
  const history = new History({
    file: historyFile,
    accounts: [account],
    staleAfterMs: hourMs,
    dropAfterMs: hourMs,
  });
  let requests = 0;
  const client = new ApiClient({
    base_url,
    readApiKey: () => 'bench',
    requestsPerMinute: unlimitedPerMinute,
    connections: concurrency,
    userAgent: 'bench',
    onAttempt: ({ outcome }) => {
      if (outcome === 'ok') requests += 1;
    },
  });
  const poller = new AccountPoller({
    account,
    source: createSource(client),
    requestsPerMinute: unlimitedPerMinute,
    concurrency,
    idleRefreshMs: hourMs,
    now: Date.now,
    record: reading => history.record(reading),
    knownOperations: project_id => history.knownOperations(account, project_id),
    knownProjects: () => history.knownProjects(account),
    busyProjects: () => history.busyProjects(account),
    onProblem: ({ error }) => {
      throw error;
    },
    onImport: () => {},
  });
  const cycle = await measure(async () => {
    poller.refreshProjects(new AbortController().signal);
    await poller.idle();
  });
  await client.close();
  history.close();
  if (requests < 2 * projects) throw new Error(`only ${requests} requests for ${projects} projects`);
  return { requests, ...cycle };
}

/** Lets the fleet go on: its time is told by who reads the list from its beginning. */
async function beginSweep({ base_url }: Cycling): Promise<void> {
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
  return { requests: 2 * projects, ...cycle };
}

async function measure(work: () => Promise<void>): Promise<Omit<Cycle, 'requests'>> {
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(cpuBefore);
  return { durationMs: performance.now() - startedAt, cpuMs: (user + system) / 1000 };
}

const tasks = { beginSweep, poll, request };
export type PollTasks = typeof tasks;

serveTasks(tasks);
