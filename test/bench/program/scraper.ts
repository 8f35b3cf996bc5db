import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { serveTasks } from '../process/task.ts';

export interface Scraping {
  /** Addresses by name. */
  readonly targets: Readonly<Record<string, string>>;
  readonly scrapers: number;
  /** So often each target has its turn. */
  readonly rounds: number;
  /** How long a turn takes, and how many scrapes each scraper makes in it at most. */
  readonly turnMs: number;
  readonly scrapesPerTurn: number;
}

interface Scrape {
  readonly body: Buffer;
  readonly durationMs: number;
}

const openmetrics = 'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.9';

/** Scrapes the targets in turns, all scrapers at once, and tells how long each scrape took, in milliseconds. */
async function scrape(scraping: Scraping): Promise<Readonly<Record<string, readonly number[]>>> {
  const { targets, scrapers, rounds } = scraping;
  const agents = Array.from({ length: scrapers }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const durations: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, url] of Object.entries(targets)) {
      const turn = await Promise.all(agents.map(agent => scrapeForATurn(url, agent, scraping)));
      durations[name] = [...(durations[name] ?? []), ...turn.flat()];
    }
  }
  for (const agent of agents) agent.destroy();
  return durations;
}

async function scrapeForATurn(url: string, agent: Agent, scraping: Scraping): Promise<readonly number[]> {
  const durations: number[] = [];
  const endsAt = performance.now() + scraping.turnMs;
  do {
    const { durationMs } = await scrapeOnce(url, agent);
    durations.push(durationMs);
  } while (performance.now() < endsAt && durations.length < scraping.scrapesPerTurn);
  return durations;
}

async function scrapeOnce(url: string, agent: Agent): Promise<Scrape> {
  const startedAt = performance.now();
  const outgoing = request(url, { agent, headers: { accept: openmetrics, 'accept-encoding': 'gzip' } });
  outgoing.end();
  const [response]: IncomingMessage[] = await once(outgoing, 'response');
  if (response?.statusCode !== 200) throw new Error(`${url} answered ${response?.statusCode}`);
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece);
  return { body: Buffer.concat(pieces), durationMs: performance.now() - startedAt };
}

/** One scrape, as it came over the wire and how many series it holds. */
async function fetchPage(url: string): Promise<{ readonly gzip: Uint8Array; readonly series: number }> {
  const { body } = await scrapeOnce(url, new Agent());
  return { gzip: body, series: countSeries(gunzipSync(body)) };
}

/** Lines that are neither comments nor empty; counted in bytes, as a large page is too long for a string. */
function countSeries(page: Buffer): number {
  let series = 0;
  for (let from = 0; from < page.length; ) {
    if (page[from] !== 35 && page[from] !== 10) series += 1;
    const end = page.indexOf(10, from);
    from = end < 0 ? page.length : end + 1;
  }
  return series;
}

const tasks = { scrape, fetchPage };
export type ScraperTasks = typeof tasks;

serveTasks(tasks);
