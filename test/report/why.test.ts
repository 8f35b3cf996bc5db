import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject } from '../../src/simulator/model/account.ts';
import { drawProject } from '../../src/simulator/model/blueprint.ts';
import { countUsage } from '../../src/simulator/model/endpoint.ts';
import { settle } from '../../src/simulator/model/endpoint-life.ts';
import type { EndpointSettings } from '../../src/simulator/model/project.ts';
import { readCsv } from '../support/csv-reader.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { runReport } from '../support/report-run.ts';

const config = `
pricing:
  currency: EUR
  plans:
    - name: scale
      prices: [{from: 2026-01-01, per_compute_hour: 0.16}, {from: 2026-11-20, per_compute_hour: 0.18}]
      included: {compute_hours: 20, per: account}
      minimum: 19
`;

const second = (text: string) => Date.parse(`2026-${text}:00Z`) / 1000;
const hourly = { listEverySeconds: 6 * 3600, projectsEvery: 1 };

let life: LivedHistory;

/** October as it was imported, and November as it was watched: with a setting, a size and a project that are new. */
beforeAll(() => {
  life = new LivedHistory({
    now: second('11-01T00:00'),
    seed: 21,
    projects: 0,
    historyDays: 33,
    showcase: true,
  });
  const until = (text: string) => life.watch(second(text) - life.account.timeline.now, hourly);
  until('11-05T13:00');
  change('cautious-floor', { minCu: 6 });
  until('11-12T09:10');
  change('stock-sync', { suspendTimeoutSeconds: -1 });
  until('11-15T06:00');
  createProject(
    life.account,
    drawProject(21, 'later', 1, 'paid', { name: 'new-shop', profile: 'bursty', branches: 1 }),
  );
  until('12-02T00:00');
}, 120_000);

afterAll(() => life?.[Symbol.dispose]());

function change(name: string, settings: Partial<EndpointSettings>): void {
  const project = [...life.account.projects.values()].find(each => each.name === name);
  for (const endpoint of project?.endpoints ?? []) {
    countUsage(endpoint);
    endpoint.settings = { ...endpoint.settings, ...settings };
    settle(endpoint);
  }
}

const report = (line: string) => runReport(line, { file: life.folder.file, now: life.now, config });

test('sentences say how much more it is and from what, since when and by what it is seen, and rows follow', async () => {
  const { exitCode, stdout, stderr } = await report('why --period billing:2026-11');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const lines = stdout.split('\n').slice(2);
  expect(lines.slice(0, 19)).toEqual([
    '€143.96 more in the billing period from 2026-11 than in the billing period from 2026-10: €641.00 instead of €497.04.',
    '€63.22 more from stock-sync, awake 395 hours more: woken 1640 times instead of 4464, for 18 minutes instead of 69 seconds on average.',
    '€33.17 more from cautious-floor: larger €30.56 more, all else €2.61 more.',
    '€30.92 more from the price of scale since 2026-11-20 00:00: €0.18 a compute hour instead of €0.16.',
    '€16.14 less from the length of the period.',
    '€32.79 more from all else.',
    '',
    'cause                           difference    hours  awake hours  since             until',
    '------------------------------  ----------  -------  -----------  ----------------  -----',
    'stock-sync                           63.22   395.10',
    '· awake for longer                   63.22   395.10       395.11',
    '    woken 1640 times instead of 4464, for 18 minutes instead of 69 seconds on average',
    '· · woken less often a day           -8.28   -51.73       -51.73',
    '· · awake for longer each time       71.50   446.83       446.84',
    'cautious-floor                       33.17   207.35',
    '· larger                             30.56   190.99               2026-11-05 13:07',
    '    its size became 6 to 7 CU instead of 4 to 7 CU, and was 5.65 CU instead of 4 CU on average while awake',
    '· awake for longer                    2.61    16.36         4.09',
    '    woken 390 times instead of 437, for 18 minutes instead of 16 minutes on average',
  ]);
  expect(lines.filter(line => line.startsWith('new-shop'))).toEqual([
    expect.stringMatching(/^new-shop \(new\) +[\d.]+ +[\d.]+ +2026-11-15 06:00$/),
  ]);
});

test('rows of each level add up to the last decimal, and come to the difference of the two cost reports', async () => {
  const { rows } = readCsv((await report('why --format csv')).stdout);
  const cents = (text = '') => Math.round(Number(text) * 100);
  const sum = (level: number, from = 0, until = rows.length) =>
    rows
      .slice(from, until)
      .reduce((total, row) => total + (row.level === String(level) ? cents(row.difference) : 0), 0);
  for (const [index, row] of rows.entries()) {
    const level = Number(row.level);
    const end = rows.findIndex((other, at) => at > index && Number(other.level) <= level);
    const [from, until] = [index + 1, end < 0 ? rows.length : end];
    if (from < until) expect(sum(level + 1, from, until), row.cause).toBe(cents(row.difference));
  }
  const [november, october] = await Promise.all(
    ['billing:2026-11', 'billing:2026-10'].map(async period => {
      const { stdout } = await report(`cost --period ${period} --format json`);
      return cents(JSON.parse(stdout).totals.cost);
    }),
  );
  expect(sum(1)).toBe((november ?? 0) - (october ?? 0));
  const { against, cost } = JSON.parse((await report('why --format json')).stdout);
  expect({ cost: cents(cost), before: cents(against.cost) }).toEqual({ cost: november, before: october });
  expect(against).toMatchObject({ label: 'billing:2026-10', from: '2026-10-01T00:00:00Z' });
});

test('a period that is not over is compared with as much of the one before', async () => {
  const { exitCode, stdout } = await report('why --period billing --format json');
  const { period, against, summary } = JSON.parse(stdout);
  expect({ exitCode, period, against }).toEqual({
    exitCode: 0,
    period: {
      label: 'billing',
      from: '2026-12-01T00:00:00Z',
      until: '2026-12-02T00:00:00Z',
      timezone: 'UTC',
    },
    against: {
      ...{ label: 'billing:2026-11', from: '2026-11-01T00:00:00Z', until: '2026-11-02T00:00:00Z' },
      ...{ timezone: 'UTC', cost: expect.any(String), comparable: true },
    },
  });
  expect(summary.at(1)).toBe('Each is compared over 1 day from its beginning, as one of them is not over.');
});

test('days that end now are as long as those before them, so none is said to be not over', async () => {
  const { summary } = JSON.parse((await report('why --period last-30d --format json')).stdout);
  expect(summary.join('\n')).not.toContain('as one of them is not over');
});

test('a period before of which little is known is compared with nothing, and no sentence leads with it', async () => {
  const { stdout } = await report('why --period billing:2026-10');
  expect(stdout.split('\n').slice(2, 4)).toEqual([
    '€497.04 in the billing period from 2026-10. Too little is known to compare it with the billing period from 2026-09.',
    '',
  ]);
  const read = JSON.parse((await report('why --period billing:2026-10 --format json')).stdout);
  expect(read.against).toMatchObject({ label: 'billing:2026-09', comparable: false, cost: '0.00' });
  expect(read.totals.difference).toBe(read.cost);
});

test('a period of which nothing is known did not cost less than one that is known', async () => {
  const { stdout } = await report('why --period 2026-08 --against billing:2026-11 --format json');
  const { against, summary } = JSON.parse(stdout);
  expect(against).toMatchObject({ label: 'billing:2026-11', comparable: false });
  expect(summary).toEqual([
    '€0.00 in 2026-08. Too little is known to compare it with the billing period from 2026-11.',
  ]);
});

test('lengths of the periods come last, in sentences and in rows', async () => {
  const { stdout } = await report('why --period 2026-11-01..2026-11-03 --against 2026-10-01..2026-10-15');
  expect(stdout.split('\n').slice(2, 17)).toEqual([
    '€194.36 less in 2026-11-01 to 2026-11-02 than in 2026-10-01 to 2026-10-14: €28.77 instead of €223.13.',
    '€0.82 less from cautious-floor, awake 1.3 hours less: woken 18 times instead of 199, for 21 minutes instead of 16 minutes on average.',
    '€0.39 more from support-desk, awake 1.2 hours more: woken 7 times instead of 40, for 41 minutes instead of 37 minutes on average.',
    '€194.00 less from the length of the period.',
    '€0.07 more from all else.',
    '',
    'cause                 difference      hours  awake hours  since  until',
    '--------------------  ----------  ---------  -----------  -----  -----',
    'cautious-floor             -0.82      -5.17',
    'support-desk                0.39       2.45',
    'hourly-glance               0.08       0.49',
    'abandoned-preview          -0.01      -0.05',
    'stock-sync                  0.00       0.01',
    'length of the period     -194.00  -1,212.51',
    '--------------------  ----------  ---------  -----------  -----  -----',
  ]);
});
