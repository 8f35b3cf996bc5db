import { setTimeout as sleep } from 'node:timers/promises';
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { PageSet } from '../../src/metrics/page/page-set.ts';
import { gzipHeader } from '../../src/metrics/page/piece.ts';
import { catalog } from '../../src/resources/catalog.ts';
import type { ProjectView } from '../../src/resources/project.ts';
import type { BenchRun } from './bench-run.ts';
import { declareBenchmark, type Row } from './benchmark.ts';
import { FleetPage } from './fleet/fleet-page.ts';
import { ViewFleet } from './fleet/view-fleet.ts';
import { median } from './percentile.ts';
import { serveTasks, startChild } from './process/child.ts';
import { watchFleet } from './process/probed-daemon.ts';
import { type LoopDelay, readLoopDelay, watchLoopDelay } from './process/usage-probe.ts';
import type { ScraperTasks } from './program/scraper.ts';

interface PublishedFleet {
  readonly projects: number;
  readonly rounds: number;
  readonly sweepSeconds: number;
  readonly listPolls: number;
}

const changedShare = 0.05;

export const publish = declareBenchmark({
  name: 'publish',
  goal: 'Rendering, compressing and assembling the page after 5 % of 10,000 projects changed, in processor time beside zlib alone; and how late the event loop of a daemon gets.',
  sizes: {
    tiny: { projects: 20, rounds: 2, sweepSeconds: 1, listPolls: 1 },
    small: { projects: 10_000, rounds: 8, sweepSeconds: 15, listPolls: 1 },
    full: { projects: 10_000, rounds: 40, sweepSeconds: 15, listPolls: 4 },
  },
  run: async (fleet, run) => [...(await measureCosts(fleet, run)), ...(await measureDelay(fleet, run))],
});

async function measureCosts({ projects, rounds }: PublishedFleet, run: BenchRun): Promise<readonly Row[]> {
  const publisher = startChild<typeof tasks>(run, import.meta.url);
  const costs = await publisher.ask('publishFleet', { projects, rounds });
  await publisher.stop();
  const full = 'the whole page from nothing';
  const alone = 'zlib alone over the pieces that changes touch';
  return [
    { what: full, value: median(costs.full), unit: 'ms CPU' },
    { what: alone, value: median(costs.deflated), unit: 'ms CPU' },
    {
      what: '5 % changed, scattered over the page',
      value: median(costs.changed),
      unit: 'ms CPU',
      ratioTo: alone,
      goal: { of: 'ratio', atMost: 6 },
    },
  ];
}

async function measureDelay(fleet: PublishedFleet, run: BenchRun): Promise<readonly Row[]> {
  const { projects, sweepSeconds, listPolls } = fleet;
  const daemon = await watchFleet(run, { projects, days: 1, sweepSeconds });
  const scraper = startChild<ScraperTasks>(run, 'scraper');
  await scraper.ask('fetchPage', daemon.url);
  const idle = startChild<typeof tasks>(run, import.meta.url);
  await idle.ask('readDelay');
  await daemon.readUsage();
  for (let listPoll = 0; listPoll < listPolls; listPoll += 1) {
    await sleep((sweepSeconds * 1000) / 2);
    await scraper.ask('fetchPage', daemon.url);
    await sleep((sweepSeconds * 1000) / 2);
  }
  const { p50, p99, max } = (await daemon.readUsage()).loopDelayMs;
  const beside = await idle.ask('readDelay');
  return [
    { what: 'daemon, loop delay p50', value: p50, unit: 'ms' },
    { what: 'daemon, loop delay p99', value: p99, unit: 'ms', goal: { of: 'value', atMost: 5 } },
    { what: 'process that does nothing beside it, loop delay max', value: beside.max, unit: 'ms' },
    { what: 'daemon, loop delay max', value: max, unit: 'ms' },
    {
      what: 'daemon, loop delay max, beyond that of the process',
      value: Math.max(0, max - beside.max),
      unit: 'ms',
      goal: { of: 'value', atMost: 20 },
    },
  ];
}

interface Publishing {
  readonly projects: number;
  readonly rounds: number;
}

/** Processor time in milliseconds, of all threads. */
interface Costs {
  /** All of it from nothing: rendered, compressed and assembled. */
  readonly full: readonly number[];
  /** What changed, spread over the whole page. */
  readonly changed: readonly number[];
  /** zlib alone, at its fastest, over as many bytes in as many pieces as changes touch. */
  readonly deflated: readonly number[];
}

/** A program that lets a fleet change and publishes it. */
function publishFleet({ projects, rounds }: Publishing): Costs {
  const fleet = new ViewFleet(projects);
  const page = new FleetPage(fleet);
  page.publish();
  const publishChanges = () => {
    const changed = fleet.change(changedShare);
    return measureMs(() => page.publish(changed));
  };
  // The first ones teach V8 what to compile.
  for (let round = 0; round < 3; round += 1) publishChanges();
  const polls = Array.from({ length: rounds });
  const full = polls.slice(0, 5).map(() => measureMs(() => publishAll(fleet)));
  const changed = polls.map(() => publishChanges());
  const touched = listTouched(fleet);
  const deflated = polls.map(() => measureMs(() => touched.forEach(deflate)));
  return { full, changed, deflated };
}

/** Plain text of the page, cut into pieces as long as its own: as many as a change of the fleet renews. */
function listTouched(fleet: ViewFleet): readonly Uint8Array[] {
  const pages = new PageSet(catalog);
  pages.show([fleet.view()]);
  const { renewedPieces: pieces } = pages.render();
  put(pages, fleet.change(changedShare));
  const { renewedPieces: renewed } = pages.render();
  const { gzip } = pages.assemble('text');
  const page = inflateRawSync(gzip.subarray(gzipHeader.length), { finishFlush: constants.Z_SYNC_FLUSH });
  const length = Math.floor(page.length / pieces);
  return Array.from({ length: renewed }, (_, index) => page.subarray(index * length, (index + 1) * length));
}

function put(pages: PageSet, changed: readonly ProjectView[]): void {
  for (const view of changed) pages.putProject(view.account, view.project_id, view);
}

function deflate(piece: Uint8Array): void {
  deflateRawSync(piece, {
    level: 1,
    windowBits: 13,
    memLevel: 6,
    finishFlush: constants.Z_FULL_FLUSH,
    chunkSize: 4096,
  });
}

function publishAll(fleet: ViewFleet): void {
  const pages = new PageSet(catalog);
  pages.show([fleet.view()]);
  pages.render();
  pages.assemble('text');
}

function measureMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

let delay: ReturnType<typeof watchLoopDelay> | undefined;

/** A program with nothing to do: how late its event loop came round since this was last asked. */
function readDelay(): LoopDelay {
  delay ??= watchLoopDelay();
  return readLoopDelay(delay);
}

const tasks = { publishFleet, readDelay };
if (import.meta.main) serveTasks(tasks);
