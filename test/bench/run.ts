import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, release, totalmem, type } from 'node:os';
import { parseArgs } from 'node:util';
import { BenchRun } from './bench-run.ts';
import type { Benchmark, Row, Size } from './benchmark.ts';
import { benchmarks } from './benchmark-list.ts';
import { type Result, renderGoals, renderText } from './result-table.ts';

/** So long a benchmark may take before it is given up. */
const longestMs: Readonly<Record<Size, number>> = { tiny: 20_000, small: 150_000, full: 20 * 60_000 };
const resultFile = new URL('../../BENCHMARKS.md', import.meta.url);

const { values: flags } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    write: { type: 'boolean', default: false },
  },
});
const size: Size = flags.full ? 'full' : 'small';
const chosen = benchmarks.filter(({ name }) => flags.only?.includes(name) ?? true);
if (chosen.length === 0) {
  throw new Error(`--only takes one of ${benchmarks.map(({ name }) => `"${name}"`).join(', ')}`);
}

let underWay: BenchRun | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await underWay?.end();
    process.exit(1);
  });
}

const results: Result[] = [];
for (const benchmark of chosen) {
  const result = await measure(benchmark);
  results.push(result);
  process.stdout.write(`${renderText(result)}\n`);
}
if (flags.write) writeFileSync(resultFile, renderDocument());
// What a benchmark that was given up still waits for would keep the process alive.
process.exit();

async function measure(benchmark: Benchmark): Promise<Result> {
  const startedAt = performance.now();
  const run = new BenchRun();
  underWay = run;
  const givenUp = Promise.withResolvers<readonly Row[]>();
  const timer = setTimeout(
    () => givenUp.reject(new Error(`not done after ${longestMs[size] / 1000} s`)),
    longestMs[size],
  );
  let rows: readonly Row[] = [];
  try {
    rows = await Promise.race([benchmark.run(size, run), givenUp.promise]);
  } catch (error) {
    run.remark(`failed: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  } finally {
    clearTimeout(timer);
    await run.end();
  }
  return { benchmark, rows, remarks: run.remarks, durationMs: performance.now() - startedAt };
}

function renderDocument(): string {
  const measured = new Map(results.map(result => [result.benchmark.name, renderGoals(result)]));
  const written = readRows();
  const rows = benchmarks.flatMap(({ name }) => measured.get(name) ?? written.get(name) ?? []);
  return `# Benchmarks

**How fast is it?** Each goal with what was measured: a ratio to a baseline that ran in turns with it, or a value. Ratios hold
elsewhere; times and sizes are those of this machine: ${describeMachine(Date.now())}.
Rows that the last run did not measure are of runs before it.

\`\`\`sh
npm run bench -- --full --write                # all of them, and this page anew
npm run bench -- --full --only poll-cycle      # one of them, with its baselines and all that it measures
\`\`\`

| what | measured | goal |
|---|---|---|
${rows.join('\n')}
`;
}

/** Rows of earlier runs by benchmark: what is not measured now stays as it was. */
function readRows(): ReadonlyMap<string, readonly string[]> {
  const text = existsSync(resultFile) ? readFileSync(resultFile, 'utf8') : '';
  const rows = text.split('\n').filter(line => line.startsWith('| '));
  return Map.groupBy(rows, row => /^\| ([\w-]+): /.exec(row)?.[1] ?? '');
}

/** What the figures were measured on. */
function describeMachine(now: number): string {
  const processors = cpus();
  const model = processors[0]?.model ?? 'unknown';
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const system = `${readDistribution() ?? type()}, kernel ${release()}`;
  const date = new Date(now).toISOString().slice(0, 10);
  return `${date}, ${processors.length} × ${model} (${arch()}), ${memory}, ${system}, Node ${process.version}`;
}

function readDistribution(): string | undefined {
  try {
    return /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
