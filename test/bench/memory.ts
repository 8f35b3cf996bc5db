import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchRun } from './bench-run.ts';
import { declareBenchmark, type Row } from './benchmark.ts';
import { median } from './percentile.ts';
import { startChild } from './process/child.ts';
import { type IdleMemory, measureIdleMemory } from './process/idle-memory.ts';
import { watchFleet } from './process/probed-daemon.ts';
import type { PromClientTasks } from './program/prom-client-server.ts';
import type { ScraperTasks } from './program/scraper.ts';

interface RememberedFleet {
  readonly projects: number;
  readonly days: number;
  readonly scrapes: number;
}

interface Residence {
  readonly series: number;
  /** Resident bytes after each scrape. */
  readonly bytes: readonly number[];
}

const scrapePauseMs = 1000;
const mebibyte = 2 ** 20;
/** So few that what a daemon takes for each does not count. */
const few: RememberedFleet = { projects: 20, days: 1, scrapes: 4 };

export const memory = declareBenchmark({
  name: 'memory',
  goal: 'A daemon of 10,000 projects that is scraped every second, beside prom-client with 200,000 series.',
  sizes: {
    tiny: { projects: 20, days: 1, scrapes: 1 },
    small: { projects: 10_000, days: 1, scrapes: 16 },
    full: { projects: 10_000, days: 7, scrapes: 90 },
  },
  async run(fleet, run) {
    const scraper = startChild<ScraperTasks>(run, 'scraper');
    const scrape = async (url: string) => (await scraper.ask('fetchPage', url)).series;
    const baseline = await measurePromClient(fleet, run, scrape);
    // Only the first daemon of a version compiles what its threads run.
    await measureDaemon({ ...few, scrapes: 1 }, run, scrape);
    const fixed = await measureDaemon(few, run, scrape);
    const measured = await measureDaemon(fleet, run, scrape);
    return [
      ...renderIdleRows(await measureIdleMemory()),
      {
        what: `daemon of ${few.projects} projects, resident`,
        value: median(fixed.bytes) / mebibyte,
        unit: 'MiB',
      },
      ...renderRows('prom-client', baseline),
      ...renderRows('daemon', measured),
    ];
  },
});

/** A daemon that is started as its packages start it. */
async function measureDaemon(
  { scrapes, ...fleet }: RememberedFleet,
  run: BenchRun,
  scrape: (url: string) => Promise<number>,
): Promise<Residence> {
  const daemon = await watchFleet(run, { ...fleet, sweepSeconds: 15 });
  const readBytes = async () => (await daemon.readUsage()).residentBytes;
  const residence = await watchResidence(scrapes, () => scrape(daemon.url), readBytes);
  await daemon.stop();
  return residence;
}

async function measurePromClient(
  { projects, scrapes }: RememberedFleet,
  run: BenchRun,
  scrape: (url: string) => Promise<number>,
): Promise<Residence> {
  const promClient = startChild<PromClientTasks>(run, 'prom-client-server');
  const url = await promClient.ask('start', { projects, changedShare: 0.05 });
  const residence = await watchResidence(
    Math.ceil(scrapes / 4),
    () => scrape(url),
    () => promClient.ask('residentBytes'),
  );
  await promClient.stop();
  return residence;
}

async function watchResidence(
  scrapes: number,
  scrape: () => Promise<number>,
  readBytes: () => Promise<number>,
): Promise<Residence> {
  const bytes: number[] = [];
  let series = 0;
  for (let scraped = 0; scraped < scrapes; scraped += 1) {
    series = await scrape();
    bytes.push(await readBytes());
    await sleep(scrapePauseMs);
  }
  return { series, bytes };
}

function renderIdleRows({ node, loaded }: IdleMemory): readonly Row[] {
  const alone = 'node alone, resident';
  return [
    { what: alone, value: node / mebibyte, unit: 'MiB' },
    {
      what: 'node with what the daemon and its two threads load, resident',
      value: loaded / mebibyte,
      unit: 'MiB',
      ratioTo: alone,
    },
  ];
}

function renderRows(name: 'prom-client' | 'daemon', { series, bytes }: Residence): readonly Row[] {
  const rows = [
    { what: 'resident', value: median(bytes), atMost: 220 },
    { what: 'resident, peak', value: Math.max(...bytes), atMost: 250 },
  ];
  return [
    { what: `${name}, series`, value: series, unit: '' },
    ...rows.map(
      ({ what, value, atMost }): Row => ({
        what: `${name}, ${what}`,
        value: value / mebibyte,
        unit: 'MiB',
        ...(name === 'daemon' && { ratioTo: `prom-client, ${what}`, goal: { of: 'value', atMost } }),
      }),
    ),
  ];
}
