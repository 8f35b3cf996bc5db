import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { serveTasks } from '../process/child.ts';

interface Scraping {
  readonly url: string;
  readonly scrapers: number;
  /** How long they go on, and how many scrapes each makes at most. */
  readonly turnMs: number;
  readonly scrapesPerTurn: number;
  /** The time between two; without it the next one begins at once. */
  readonly pauseMs?: number;
}

const accept = 'text/plain;version=0.0.4';

/** All scrapers at once, each on a connection of its own; how long each scrape took, in milliseconds. */
async function scrape(scraping: Scraping): Promise<readonly number[]> {
  const agents = Array.from(
    { length: scraping.scrapers },
    () => new Agent({ keepAlive: true, maxSockets: 1 }),
  );
  const durations = await Promise.all(agents.map(agent => scrapeForATurn(agent, scraping)));
  for (const agent of agents) agent.destroy();
  return durations.flat();
}

async function scrapeForATurn(agent: Agent, scraping: Scraping): Promise<readonly number[]> {
  const durations: number[] = [];
  const { url, turnMs, scrapesPerTurn, pauseMs } = scraping;
  const endsAt = performance.now() + turnMs;
  do {
    const startedAt = performance.now();
    await scrapeOnce(url, agent, () => {});
    durations.push(performance.now() - startedAt);
    if (pauseMs !== undefined) await sleep(pauseMs);
  } while (performance.now() < endsAt && durations.length < scrapesPerTurn);
  return durations;
}

/** Reads the whole answer, handing it on piece by piece: a client that keeps it would measure its own garbage. */
async function scrapeOnce(url: string, agent: Agent, onPiece: (piece: Buffer) => void): Promise<void> {
  const outgoing = request(url, { agent, headers: { accept, 'accept-encoding': 'gzip' } });
  outgoing.end();
  const [response]: IncomingMessage[] = await once(outgoing, 'response');
  if (response?.statusCode !== 200) throw new Error(`${url} answered ${response?.statusCode}`);
  response.on('data', onPiece);
  await once(response, 'end');
}

/** One scrape, as it came over the wire and how many series it holds. */
async function fetchPage(url: string): Promise<{ readonly gzip: Uint8Array; readonly series: number }> {
  const pieces: Buffer[] = [];
  await scrapeOnce(url, new Agent(), piece => pieces.push(piece));
  const gzip = Buffer.concat(pieces);
  return { gzip, series: countSeries(gunzipSync(gzip)) };
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
