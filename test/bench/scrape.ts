import type { BenchRun } from './bench-run.ts';
import { declareBenchmark, type Row } from './benchmark.ts';
import { seriesPerProject } from './fleet/view-fleet.ts';
import { median, percentile } from './percentile.ts';
import { type Nginx, startBareHttp, startNginx } from './process/baseline-server.ts';
import { type Child, startChild } from './process/child.ts';
import type { ExporterTasks } from './program/exporter-server.ts';
import type { PromClientTasks } from './program/prom-client-server.ts';
import type { ScraperTasks } from './program/scraper.ts';

interface ScrapedFleet {
  readonly projects: number;
  readonly rounds: number;
  readonly turnMs: number;
  /** Scrapes of prom-client in all; 0 leaves it out. */
  readonly promClientScrapes: number;
}

const changedShare = 0.05;
const crowd = 8;
/** prom-client needs more than Node allows by default at two million series. */
const largeHeapMebibytes = 12_000;
/** A small page takes as long as a request does, whatever it is for: node:http alone shows how long. */
const largeFromSeries = 140_000;
const smallUpToSeries = 2000;
const small: readonly ScrapedFleet[] = [
  { projects: 100, rounds: 3, turnMs: 750, promClientScrapes: 30 },
  { projects: 1000, rounds: 3, turnMs: 750, promClientScrapes: 12 },
  { projects: 7000, rounds: 3, turnMs: 750, promClientScrapes: 0 },
  { projects: 10_000, rounds: 3, turnMs: 750, promClientScrapes: 3 },
];

export const scrape = declareBenchmark({
  name: 'scrape',
  goal: 'Gzip scrapes while 5 % of the projects change every 15 s, beside nginx and node:http sending the same bytes.',
  sizes: {
    tiny: [{ projects: 5, rounds: 1, turnMs: 50, promClientScrapes: 2 }],
    small,
    full: [
      ...small.map(fleet => ({ ...fleet, rounds: 8, turnMs: 1500 })),
      { projects: 100_000, rounds: 5, turnMs: 4000, promClientScrapes: 1 },
    ],
  },
  async run(fleets, run) {
    const nginx = await startNginx(run);
    const scraper = startChild<ScraperTasks>(run, 'scraper');
    const rows: Row[] = [];
    for (const fleet of fleets) rows.push(...(await scrapeFleet(fleet, { run, nginx, scraper })));
    return rows;
  },
});

/** Of each scrape, in milliseconds, by who was scraped. */
type Durations = Readonly<Record<string, readonly number[]>>;

interface Setting {
  readonly run: BenchRun;
  readonly nginx: Nginx | undefined;
  readonly scraper: Child<ScraperTasks>;
}

async function scrapeFleet(fleet: ScrapedFleet, { run, nginx, scraper }: Setting): Promise<readonly Row[]> {
  const { projects } = fleet;
  const exporter = startChild<ExporterTasks>(run, 'exporter-server');
  const bareHttp = startBareHttp(run);
  try {
    const url = await exporter.ask('start', { projects, changedShare });
    const { gzip } = await scraper.ask('fetchPage', url);
    const bareUrl = await bareHttp.ask('start', gzip);
    const nginxUrl = nginx?.serve(String(projects), gzip);
    const promClient = await scrapePromClient(fleet, run, scraper);
    const inTurns = async (scrapers: number): Promise<Durations> => {
      const durations = { exporter: [] as number[], 'node:http': [] as number[], nginx: [] as number[] };
      for (let round = 0; round < fleet.rounds; round += 1) {
        const turn = { scrapers, turnMs: fleet.turnMs, scrapesPerTurn: 1000 };
        await exporter.ask('change');
        durations.exporter.push(...(await scraper.ask('scrape', { ...turn, url })));
        await exporter.ask('rest');
        durations['node:http'].push(...(await scraper.ask('scrape', { ...turn, url: bareUrl })));
        if (nginxUrl !== undefined)
          durations.nginx.push(...(await scraper.ask('scrape', { ...turn, url: nginxUrl })));
      }
      return durations;
    };
    const alone = await inTurns(1);
    return renderRows(projects * seriesPerProject, { ...alone, ...promClient }, await inTurns(crowd));
  } finally {
    await exporter.stop();
    await bareHttp.stop();
  }
}

/** On its own: it keeps a core busy for seconds at a time, which is no fair company. */
async function scrapePromClient(
  { projects, promClientScrapes }: ScrapedFleet,
  run: BenchRun,
  scraper: Child<ScraperTasks>,
): Promise<Durations> {
  if (promClientScrapes === 0) return {};
  const promClient = startChild<PromClientTasks>(run, 'prom-client-server', largeHeapMebibytes);
  try {
    const url = await promClient.ask('start', { projects, changedShare });
    const turn = { url, scrapers: 1, turnMs: 60_000, scrapesPerTurn: promClientScrapes };
    return { 'prom-client': await scraper.ask('scrape', turn) };
  } catch (error) {
    run.remark(`left out: prom-client with ${projects} projects (${String(error)})`);
    return {};
  } finally {
    await promClient.stop();
  }
}

function renderRows(series: number, alone: Durations, crowded: Durations): readonly Row[] {
  const isJudged = (name: string) => name === 'exporter' && series >= largeFromSeries;
  const isSmall = series <= smallUpToSeries;
  const size = `${series / 1000}k series`;
  const p50 = (name: string) => `${size}: ${name}, p50`;
  const p99 = (name: string) => `${size}: ${name}, ${crowd} scrapers, p99`;
  return [
    ...measured(alone).map(
      ([name, durations]): Row => ({
        what: p50(name),
        value: median(durations),
        unit: 'ms',
        ...(name !== 'nginx' && { ratioTo: p50('nginx') }),
        ...(isJudged(name) && { goal: { of: 'ratio', atMost: 1.5 } }),
        ...(name === 'exporter' && isSmall && { goal: { of: 'ratio', atMost: 3 } }),
      }),
    ),
    ...measured(crowded).map(
      ([name, durations]): Row => ({
        what: p99(name),
        value: percentile(durations, 0.99),
        unit: 'ms',
        ...(name !== 'nginx' && { ratioTo: p99('nginx') }),
        ...(isJudged(name) && { goal: { of: 'ratio', atMost: 5 } }),
      }),
    ),
  ];
}

/** Without who was left out. */
function measured(durations: Durations): readonly (readonly [string, readonly number[]])[] {
  return Object.entries(durations).filter(([, { length }]) => length > 0);
}
