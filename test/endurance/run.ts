import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runScript, runVitest } from '../gate/report.ts';
import { enduranceFiles } from '../vitest.endurance.config.ts';
import { type Outcome, readPage, renderOutcome, renderPage } from './endurance-table.ts';
import { filesOf, type Part, parts, type ScriptPart, type TestPart } from './part-list.ts';

/** What a part came to, and the exit code of this process where it was told to end meanwhile. */
type Ran = Pick<Outcome, 'passed' | 'skipped' | 'failed'> & { readonly interruption: number | undefined };

const root = new URL('../..', import.meta.url).pathname;
const page = 'docs/endurance.md';
const config = 'test/vitest.endurance.config.ts';
process.chdir(root);

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    seed: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});
const files = globSync(enduranceFiles).toSorted();
const hasTests = (part: Part) => !('tests' in part) || filesOf(part, files).length > 0;
const chosen = parts.filter(part => hasTests(part) && (flags.only?.includes(part.name) ?? true));
const unknown = flags.only?.filter(name => !parts.some(part => part.name === name)) ?? [];
if (unknown.length > 0) throw new Error(`no part is called ${unknown.join(', ')}; --list shows all`);
const given = flags.seed === undefined ? undefined : Number(flags.seed);
if (given !== undefined && !Number.isSafeInteger(given)) throw new Error('--seed takes a whole number');

if (flags.list) for (const part of chosen) process.stdout.write(`${describe(part)}\n`);
else process.exitCode = await runParts();

function describe(part: Part): string {
  const what = 'tests' in part ? `${filesOf(part, files).length} files` : part.script.join(' ');
  return `${part.name.padEnd(12)}${part.purpose} (${what})`;
}

/** Runs the chosen parts one after the other, and writes each into the page as soon as it has ended. */
async function runParts(): Promise<number> {
  let code = 0;
  for (const part of chosen) {
    const ran = await runPart(part, given ?? randomInt(2 ** 31));
    // Of a part that was stopped nothing is known.
    if (typeof ran === 'number') return ran;
    const outcomes = new Map(readPage(readFileSync(page, 'utf8')));
    const cells = renderOutcome(ran);
    writeFileSync(page, renderPage(parts, outcomes.set(part.name, cells)));
    process.stdout.write(`\n${part.name}: ${cells.join(' | ')}\n`);
    if (ran.failed.length > 0) code = 1;
  }
  return code;
}

/** @returns what it came to, or the exit code of this process if it was told to end meanwhile. */
async function runPart(part: Part, drawn: number): Promise<Outcome | number> {
  const seed = 'tests' in part || part.seedFlag !== undefined ? drawn : undefined;
  process.stdout.write(`\n${part.name}: ${part.purpose} Seed: ${seed ?? 'none'}\n`);
  const start = { date: new Date().toISOString().slice(0, 10), commit: readCommit(), seed };
  const startedAt = performance.now();
  const ran = 'tests' in part ? await runTests(part, drawn) : await runOther(part, drawn);
  return ran.interruption ?? { ...start, ...ran, tookMs: performance.now() - startedAt };
}

async function runTests(part: TestPart, seed: number): Promise<Ran> {
  const own = filesOf(part, files).map(file => join(root, file));
  const env = { ...part.env, TEST_SEED: String(seed) };
  const { report, interruption } = await runVitest(['--config', config, ...own], env);
  const { passed, skipped, errors } = report;
  const failed = report.failed.map(({ file, test }) => `${file} > ${test}`);
  if (errors > 0) failed.push(`${errors} errors outside of tests`);
  return { passed, skipped, failed, interruption };
}

async function runOther({ script, seedFlag, env }: ScriptPart, seed: number): Promise<Ran> {
  const seedArguments = seedFlag === undefined ? [] : [seedFlag, String(seed)];
  const { code, interruption } = await runScript([...script, ...seedArguments], env);
  const failed = code === 0 ? [] : [`exit code ${code}`];
  return { passed: undefined, skipped: undefined, failed, interruption };
}

/** The commit that is checked out, with a star where anything but the page differs from it. */
function readCommit(): string {
  const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8' }).trim();
  const changes = git('status', '--porcelain', '--', '.', `:!${page}`);
  return `${git('rev-parse', '--short', 'HEAD')}${changes === '' ? '' : '*'}`;
}
