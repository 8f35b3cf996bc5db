import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type SeriesMode, seriesModes } from '../../src/resources/series/family-selection.ts';
import { startDaemonProcess } from '../support/daemon-process.ts';
import type { BenchRun } from './bench-run.ts';
import { declareBenchmark } from './benchmark.ts';
import { median } from './percentile.ts';
import { startChild } from './process/child.ts';
import type { PastTasks } from './program/past-writer.ts';

const daemonModule = new URL('../../src/daemon/daemon.ts', import.meta.url).href;
const imports = 'imports alone';
/** Nothing listens there. */
const unreachable = 'http://127.0.0.1:9/api/v2/';

export const startUp = declareBenchmark({
  name: 'start-up',
  goal:
    'A daemon with a year of history of 10,000 projects answers the first scrape with all of them (compact, some ' +
    '160,000 series; in full it is 490,000) at most 2 s after it was started, while the service cannot be reached.',
  sizes: {
    tiny: { projects: 20, days: 2, sampleIntervalMs: 60_000, rounds: 1 },
    small: { projects: 1000, days: 30, sampleIntervalMs: 60_000, rounds: 3 },
    // A sample of a busy project every five minutes: 53 million rows; every sweep would be a thousand million.
    full: { projects: 10_000, days: 365, sampleIntervalMs: 300_000, rounds: 5 },
  },
  async run({ rounds, ...past }, run) {
    const file = join(run.openFolder(), 'dbpm.sqlite');
    const writer = startChild<PastTasks>(run, 'past-writer');
    const rows = await writer.ask('write', { ...past, file, busyShare: 0.05, now: Date.now() });
    await writer.stop();
    const importing: number[] = [];
    const starting: Record<SeriesMode, number[]> = { compact: [], full: [] };
    for (let round = 0; round < rounds; round += 1) {
      importing.push(await measureImports());
      for (const mode of seriesModes) starting[mode].push(await measureStart(run, file, past.projects, mode));
    }
    return [
      { what: 'history, rows of the past', value: rows, unit: '' },
      { what: 'history, size', value: statSync(file).size / 2 ** 20, unit: 'MiB' },
      { what: imports, value: median(importing), unit: 'ms' },
      {
        what: 'from start to the first compact page with all projects',
        value: median(starting.compact),
        unit: 'ms',
        ratioTo: imports,
        goal: { of: 'value', atMost: 2000 },
      },
      {
        what: 'from start to the first full page with all projects',
        value: median(starting.full),
        unit: 'ms',
        ratioTo: imports,
      },
    ];
  },
});

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
): Promise<number> {
  const startedAt = performance.now();
  const env = { DBPM_SERIES_MODE: mode };
  const daemon = startDaemonProcess({ base_url: unreachable, apiKey: 'bench', historyFile, env });
  run.onEnd(() => daemon.isRunning() && daemon.stop('SIGKILL'));
  const url = await daemon.untilServing();
  while ((await countProjects(url)) < projects) await sleep(5);
  const durationMs = performance.now() - startedAt;
  await daemon.stop('SIGTERM');
  return durationMs;
}

async function countProjects(url: string): Promise<number> {
  const response = await fetch(`${url}/metrics`);
  const page = await response.text();
  return response.ok ? page.split('\ndbpm_project_info{').length - 1 : 0;
}
