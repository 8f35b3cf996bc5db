import { afterAll, beforeAll, expect, test } from 'vitest';
import { SmallHistory } from './small-history.ts';

let small: SmallHistory;
beforeAll(() => {
  small = new SmallHistory();
});
afterAll(() => small[Symbol.dispose]());

test('a showback has what a group used, its part of the fees, and its projects beside the period before', async () => {
  const { exitCode, stdout, stderr } = await small.report('showback --group team/web --period 2026-10');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toBe(`# team/web

2026-10: 2026-10-01 00:00 to 2026-11-01 00:00 (UTC), in EUR

- **This period: 19.00** 40.00 compute hours
- **The period before: not known**
- **Share of all costs: 97.4%** of €19.51

## What it is made of

| what | cost |
| --- | ---: |
| compute | 5.46 |
| minimum charge 2026-10, the group’s part | 13.54 |
| **total** | **19.00** |

## Projects

| project | id | compute hours | compute cost | period before | change |
| --- | --- | ---: | ---: | ---: | ---: |
| shop | p-shop | 40.00 | 5.46 | not known |  |

## What could be saved

Nothing was found.
`);
});

test('the period before is compared with where it is known, an open one until the same time', async () => {
  const week = '2026-10-19T00:00:00Z..2026-10-26T00:00:00Z';
  const { stdout } = await small.report(`showback --group team/web --period ${week}`);
  expect(stdout).toContain('- **The period before: 0.00** 0.00 compute hours; this period from 0\n');
  expect(stdout).toContain('| shop | p-shop | 30.00 | 4.50 | 0.00 | from 0 |\n');
  const { stdout: open } = await small.report('showback --group team/web --period this-month');
  expect(open).toContain('- **This period so far: 0.00** 0.00 compute hours\n');
  expect(open).toContain(
    '- **The period before: 19.00** 40.00 compute hours; compute until the same time €0.00\n',
  );
  expect(open).toContain('- "Same time before" is until 2026-10-02 00:00, ');
  const { stdout: part } = await small.report('showback --group team/web --period 2026-10-04..2026-10-11');
  expect(part).toMatch(/\*\*The period before: [\d.]+\*\* [\d.]+ compute hours; known in part\n/);
  expect(part).toContain(
    '- The period before is known from 2026-10-01 00:00 on: its figures are of that part, and this period is not compared with it.\n',
  );
  const { stdout: unknown } = await small.report('showback --group team/web --period 2026-09-30');
  expect(unknown).toContain('- **The period before: not known**\n');
});

test('the forecast of a group has its band where it may come out otherwise', async () => {
  const asked = 'showback --group team/web --period this-month';
  const early = await small.report(asked, { now: Date.parse('2026-10-12T06:00:10Z') });
  expect(early.stdout).toMatch(
    /\*\*Forecast for the whole period: \d+\.\d\d\*\* four times in five from €\d+\.\d\d to €\d/,
  );
  const { stdout } = await small.report(asked);
  expect(stdout).toContain('- **Forecast for the whole period: 0.00**\n');
});

test('without a group there is a page for each that has projects, and what is missing in one of them is said', async () => {
  const { exitCode, stdout, stderr } = await small.report('showback --period 2026-10');
  expect(stdout.split('\n').filter(line => line.startsWith('# '))).toEqual([
    '# team/web',
    '# team/data',
    '# team/ungrouped',
  ]);
  expect(exitCode).toBe(3);
  expect(stderr).toContain('partial: 2.00 compute hours are unpriced: ');
  expect(stdout).toContain('## What is missing\n\n- 2.00 compute hours are unpriced: ');
  expect((await small.report('showback --group team/data --period 2026-10')).exitCode).toBe(0);
});

test('projects of a group that used nothing are counted, as they have no row', async () => {
  const { stdout } = await small.report('showback --group team/data --period 2026-10-26..2026-11-01');
  expect(stdout).not.toContain('p-dw');
  expect(stdout).toContain('- 1 project of the group used nothing and has no row.\n');
  const { stdout: used } = await small.report('showback --group team/data --period 2026-10');
  expect(used).not.toContain('has no row');
});

test('HTML is one file without scripts or links, in which no name becomes markup', async () => {
  const config = small.write(
    'hostile.yaml',
    `pricing:
  currency: EUR
  plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: 0.1}]}]
groups: {'<b>team': {'<script>"&': {projects: ["p-dw"]}}}
`,
  );
  const { stdout } = await small.report(`showback --period 2026-10 --format html --config.file ${config}`);
  expect(stdout).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(stdout).toContain('<h1>&lt;b&gt;team/&lt;script&gt;&quot;&amp;</h1>');
  expect(stdout).toContain('=dw | &quot;x&quot; second line');
  expect(stdout).not.toMatch(/<script|https?:|url\(|<link|<img/);
  const opened = [...stdout.matchAll(/<(\w+)/g)].map(([, name]) => name);
  const closed = [...stdout.matchAll(/<\/(\w+)>/g)].map(([, name]) => name);
  const whole = opened.filter(name => name !== 'meta').toSorted();
  expect(whole).toEqual(closed.toSorted());
  expect(stdout.match(/<main>/g)).toHaveLength(2);
});

test('a group that is not there is refused with those that are, as are options that do not go with a page', async () => {
  const refusal = async (line: string) => {
    const { exitCode, stderr } = await small.report(line);
    return `${exitCode} ${stderr.split('\n')[0]}`;
  };
  expect(await refusal('showback --group team/none')).toContain(
    '--group: there is no group "team/none": there are team/web, team/data, team/ungrouped',
  );
  expect(await refusal('cost --step hour')).toContain('--step: found "hour", write one of day, week, month');
  expect(await refusal('prices')).toContain(
    'found "prices", write one of usage, cost, months, budgets, forecast, keys, operations, findings, why, showback',
  );
  expect(await refusal('cost --format html')).toMatch(/^2 .*--format html is for report showback/);
  expect(await refusal('cost --group team/web')).toMatch(/^2 .*--group is for report showback/);
  expect(await refusal('showback --by project')).toMatch(/^2 .*a showback is by group/);
  const bare = small.write('bare.yaml', 'groups: {team: {web: {projects: [shop]}}}\n');
  expect(await refusal(`showback --config.file ${bare}`)).toMatch(/^2 .*costs need prices/);
});
