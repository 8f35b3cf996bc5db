import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { declareBenchmark } from './benchmark.ts';
import { pastPrices, writePastApart } from './fleet/past.ts';
import { median } from './percentile.ts';
import { runExporter } from './process/exporter.ts';

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
  goal: 'A report of a year of 1,000 projects, from start to end of the command.',
  sizes: {
    tiny: { projects: 20, days: 3, rounds: 1 },
    small: { projects: 200, days: 365, rounds: 3 },
    full: { projects: 1000, days: 365, rounds: 5 },
  },
  async run({ projects, days, rounds }, run) {
    const folder = run.openFolder();
    const file = join(folder, 'dbpm.sqlite');
    const config = join(folder, 'dbpm.yaml');
    writeFileSync(config, pastPrices);
    const past = { file, projects, days, busyShare: 0.05, sampleIntervalMs: 300_000, now: Date.now() };
    const rows = await writePastApart(run, past);
    const timings = [];
    for (const [line, isGoal] of reports) {
      const flags = ['--config.file', config, '--history.file', file, '--period', `last-${days}d`];
      const argv = ['report', ...line.split(' '), ...flags, '--format', 'csv'];
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

/** Milliseconds from its start to its end. */
async function measure(argv: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  await runExporter(argv);
  return performance.now() - startedAt;
}
