import { writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchRun } from './bench-run.ts';
import { declareBenchmark, type Row } from './benchmark.ts';
import {
  type Answer,
  ask,
  click,
  measureFirstView,
  untilComplete,
  untilMade,
  visitors,
} from './console-view.ts';
import { projectId } from './fleet/fleet-name.ts';
import { pastPrices } from './fleet/past.ts';
import { median, percentile } from './percentile.ts';
import { startChild } from './process/child.ts';
import { type IdleMemory, measureIdleMemory } from './process/idle-memory.ts';
import { type ProbedDaemon, watchFleet } from './process/probed-daemon.ts';
import type { ScraperTasks } from './program/scraper.ts';

const mebibyte = 2 ** 20;
const readingPauseMs = 500;
const growthPauseMs = 5000;
/** Between two scrapes: what they meet is every part of a sweep. */
const pauseMs = 20;

const project = `/projects/main/${projectId(7)}`;
const timeline = `${project}?range=1y`;
/** Pages that readers look at; the first view of each is measured alone, as its reports are made for it. */
const pages = [
  '/',
  '/projects',
  '/projects?sort=cost&order=desc',
  project,
  timeline,
  '/cost',
  '/findings',
  '/operations',
  '/keys',
  '/health',
];

export const consolePages = declareBenchmark({
  name: 'console',
  goal: '10,000 projects and a year behind them: pages, scrapes while 20 people click, and the memory that it adds.',
  sizes: {
    tiny: { projects: 20, days: 2, rounds: 2, turns: 1, turnMs: 200, growthMs: 0, restMs: 0 },
    small: { projects: 1000, days: 90, rounds: 20, turns: 2, turnMs: 5000, growthMs: 60_000, restMs: 25_000 },
    full: {
      ...{ projects: 10_000, days: 365, rounds: 50, turns: 8, turnMs: 15_000 },
      ...{ growthMs: 300_000, restMs: 25_000 },
    },
  },
  async run({ projects, days, rounds, turns, turnMs, growthMs, restMs }, run) {
    const configFile = join(run.openFolder(), 'dbpm.yaml');
    writeFileSync(configFile, pastPrices);
    const env = { DBPM_CONFIG_FILE: configFile };
    const watched = { sweepSeconds: 15, sampleIntervalMs: 1_800_000, env };
    // Only the first daemon of a version compiles what the threads of its console run.
    const first = await watchFleet(run, { ...watched, projects: 20, days: 2 });
    await measurePages(consoleOf(first), 1);
    const usualView = await measureFirstView(consoleOf(first), run, 'first view');
    await first.stop();
    const ranBefore = async (daemon: ProbedDaemon) => {
      await untilComplete(consoleOf(daemon));
      await untilAllRead(daemon.url);
    };
    const restarted = await watchFleet(run, { ...watched, projects, days, ranBefore });
    await sleep(turnMs);
    const timings = await measurePages(consoleOf(restarted), rounds);
    const idle = await measureIdleMemory();
    const daemon = await restarted.restart();
    const url = consoleOf(daemon);
    // Until the first sweep over all projects is over, it grows whether or not anybody looks.
    await sleep(growthMs);
    const [, before] = await watchMemory(daemon, sleep(turnMs));
    const scraper = startChild<ScraperTasks>(run, 'scraper');
    const scrape = () =>
      scraper.ask('scrape', { url: daemon.url, scrapers: 1, turnMs, scrapesPerTurn: 1000, pauseMs });
    const alone: number[] = [];
    const under: number[] = [];
    const looking: number[] = [];
    // In turns: what else the machine does meanwhile slows both alike.
    for (let turn = 0; turn < turns; turn += 1) {
      alone.push(...(await scrape()));
      const clicking = click(url, pages, turnMs);
      const [durations, resident] = await watchMemory(daemon, scrape());
      under.push(...durations);
      looking.push(resident);
      await clicking;
    }
    await sleep(restMs);
    const [, atRest] = await watchMemory(daemon, sleep(turnMs));
    run.remark(`measured with ${projects} projects and ${days} days behind them`);
    describeLoad(run);
    return [
      ...timings,
      ...renderScrapes(alone, under),
      ...usualView,
      ...(await measureFirstView(url, run, `first view of ${projects} projects`)),
      ...renderMemory({ idle, before, looking: median(looking), atRest }),
    ];
  },
});

/** Waits until a page of metrics grows no more: by then each project was read. */
async function untilAllRead(url: string): Promise<void> {
  for (let known = 0, size = 1; size > known; ) {
    await sleep(growthPauseMs);
    known = size;
    size = (await (await fetch(url)).text()).length;
  }
}

const consoleOf = (daemon: { readonly url: string }) => daemon.url.slice(0, -'/metrics'.length);

/** Scrapes one after the other, alone and while people click. */
function renderScrapes(alone: readonly number[], under: readonly number[]): readonly Row[] {
  return [
    { what: 'scrape, p99', value: percentile(alone, 0.99), unit: 'ms' },
    {
      what: `scrape while ${visitors} click, p99`,
      value: percentile(under, 0.99),
      unit: 'ms',
      ratioTo: 'scrape, p99',
      goal: { of: 'ratio', atMost: 1.2 },
    },
  ];
}

/** Times of a machine that has more to do are longer, and their ratios less sure. */
function describeLoad(run: BenchRun): void {
  const [load = 0] = loadavg();
  const processors = availableParallelism();
  if (load > 2 * processors)
    run.remark(`others used the machine: a load of ${load.toFixed(0)} on ${processors} processors`);
}

async function measurePages(url: string, rounds: number): Promise<readonly Row[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const completeMs = await untilComplete(url);
  const costMs = await untilMade(`${url}/cost`, agent);
  const first: number[] = [];
  for (const page of pages) first.push(await untilMade(url + page, agent));
  const byPage = new Map<string, Answer[]>(pages.map(page => [page, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const page of pages) {
      const answer = await ask(url + page, agent);
      if (answer.status !== 200) throw new Error(`${page} answered ${answer.status}`);
      byPage.get(page)?.push(answer);
    }
  }
  agent.destroy();
  const usual = [...byPage].filter(([page]) => page !== timeline).flatMap(([, answers]) => answers);
  const year = byPage.get(timeline) ?? [];
  const times = (answers: readonly Answer[]) => answers.map(({ ms }) => ms);
  return [
    {
      what: 'overview after a restart, until it is complete',
      value: completeMs,
      unit: 'ms',
      goal: { of: 'value', atMost: 10_000 },
    },
    { what: 'cost after that, first view', value: costMs, unit: 'ms', goal: { of: 'value', atMost: 5000 } },
    { what: 'first view of another page, slowest', value: Math.max(...first), unit: 'ms' },
    ...[...byPage].map(([page, answers]): Row => {
      const what = page.replace(project, '/projects/…');
      return { what: `${what}, p50`, value: median(times(answers)), unit: 'ms' };
    }),
    { what: 'pages, p50', value: median(times(usual)), unit: 'ms', goal: { of: 'value', atMost: 50 } },
    {
      what: 'pages, p99',
      value: percentile(times(usual), 0.99),
      unit: 'ms',
      goal: { of: 'value', atMost: 150 },
    },
    {
      what: 'timeline of a year, p99',
      value: percentile(times(year), 0.99),
      unit: 'ms',
      goal: { of: 'value', atMost: 300 },
    },
    {
      what: 'timeline of a year, size',
      value: Math.max(...year.map(({ bytes }) => bytes)) / 1000,
      unit: 'kB',
      goal: { of: 'value', atMost: 150 },
    },
  ];
}

/** Resident bytes while something goes on: what garbage a thread keeps is another amount every second. */
async function watchMemory<Result>(
  daemon: Pick<ProbedDaemon, 'readUsage'>,
  work: Promise<Result>,
): Promise<readonly [Result, number]> {
  const readings: number[] = [];
  const done = work.then(() => true);
  do readings.push((await daemon.readUsage()).residentBytes);
  while (!(await Promise.race([done, sleep(readingPauseMs, false)])));
  return [await work, median(readings)];
}

interface WatchedMemory {
  readonly idle: IdleMemory;
  /** Resident bytes of a daemon before any view, while people look, and some time after. */
  readonly before: number;
  readonly looking: number;
  readonly atRest: number;
}

function renderMemory({ idle, before, looking, atRest }: WatchedMemory): readonly Row[] {
  const added = (what: string, bytes: number, base: number) =>
    ({ what, value: Math.max(0, bytes - base) / mebibyte, unit: 'MiB' }) as const;
  const goal = { of: 'value', atMost: 40 } as const;
  return [
    { what: 'memory before anything is looked at', value: before / mebibyte, unit: 'MiB' },
    added('memory of an empty thread', idle.emptyThread, idle.loaded),
    added('memory of a thread and of reports that are loaded and idle', idle.console, idle.loaded),
    { ...added('memory added while people look', looking, before), goal },
    { ...added('memory added 25 s after the last view', atRest, before), goal },
  ];
}
