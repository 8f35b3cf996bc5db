import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, release, totalmem, type } from 'node:os';
import { parseArgs } from 'node:util';
import { BenchRun } from './bench-run.ts';
import type { Benchmark, Row, Size } from './benchmark.ts';
import { benchmarks } from './benchmark-list.ts';
import { type Result, renderMarkdown, renderText } from './result-table.ts';

/** So long a benchmark may take before it is given up. */
const longestMs: Readonly<Record<Size, number>> = { tiny: 20_000, small: 90_000, full: 15 * 60_000 };
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
  const command = flags.full ? 'npm run bench -- --full --write' : 'npm run bench -- --write';
  const head = [
    '# Benchmarks',
    '',
    `Written by \`${command}\`. Baselines run in turns with what they are compared with, on the same machine:`,
    'the ratios hold, the times are those of this machine.',
    '',
    ...describeMachine(Date.now()),
    '',
  ];
  const measured = new Map(results.map(result => [result.benchmark.name, renderMarkdown(result)]));
  const written = readSections();
  const sections = benchmarks.map(({ name }) => measured.get(name) ?? written.get(name) ?? '');
  return [...head, ...sections.filter(section => section !== '')].join('\n');
}

/** What earlier runs wrote, by benchmark: what is not measured now stays as it was. */
function readSections(): ReadonlyMap<string, string> {
  if (!existsSync(resultFile)) return new Map();
  const [, ...sections] = readFileSync(resultFile, 'utf8').split(/^(?=## )/m);
  return new Map(
    sections.map(section => [section.slice(3, section.indexOf('\n')), `${section.trimEnd()}\n`]),
  );
}

/** What the figures were measured on, as lines of Markdown. */
function describeMachine(now: number): readonly string[] {
  const processors = cpus();
  const model = processors[0]?.model ?? 'unknown';
  return [
    `- Date: ${new Date(now).toISOString().slice(0, 10)}`,
    `- Processor: ${processors.length} × ${model} (${arch()})`,
    `- Memory: ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `- System: ${readDistribution() ?? type()}, kernel ${release()}`,
    `- Node: ${process.version}`,
  ];
}

function readDistribution(): string | undefined {
  try {
    return /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
