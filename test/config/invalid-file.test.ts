import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfigChecks } from '../../src/check/config/loaded-config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { renderProblem } from '../../src/config/problem.ts';
import { readSourceFile } from '../../src/config/source-file.ts';

const folder = join(import.meta.dirname, 'invalid');
const files = readdirSync(folder).filter(file => file.endsWith('.yaml'));
const env = { GOOD_KEY: 'good-key', EMPTY_KEY: '', SPACED_KEY: 'a key' };
const checks = await loadConfigChecks();

test.each(files)('%s gives exactly the problems written beside it', file => {
  const loaded = loadConfig({
    flags: { 'config.file': file },
    env,
    readFile: path => readSourceFile(join(folder, path)),
    checks,
    now: Date.parse('2026-10-15T12:00:00Z'),
  });
  const lines = 'problems' in loaded ? loaded.problems.map(problem => `${renderProblem(problem)}\n`) : [];
  expect(lines.join('')).toBe(readFileSync(join(folder, file.replace(/yaml$/, 'txt')), 'utf8'));
});

test('no problem repeats what may be a secret', () => {
  const expected = files.map(file => readFileSync(join(folder, file.replace(/yaml$/, 'txt')), 'utf8'));
  expect(expected.join('')).not.toMatch(/canary|good-key/);
});
