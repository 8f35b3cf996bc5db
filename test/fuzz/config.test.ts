import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { loadConfigChecks } from '../../src/check/config/loaded-config.ts';
import { parseDuration } from '../../src/config/duration.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { loadPriceBook } from '../../src/config/load-price-book.ts';
import { type Problem, renderProblem } from '../../src/config/problem.ts';
import { readWebFile } from '../../src/config/web-file.ts';
import { matchesGlob } from '../../src/resources/glob.ts';
import { fuzz } from './fuzzing.ts';
import { mutateText } from './mutation.ts';

const now = Date.parse('2026-10-15T12:00:00Z');
const checks = await loadConfigChecks();

/** The YAML of the documents, and that of the tests of what is wrong. */
const written = ['configuration', 'cost', 'prices', 'invoice', 'reports', 'web', 'operations'].flatMap(page =>
  yamlOf(readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8')),
);
const words = [...new Set(written.flatMap(text => text.match(/[\w.-]+|[^\s\w]+\s*/g) ?? []))];

function yamlOf(page: string): readonly string[] {
  return [...page.matchAll(/^```yaml[^\n]*\n(.*?)^```/gms)].flatMap(([, yaml]) => yaml ?? []);
}

const readFile = (text: string) => (path: string) => {
  if (path !== 'dbpm.yaml') throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
  return { text, readableByAll: false };
};

/** That each says where, and in a line that can be shown. */
function expectProblems(problems: readonly Problem[]): void {
  if (problems.length === 0) expect.fail('no problem');
  for (const problem of problems) {
    const line = renderProblem(problem);
    if (problem.where === '' || problem.key === '' || problem.expected === '') expect.fail(line);
    if (/[\n\r\0]/.test(line)) expect.fail(JSON.stringify(line));
    if (/undefined|\[object/.test(line)) expect.fail(line);
    const [, number] = /^dbpm\.yaml:(\d+)$/.exec(problem.where) ?? [];
    if (problem.where.startsWith('dbpm.yaml') && !(Number(number) >= 1)) expect.fail(line);
  }
}

/** That no number in it is none. */
function expectNumbers(value: unknown): void {
  if (typeof value === 'number' && Number.isNaN(value)) expect.fail('NaN');
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) expectNumbers(inner);
}

describe('a configuration with mistakes', () => {
  fuzz('is one, or has problems that say where', { quick: 40, long: 2000 }, random => {
    const text = mutateText(random.pick(written), random, words);
    const loaded = loadConfig({
      flags: { 'config.file': 'dbpm.yaml' },
      env: { DBPM_BASE_URL: 'https://api.example.com/api/v2/', DBPM_API_KEY: 'canary-key' },
      ...{ readFile: readFile(text), checks, now },
    });
    if ('problems' in loaded) return expectProblems(loaded.problems);
    expectNumbers(loaded.config);
    for (const each of loaded.warnings) renderProblem(each);
    for (const { key, from } of loaded.effective) if (key === '' || from === '') expect.fail(text);
  });

  fuzz('as a price book is one, or has problems that say where', { quick: 40, long: 6000 }, random => {
    const text = mutateText(random.pick(written), random, words);
    const request = { readFile: readFile(text), groupings: [], accounts: undefined, now };
    const loaded = loadPriceBook('dbpm.yaml', request);
    if ('problems' in loaded) expectProblems(loaded.problems);
    else expectNumbers(loaded.pricing);
  });

  fuzz('as a web configuration is one, or has problems that say where', { quick: 40, long: 6000 }, random => {
    const text = mutateText(random.pick(written), random, words);
    const loaded = readWebFile('dbpm.yaml', readFile(text));
    if (loaded.problems.length > 0) expectProblems(loaded.problems);
    else expectNumbers(loaded.file?.access);
  });
});

describe('texts with a grammar of their own', () => {
  fuzz('are durations of whole milliseconds, or none', { quick: 500, long: 100_000 }, random => {
    const text = mutateText('45d1h30m10s500ms', random, ['9'.repeat(40), 'd', 'ms', ' ', '1h'.repeat(2000)]);
    const ms = parseDuration(text);
    if (ms !== undefined && !(Number.isSafeInteger(ms) && ms >= 0)) expect.fail(text);
  });

  fuzz('match globs as a plain reading of the glob does', { quick: 500, long: 60_000 }, random => {
    const glob = mutateText('a*b?a*', random, ['*', '?', 'a', 'ab', '**', '*a*b*a*b']).slice(0, 14);
    const text = mutateText('abaababa', random, ['a', 'b', 'ab', '🐘']).slice(0, 14);
    if (matchesGlob(glob, text) !== matchesPlainly([...glob], [...text])) expect.fail(`${glob} of ${text}`);
  });

  fuzz('match hostile globs in time', { quick: 5, long: 300 }, random => {
    const glob = random.pick(['*a', 'a*', '*?', '?*a*']).repeat(500 + random.below(500));
    matchesGlob(`${glob}b`, 'a'.repeat(2000 + random.below(2000)));
  });
});

/** By recursion: every way in which a star can stand for something. */
function matchesPlainly([first, ...glob]: readonly string[], text: readonly string[]): boolean {
  if (first === undefined) return text.length === 0;
  if (first === '*')
    return matchesPlainly(glob, text) || (text.length > 0 && matchesPlainly([first, ...glob], text.slice(1)));
  return text.length > 0 && (first === '?' || first === text[0]) && matchesPlainly(glob, text.slice(1));
}
