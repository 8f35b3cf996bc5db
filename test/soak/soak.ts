import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { estimateHistoryBytes } from '../../src/history/fleet/size-estimate.ts';
import { createRandom, type Random } from '../../src/simulator/model/random.ts';
import { type SimulatedWorld, startWorld } from '../e2e/simulated-world.ts';
import { differences, type Truth } from '../support/truth.ts';
import { createDriver } from '../world/driver.ts';
import { injectFault } from '../world/fault-injection.ts';
import { ScrapeWatch } from '../world/scrape-watch.ts';

interface SoakOptions {
  readonly projects: number;
  /** Of the service's clock. */
  readonly days: number;
  /** The service's clock goes on by so much at a time. */
  readonly stepHours: number;
  /** How long the daemon has for each step; the faults of it last on into the next. */
  readonly stepMs: number;
  readonly requestsPerMinute: number;
  /** What shows in no list is noticed after so long. */
  readonly idleRefreshSeconds: number;
  /** The most that each heap of the daemon may take. */
  readonly heapMebibytes: number;
  readonly seed: number;
  readonly onDay?: (line: string) => void;
}

export interface SoakResult extends Settling {
  /** Memory of the daemon in the second half, in MiB: on average, at most, and how much it grew by least squares. */
  readonly meanMebibytes: number;
  readonly peakMebibytes: number;
  readonly growthMebibytes: number;
  /** Size of the history, by the size that a plan says. */
  readonly historyShare: number;
  readonly historyMebibytes: number;
  /** Counters that ever fell. */
  readonly fell: readonly string[];
  /** Descriptors at rest that are no sockets, at the end and after the first day. */
  readonly files: { readonly first: number; readonly last: number };
  readonly faults: number;
  readonly operations: number;
  readonly seconds: number;
}

const mebibyte = 2 ** 20;
const dayMs = 86_400_000;
const historyDays = 1;
/** Settling is over when so long nothing more became right, and after so long at the latest. */
const longestStandstillMs = 120_000;
const longestSettlingMs = 1_200_000;
const faultShare = 0.5;
/** Time in states is not compared: the clock jumps while readings are under way, which no clock of a service does. */
const stateToleranceSeconds = Number.POSITIVE_INFINITY;

/** Lets a daemon watch a simulated service for days of its clock, with changes and faults, and measures the daemon. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const startedAt = performance.now();
  const { projects, seed, requestsPerMinute, idleRefreshSeconds, heapMebibytes } = options;
  const world = await startWorld({ seed, projects, historyDays, frozenAt: Date.now() });
  try {
    const daemon = world.startDaemon({
      NODE_COMPILE_CACHE: join(world.folder, 'compiled'),
      DBPM_REQUESTS_PER_MINUTE: String(requestsPerMinute),
      DBPM_COLLECT_IDLE_REFRESH: `${idleRefreshSeconds}s`,
      NODE_OPTIONS: `--max-old-space-size=${heapMebibytes}`,
    });
    const url = await daemon.untilServing();
    const pid = daemon.pid ?? 0;
    const watch = new ScrapeWatch();
    const subject = { world, watch, url, pid };
    await settle(subject);
    const first = await countRestingFiles(pid);
    const { memory, faults } = await live(options, subject);
    await world.call('DELETE', '/faults');
    await passHours(options, world);
    const settling = await settle(subject);
    const files = { first, last: await countRestingFiles(pid) };
    const truth = await world.truth();
    await daemon.stop('SIGTERM');
    const half = memory.slice(Math.floor(memory.length / 2));
    const bytes = statSync(join(world.folder, 'history.sqlite')).size;
    const [[from = 0] = [], [until = 0] = []] = [half.at(0), half.at(-1)];
    return {
      meanMebibytes: half.reduce((sum, [, mebibytes]) => sum + mebibytes, 0) / half.length,
      peakMebibytes: Math.max(...half.map(([, mebibytes]) => mebibytes)),
      growthMebibytes: slopeOf(half) * (until - from),
      historyShare: bytes / plannedBytes(options, truth),
      historyMebibytes: bytes / mebibyte,
      ...{ ...settling, fell: watch.falls, files, faults, operations: countOperations(truth) },
      seconds: Math.round((performance.now() - startedAt) / 1000),
    };
  } finally {
    await world.close();
  }
}

interface Subject {
  readonly world: SimulatedWorld;
  readonly watch: ScrapeWatch;
  readonly url: string;
  readonly pid: number;
}

/** Goes through all days. @returns the memory of the daemon by the day, and how many answers went wrong. */
async function live(
  { days, stepHours, stepMs, seed, onDay }: SoakOptions,
  { world, watch, url, pid }: Subject,
) {
  const random: Random = createRandom(seed, 'soak');
  const change = createDriver(world, random);
  const memory: [day: number, mebibytes: number][] = [];
  let faults = 0;
  const steps = Math.round((days * 24) / stepHours);
  for (let step = 1; step <= steps; step += 1) {
    await world.call('POST', '/advance', { seconds: stepHours * 3600 });
    await change();
    if (random.chance(faultShare)) faults += await injectFault(world, random);
    await sleep(stepMs);
    await watch.scrape(url);
    const day = (step * stepHours) / 24;
    memory.push([day, residentMebibytes(pid)]);
    if (Number.isInteger(day))
      onDay?.(`day ${day}: ${Math.round(residentMebibytes(pid))} MiB, ${faults} faults`);
  }
  return { memory, faults };
}

/**
 * Lets the time of a step pass hour by hour. A list that was on its way while the clock leapt is dated after the leap; what
 * was used in between is then held back as more than anyone can use, until time enough has passed.
 */
async function passHours({ stepHours, stepMs }: SoakOptions, world: SimulatedWorld): Promise<void> {
  for (let hour = 0; hour < stepHours; hour += 1) {
    await sleep(stepMs);
    await world.call('POST', '/advance', { seconds: 3600 });
  }
}

/** Waits until the daemon shows the truth, as long as it comes nearer to it; gives what is still wrong then. */
async function settle({ world, watch, url }: Subject): Promise<Settling> {
  const startedAt = performance.now();
  const truth = await world.truth();
  let fewest = Number.POSITIVE_INFINITY;
  let nearerAt = startedAt;
  for (;;) {
    await watch.scrape(url);
    const wrong = differences(truth, watch.latest, stateToleranceSeconds);
    const now = performance.now();
    if (wrong.length < fewest) nearerAt = now;
    fewest = Math.min(fewest, wrong.length);
    const isOver = now - nearerAt > longestStandstillMs || now - startedAt > longestSettlingMs;
    if (wrong.length === 0 || isOver) return { wrong, settledSeconds: Math.round((now - startedAt) / 1000) };
    await sleep(1000);
  }
}

interface Settling {
  /** Counters that are not the truth when it was over. */
  readonly wrong: readonly string[];
  /** After the last fault. */
  readonly settledSeconds: number;
}

/** The size that `plan` says, for readings as far apart as the steps are. */
function plannedBytes({ days, stepHours, projects }: SoakOptions, truth: Truth): number {
  const keptMs = (days + historyDays) * dayMs;
  const endpoints = truth.projects.flatMap(project => project.endpoints);
  const activeMs = endpoints.reduce((sum, { state_seconds }) => sum + 1000 * (state_seconds.active ?? 0), 0);
  const planned = estimateHistoryBytes(
    {
      projects,
      endpoints: endpoints.length,
      busyShare: Math.min(1, activeMs / (projects * keptMs)),
      operationsPerDay: countOperations(truth) / (days + historyDays),
      listPollMs: stepHours * 3_600_000,
    },
    { samples: keptMs, hours: keptMs, days: keptMs, operations: keptMs },
  );
  return Object.values(planned).reduce((sum, bytes) => sum + bytes, 0);
}

function countOperations({ projects }: Truth): number {
  return projects.flatMap(({ operations }) => operations).reduce((sum, { count }) => sum + count, 0);
}

/** Memory of a process in RAM, in MiB. */
function residentMebibytes(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kibibytes) * 1024) / mebibyte;
}

const looks = 20;
const lookPauseMs = 50;

/** Files that a process has open at rest: some are open for a moment only, as one that is read anew is. */
async function countRestingFiles(pid: number): Promise<number> {
  let fewest = countFiles(pid);
  for (let look = 1; look < looks; look += 1) {
    await sleep(lookPauseMs);
    fewest = Math.min(fewest, countFiles(pid));
  }
  return fewest;
}

/** Files that a process has open, and everything else with a descriptor but sockets: those come and go. */
function countFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).filter(fd => !readLink(`/proc/${pid}/fd/${fd}`).startsWith('socket:'))
    .length;
}

/** Empty where it was just closed. */
function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return 'socket:';
  }
}

/** The slope of the line that fits points best by least squares: how much `y` grows for each 1 of `x`. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  const along = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / along;
}
