import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readKnownFlakes } from './known-flake.ts';
import { judge } from './verdict.ts';

const root = new URL('../..', import.meta.url).pathname;
const today = '2026-12-15';
const flaky = { file: 'test/a.test.ts', test: 'a > is slow' };
const broken = { file: 'test/b.test.ts', test: 'b is wrong' };
const known = { ...flaky, listed: '2026-12-14', reason: 'waits for a port' };
const report = { passed: 7, failed: [flaky], skipped: 2, errors: 0, reasons: ['no jsonnet here'] };

test.each([
  ['nothing failed', { ...report, failed: [] }, [], [], true, '7 passed, 0 failed, 2 skipped'],
  ['a known flake passed alone', report, [flaky], [known], true, '8 passed, 0 failed, 2 skipped'],
  ['a known flake failed again', report, [], [known], false, '7 passed, 1 failed, 2 skipped'],
  ['an unknown flake passed alone', report, [flaky], [], false, '7 passed, 1 failed, 2 skipped'],
  [
    'another test failed too',
    { ...report, failed: [broken, flaky] },
    [flaky],
    [known],
    false,
    '8 passed, 1 failed, 2 skipped',
  ],
  [
    'no test caught an error',
    { ...report, errors: 1 },
    [flaky],
    [known],
    false,
    '8 passed, 1 failed, 2 skipped',
  ],
] as const)('the verdict where %s', (_, ran, passedAlone, flakes, isGood, closingLine) => {
  const verdict = judge(ran, passedAlone, flakes, today);
  expect(verdict.isGood).toBe(isGood);
  expect(verdict.text.split('\n').slice(-2)).toEqual([closingLine, '']);
});

test('a known flake is named on a line of its own', () => {
  expect(judge(report, [flaky], [known], today).text).toBe(`
skipped: no jsonnet here
flaky: test/a.test.ts > a > is slow
8 passed, 0 failed, 2 skipped
`);
});

test('an unknown flake is named with the entry of the list that it lacks', () => {
  expect(judge(report, [flaky], [], today).text).toBe(`
skipped: no jsonnet here
flaky: test/a.test.ts > a > is slow
not in test/gate/known-flakes.yaml, where it needs a reason:
- file: test/a.test.ts
  test: a > is slow
  listed: 2026-12-15
  reason: ""
7 passed, 1 failed, 2 skipped
`);
});

const entry = (listed: string, reason = 'waits') =>
  `- { file: test/a.test.ts, test: a, listed: ${listed}, reason: "${reason}" }\n`;

test.each([
  ['', []],
  ['[]', []],
  [entry('2026-12-01').repeat(5), []],
  [entry('2026-12-01').repeat(6), ['6 entries, the most is 5']],
  [entry('2026-11-30'), ['entry 1: listed 15 days ago, the most is 14']],
  [entry('2026-12-16'), ['entry 1: listed on 2026-12-16, which is to come']],
  [entry('lately'), ['entry 1: listed is no date']],
  [entry('2026-12-01', ' '), ['entry 1: it has no reason']],
  [entry('2026-12-01').replace('/a.', '/gone.'), ['entry 1: there is no test/gone.test.ts']],
])('a list of flakes is read strictly: %j', (yaml, faults) => {
  const read = readKnownFlakes(yaml, today, file => file === 'test/a.test.ts');
  expect(read.faults).toEqual(faults);
});

test('the list of this repository can be read', () => {
  const yaml = readFileSync(new URL('known-flakes.yaml', import.meta.url), 'utf8');
  expect(() => readKnownFlakes(yaml, today, existsSync)).not.toThrow();
});

test('no test is retried', async () => {
  const configs = globSync('test/vitest*.config.ts', { cwd: root });
  expect(configs.length).toBeGreaterThan(0);
  for (const file of configs) {
    const { default: config } = await import(join(root, file));
    expect(JSON.stringify(config), file).not.toContain('"retry"');
  }
  for (const file of ['package.json', '.ci/run'])
    expect(readFileSync(join(root, file), 'utf8'), file).not.toContain('--retry');
});
