import { join } from 'node:path';
import type { BenchRun } from '../bench-run.ts';
import type { ServiceTasks } from '../program/fake-service.ts';
import type { PastTasks } from '../program/past-writer.ts';
import { startChild } from './child.ts';
import { type ProbedDaemon, startProbedDaemon } from './probed-daemon.ts';

const busyShare = 0.05;

/** What the busy twentieth takes in every sweep, all the others every quarter of an hour, and the lists. */
const requestsPerProjectAndMinute = 0.6;
const requestsForLists = 700;

export interface WatchedFleet {
  readonly projects: number;
  readonly days: number;
  readonly sweepSeconds: number;
  /** Time between two samples of a busy project in the past; a minute by default. */
  readonly sampleIntervalMs?: number;
  /** More settings of the daemon. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A daemon that has known a fleet of a fake service for some days and goes on watching it. */
export async function watchFleet(
  run: BenchRun,
  { projects, days, sweepSeconds, sampleIntervalMs = 60_000, env = {} }: WatchedFleet,
): Promise<ProbedDaemon & { readonly historyFile: string }> {
  const now = Date.now();
  const fleet = { projects, busyShare, now };
  const historyFile = join(run.openFolder(), 'dbpm.sqlite');
  const writer = startChild<PastTasks>(run, 'past-writer');
  await writer.ask('write', { ...fleet, file: historyFile, days, sampleIntervalMs });
  await writer.stop();
  const base_url = await startChild<ServiceTasks>(run, 'fake-service').ask('start', {
    ...fleet,
    latencyMs: 5,
  });
  const requestsPerMinute = requestsForLists + projects * requestsPerProjectAndMinute;
  const daemon = await startProbedDaemon(run, {
    base_url,
    historyFile,
    sweepSeconds,
    requestsPerMinute,
    env,
  });
  return { ...daemon, historyFile };
}
