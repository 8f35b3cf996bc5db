import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findShard } from '../../src/resources/shard.ts';
import type { BenchRun } from './bench-run.ts';
import { declareBenchmark, type Row } from './benchmark.ts';
import { projectId } from './fleet/fleet-name.ts';
import { startChild } from './process/child.ts';
import { runExporter } from './process/exporter.ts';
import { startProbedDaemon } from './process/probed-daemon.ts';
import type { ServiceTasks, Traffic } from './program/fake-service.ts';

interface SharedFleet {
  readonly projects: number;
  readonly shards: number;
  /** Of all shards together. */
  readonly requestsPerMinute: number;
}

/** How all exporters of an account did together. */
interface Outcome {
  /** From the first request until every project was asked for. */
  readonly readMs: number;
  readonly traffic: Traffic;
  readonly residentBytes: readonly number[];
}

const busyShare = 0.05;
const minuteMs = 60_000;
const latencyMs = 20;
const lookPauseMs = 50;
const mebibyte = 2 ** 20;
const ceiling = 'requests that the account allows in a minute';

export const shard = declareBenchmark({
  name: 'shard',
  goal: 'Exporters that share an account: their requests together, the time to read all projects, and the memory that `plan --shards` says.',
  sizes: {
    tiny: { projects: 20, shards: 2, requestsPerMinute: 12_000 },
    small: { projects: 180, shards: 3, requestsPerMinute: 3000 },
    full: { projects: 5000, shards: 4, requestsPerMinute: 10_000 },
  },
  async run(fleet, run) {
    const { projects, shards, requestsPerMinute } = fleet;
    const one = await watch(fleet, 1, run);
    const all = await watch(fleet, shards, run);
    const name = `${shards} shards`;
    const read = 'until all projects are read';
    const bound = 'the largest part, as fast as one exporter reads';
    const memory = 'resident, as planned';
    const largest = Math.max(...all.residentBytes) / mebibyte;
    return [
      { what: ceiling, value: requestsPerMinute, unit: '' },
      compare(`${name}, requests in the busiest minute`, all.traffic.inBusiestWindow, '', ceiling, 1),
      { what: `one exporter, ${read}`, value: one.readMs, unit: 'ms' },
      { what: bound, value: (one.readMs * shards * largestPart(fleet)) / projects, unit: 'ms' },
      compare(`${name}, ${read}`, all.readMs, 'ms', bound, 1.1),
      { what: memory, value: (await planMemory(fleet)) / mebibyte, unit: 'MiB' },
      compare(`${name}, resident, the largest`, largest, 'MiB', memory, 1.1),
    ];
  },
});

function compare(what: string, value: number, unit: string, ratioTo: string, atMost: number): Row {
  return { what, value, unit, ratioTo, goal: { of: 'ratio', atMost } };
}

/** Projects of the shard that has most of them. */
function largestPart({ projects, shards }: SharedFleet): number {
  const counts = new Array<number>(shards).fill(0);
  for (let index = 0; index < projects; index += 1) {
    const own = findShard(projectId(index), shards);
    counts[own] = (counts[own] ?? 0) + 1;
  }
  return Math.max(...counts);
}

async function planMemory({ projects, shards }: SharedFleet): Promise<number> {
  const sizes = ['--projects', String(projects), '--shards', String(shards), '--format', 'json'];
  const planned = await runExporter(['plan', ...sizes]);
  return JSON.parse(planned).accounts[0].shards.memory_bytes_of_each;
}

/** Starts so many exporters at once, on a service and with histories of their own. */
async function watch(fleet: SharedFleet, count: number, run: BenchRun): Promise<Outcome> {
  const service = startChild<ServiceTasks>(run, 'fake-service');
  const { projects, requestsPerMinute } = fleet;
  const base_url = await service.ask('start', { projects, busyShare, latencyMs, now: Date.now() });
  const folder = run.openFolder();
  const daemons = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      startProbedDaemon(run, {
        ...{ base_url, requestsPerMinute, sweepSeconds: 10 },
        historyFile: join(folder, `shard-${index}.sqlite`),
        env: { DBPM_SHARD: `${index}/${count}` },
      }),
    ),
  );
  let traffic = await service.ask('readTraffic', minuteMs);
  while (traffic.projectsRead < projects) {
    await sleep(lookPauseMs);
    traffic = await service.ask('readTraffic', minuteMs);
  }
  const readMs = traffic.lastedMs;
  const usages = await Promise.all(daemons.map(daemon => daemon.readUsage()));
  await Promise.all(daemons.map(daemon => daemon.stop()));
  await service.stop();
  return { readMs, traffic, residentBytes: usages.map(({ residentBytes }) => residentBytes) };
}
