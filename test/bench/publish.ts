import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchRun } from './bench-run.ts';
import { declareBenchmark, type Row } from './benchmark.ts';
import { median } from './percentile.ts';
import { startChild } from './process/child.ts';
import { watchFleet } from './process/watched-fleet.ts';
import type { IdleLoopTasks } from './program/idle-loop.ts';
import type { PublisherTasks } from './program/page-publisher.ts';
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
  goal:
    'Rendering, compressing and assembling the page after 5 % of 10,000 projects changed takes at most 4 × the ' +
    'processor time that zlib alone needs, at its fastest, for the pieces that scattered changes touch: smaller ' +
    'pieces touch less and make every scrape larger. Where mostly the same projects change it takes at most 2.5 × ' +
    'what finding the changes and zlib alone over the touched pieces take, some 13 to 15 ms by themselves: each ' +
    'project that begins to change touches pieces of its own, which are compressed as a whole. A compressor that ' +
    'exchanged single lines within compressed pieces took as long, and made the page 57 % larger. ' +
    'Over whole cycles of a daemon that writes its history and is scraped the event loop is late by at most 5 ms (p99). ' +
    'At its worst it is at most 20 ms later than the loop of a process that does nothing beside it was at its worst: so ' +
    'long the system lets anybody wait.',
  sizes: {
    tiny: { projects: 20, rounds: 2, sweepSeconds: 1, listPolls: 1 },
    small: { projects: 10_000, rounds: 8, sweepSeconds: 15, listPolls: 1 },
    full: { projects: 10_000, rounds: 40, sweepSeconds: 15, listPolls: 4 },
  },
  run: async (fleet, run) => [...(await measureCosts(fleet, run)), ...(await measureDelay(fleet, run))],
});

async function measureCosts({ projects, rounds }: PublishedFleet, run: BenchRun): Promise<readonly Row[]> {
  const publisher = startChild<PublisherTasks>(run, 'page-publisher');
  const costs = await publisher.ask('publish', { projects, changedShare, rounds });
  await publisher.stop();
  const full = 'the whole page from nothing';
  const alone = 'zlib alone over the pieces that scattered changes touch';
  const compared = 'finding what changed';
  const least = 'finding what changed, and zlib alone over the pieces that changes moved together touch';
  return [
    { what: full, value: median(costs.full), unit: 'ms CPU' },
    { what: alone, value: median(costs.deflated), unit: 'ms CPU' },
    { what: compared, value: median(costs.compared), unit: 'ms CPU' },
    { what: least, value: median(costs.deflatedTogether) + median(costs.compared), unit: 'ms CPU' },
    {
      what: '5 % changed, scattered over the page',
      value: median(costs.scattered),
      unit: 'ms CPU',
      ratioTo: alone,
      goal: { of: 'ratio', atMost: 4 },
    },
    {
      what: '5 % changed, what changes often just moved together',
      value: median(costs.together),
      unit: 'ms CPU',
      ratioTo: least,
      goal: { of: 'ratio', atMost: 2.5 },
    },
  ];
}

async function measureDelay(fleet: PublishedFleet, run: BenchRun): Promise<readonly Row[]> {
  const { projects, sweepSeconds, listPolls } = fleet;
  const daemon = await watchFleet(run, { projects, days: 1, sweepSeconds });
  const scraper = startChild<ScraperTasks>(run, 'scraper');
  await scraper.ask('fetchPage', daemon.url);
  const idle = startChild<IdleLoopTasks>(run, 'idle-loop');
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
