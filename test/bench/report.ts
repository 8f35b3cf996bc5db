import { execFile } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { declareBenchmark } from './benchmark.ts';
import { median } from './percentile.ts';
import { prices } from './price.ts';
import { startChild } from './process/child.ts';
import type { PastTasks } from './program/past-writer.ts';

const program = new URL('../../bin/dbpm-exporter.cjs', import.meta.url).pathname;

/** What is reported, and whether the goal is for it. */
const reports: readonly (readonly [arguments_: string, isGoal: boolean])[] = [
  ['usage', true],
  ['cost', true],
  ['cost --by group', true],
  ['operations', true],
  ['usage --by endpoint', false],
  ['cost --by endpoint', false],
];

export const report = declareBenchmark({
  name: 'report',
  goal: 'A report of a year of 1,000 projects, from start to end of the command, takes less than 2 s.',
  sizes: {
    tiny: { projects: 20, days: 3, rounds: 1 },
    small: { projects: 200, days: 365, rounds: 3 },
    full: { projects: 1000, days: 365, rounds: 5 },
  },
  async run({ projects, days, rounds }, run) {
    const folder = run.openFolder();
    const file = join(folder, 'dbpm.sqlite');
    const config = join(folder, 'dbpm.yaml');
    writeFileSync(config, prices);
    const writer = startChild<PastTasks>(run, 'past-writer');
    const past = { file, projects, days, busyShare: 0.05, sampleIntervalMs: 300_000, now: Date.now() };
    const rows = await writer.ask('write', past);
    await writer.stop();
    const timings = [];
    for (const [line, isGoal] of reports) {
      const flags = ['--config.file', config, '--history.file', file, '--period', `last-${days}d`];
      const argv = [program, 'report', ...line.split(' '), ...flags, '--format', 'csv'];
      const times: number[] = [];
      for (let round = 0; round < rounds; round += 1) times.push(await measure(argv));
      const goal = isGoal ? { goal: { of: 'value', atMost: 2000 } as const } : {};
      timings.push({ what: `report ${line}`, value: median(times), unit: 'ms', ...goal });
    }
    return [
      { what: 'history, rows of the past', value: rows, unit: '' },
      { what: 'history, size', value: statSync(file).size / 2 ** 20, unit: 'MiB' },
      ...timings,
    ];
  },
});

async function measure(argv: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  await promisify(execFile)(process.execPath, [...argv], { maxBuffer: 2 ** 28 });
  return performance.now() - startedAt;
}
