import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { type SeriesMode, seriesModes } from '../../src/resources/family-selection.ts';
import { startDaemonProcess } from '../support/daemon-process.ts';
import type { BenchRun } from './bench-run.ts';
import { declareBenchmark } from './benchmark.ts';
import { writePastApart } from './fleet/past.ts';
import { median } from './percentile.ts';

const daemonModule = new URL('../../src/daemon/daemon.ts', import.meta.url).href;
const bareStart = fileURLToPath(new URL('./program/bare-start.ts', import.meta.url));
const bare: Readonly<Record<SeriesMode, string>> = {
  compact: 'imports, reading the rows of the compact page and zlib alone over its text, one after another',
  full: 'the same with the full page',
};
/** Nothing listens there. */
const unreachable = 'http://127.0.0.1:9/api/v2/';

export const startUp = declareBenchmark({
  name: 'start-up',
  goal: 'A daemon with a year of history of 10,000 projects, from its start to the first page with all of them, while the service cannot be reached.',
  sizes: {
    tiny: { projects: 20, days: 2, sampleIntervalMs: 60_000, rounds: 1 },
    small: { projects: 1000, days: 30, sampleIntervalMs: 60_000, rounds: 3 },
    // A sample of a busy project every five minutes: 53 million rows; every sweep would be a thousand million.
    full: { projects: 10_000, days: 365, sampleIntervalMs: 300_000, rounds: 5 },
  },
  async run({ rounds, ...past }, run) {
    const folder = run.openFolder();
    const file = join(folder, 'dbpm.sqlite');
    const rows = await writePastApart(run, { ...past, file, busyShare: 0.05, now: Date.now() });
    const importing: number[] = [];
    const needed: Record<SeriesMode, number[]> = { compact: [], full: [] };
    const starting: Record<SeriesMode, number[]> = { compact: [], full: [] };
    for (let round = 0; round < rounds; round += 1) {
      importing.push(await measureImports());
      for (const mode of seriesModes) {
        const { tookMs, page } = await measureStart(run, file, past.projects, mode);
        starting[mode].push(tookMs);
        const pageFile = join(folder, `${mode}.txt`);
        writeFileSync(pageFile, page);
        needed[mode].push(await measureNeeded(file, pageFile));
      }
    }
    const goal = { of: 'value', atMost: 2000 } as const;
    return [
      { what: 'history, rows of the past', value: rows, unit: '' },
      { what: 'history, size', value: statSync(file).size / 2 ** 20, unit: 'MiB' },
      { what: 'imports alone', value: median(importing), unit: 'ms' },
      { what: bare.compact, value: median(needed.compact), unit: 'ms' },
      { what: bare.full, value: median(needed.full), unit: 'ms' },
      {
        what: 'from start to the first compact page with all projects',
        value: median(starting.compact),
        unit: 'ms',
        ratioTo: bare.compact,
        goal,
      },
      {
        what: 'from start to the first full page with all projects',
        value: median(starting.full),
        unit: 'ms',
        ratioTo: bare.full,
        goal,
      },
    ];
  },
});

/** Milliseconds of a process that does what a start cannot do without. */
async function measureNeeded(file: string, pageFile: string): Promise<number> {
  const startedAt = performance.now();
  await promisify(execFile)(process.execPath, [bareStart, daemonModule, file, pageFile]);
  return performance.now() - startedAt;
}

async function measureImports(): Promise<number> {
  const startedAt = performance.now();
  const source = `import(${JSON.stringify(daemonModule)}).then(() => process.exit())`;
  await promisify(execFile)(process.execPath, ['--eval', source]);
  return performance.now() - startedAt;
}

async function measureStart(
  run: BenchRun,
  historyFile: string,
  projects: number,
  mode: SeriesMode,
): Promise<{ readonly tookMs: number; readonly page: string }> {
  const startedAt = performance.now();
  const daemon = startDaemonProcess({
    base_url: unreachable,
    apiKey: 'bench',
    historyFile,
    env: { DBPM_SERIES_MODE: mode },
  });
  run.onEnd(() => daemon.isRunning() && daemon.stop('SIGKILL'));
  const url = await daemon.untilServing();
  let scraped = await scrape(url);
  while (scraped.projects < projects) {
    await sleep(5);
    scraped = await scrape(url);
  }
  await daemon.stop('SIGTERM');
  return { tookMs: scraped.receivedMs - startedAt, page: scraped.page };
}

interface Scraped {
  readonly receivedMs: number;
  readonly projects: number;
  readonly page: string;
}

/** The projects on a page that is asked for as Prometheus does, and when it had come whole: it is looked into after that. */
async function scrape(url: string): Promise<Scraped> {
  const asked = get(`${url}/metrics`, { headers: { 'accept-encoding': 'gzip' } });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const body = await buffer(response);
  const receivedMs = performance.now();
  const isZipped = response.headers['content-encoding'] === 'gzip';
  const page = (isZipped ? gunzipSync(body) : body).toString();
  const projects = response.statusCode === 200 ? page.split('\ndbpm_project_info{').length - 1 : 0;
  return { receivedMs, projects, page };
}
