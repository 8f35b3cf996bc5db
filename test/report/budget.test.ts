import { expect, test } from 'vitest';
import { readCsv } from '../support/csv-reader.ts';
import { SmallHistory } from './small-history.ts';

const config = `
pricing:
  currency: EUR
  plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: 0.5}]}]
groups: {team: {web: {projects: [shop]}, data: {projects: [p-dw]}}}
budgets:
  - {name: everything, account: main, amount: 20, per: month}
  - {name: web, group: team/web, amount: 10, per: week}
  - {name: hours, projects: ["*"], compute_hours: 50, per: billing}
`;

test('budgets are told of their periods that began in the period that is asked for', async () => {
  using small = new SmallHistory();
  small.write('dbpm.yaml', config);
  const { stdout, exitCode } = await small.report('budgets --period 2026-10');
  expect([exitCode, stdout]).toEqual([
    0,
    `Budgets, 2026-10: 2026-10-01 00:00 to 2026-11-01 00:00 (UTC)

budget      scope           per      from        to          unit           limit  spent   left  expected  low (4 in 5)  high (4 in 5)  used up           state
----------  --------------  -------  ----------  ----------  -------------  -----  -----  -----  --------  ------------  -------------  ----------------  ------
everything  account main    month    2026-10-01  2026-10-31  EUR            20.00  23.75  -3.75                                         2026-10-20 11:15  over
web         group team/web  week     2026-10-05  2026-10-11  EUR            10.00   5.00   5.00                                                           within
web         group team/web  week     2026-10-12  2026-10-18  EUR            10.00   0.00  10.00                                                           within
web         group team/web  week     2026-10-19  2026-10-25  EUR            10.00  15.00  -5.00                                         2026-10-20 10:00  over
web         group team/web  week     2026-10-26  2026-11-01  EUR            10.00   0.00  10.00                                                           within
hours       projects *      billing  2026-10-01  2026-10-31  compute hours  50.00  47.50   2.50                                                           within
`,
  ]);
});

test('without a period they are told as they stand, with a forecast', async () => {
  using small = new SmallHistory();
  small.write('dbpm.yaml', config);
  const { rows } = readCsv((await small.report('budgets --format csv')).stdout);
  expect(rows.map(({ budget, from, spent, state }) => [budget, from, spent, state])).toEqual([
    ['everything', '2026-11-01T00:00:00Z', '0.00', 'within'],
    ['web', '2026-11-02T00:00:00Z', '0.00', 'within'],
    ['hours', '2026-11-01T00:00:00Z', '0.00', 'within'],
  ]);
  expect(rows[2]).toMatchObject({ unit: 'compute_hours', expected: '3.33', low80: '0.08', high80: '145.42' });
});

test('weeks of a budget begin in the configured zone in a billing period, too, which is one of UTC', async () => {
  using small = new SmallHistory();
  small.write('dbpm.yaml', `usage: {timezone: Asia/Tokyo}${config}`);
  const { rows } = readCsv((await small.report('budgets --period billing:2026-10 --format csv')).stdout);
  expect(rows.flatMap(({ budget, from }) => (budget === 'web' ? [from] : []))).toEqual([
    '2026-10-04T15:00:00Z',
    '2026-10-11T15:00:00Z',
    '2026-10-18T15:00:00Z',
    '2026-10-25T15:00:00Z',
  ]);
});

test('a budget has rows of its own alone', async () => {
  using small = new SmallHistory();
  expect(await small.report('budgets --by project')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('report budgets has a row for each budget: leave --by'),
  });
  expect((await small.report('budgets')).stdout).toContain('There are no budgets in the configuration');
});

test.each(['Europe/Berlin', 'UTC', 'America/New_York'])(
  'a month of %s that is over has the minimum of its billing period, which ends in UTC',
  async zone => {
    using small = new SmallHistory();
    const plan = '{name: all, minimum: 100, prices: [{from: 2026-01-01, per_compute_hour: 0.5}]}';
    small.write(
      'dbpm.yaml',
      `usage: {timezone: ${zone}}
pricing: {currency: EUR, plans: [${plan}]}
budgets: [{name: all, account: main, amount: 90, per: month}]
`,
    );
    const { rows } = readCsv((await small.report('budgets --period 2026-10 --format csv')).stdout);
    expect(rows.map(({ spent, state }) => [spent, state])).toEqual([['100.00', 'over']]);
  },
);

test('a budget that a base fee uses up before anything is used is used up as its period begins', async () => {
  using small = new SmallHistory();
  const plan = '{name: all, base_fee: 69, prices: [{from: 2026-01-01, per_compute_hour: 0.5}]}';
  small.write(
    'dbpm.yaml',
    `usage: {timezone: America/New_York}
pricing: {currency: EUR, plans: [${plan}]}
budgets: [{name: all, account: main, amount: 66, per: month}]
`,
  );
  for (const period of ['', ' --period 2026-10']) {
    const { stdout, exitCode } = await small.report(`budgets${period} --format csv`);
    const [row] = readCsv(stdout).rows;
    expect([period, exitCode, row?.used_up_at, row?.state]).toEqual([period, 0, row?.from, 'over']);
  }
});

test('use that has no price is told of each budget that it would count against', async () => {
  using small = new SmallHistory();
  small.write(
    'dbpm.yaml',
    `pricing:
  currency: EUR
  plans: [{name: some, match: {projects: [shop]}, prices: [{from: 2026-01-01, per_compute_hour: 0.5}]}]
groups: {team: {web: {projects: [shop]}, data: {projects: [p-dw]}}}
budgets:
  - {name: everything, account: main, amount: 20, per: month}
  - {name: web, group: team/web, amount: 10, per: week}
  - {name: hours, projects: ["*"], compute_hours: 50, per: billing}
`,
  );
  const { stdout } = await small.report('budgets --period 2026-10 --format json');
  expect(JSON.parse(stdout).notes).toEqual([
    'Budget everything: 7.50 compute hours are unpriced: no plan or price is for them, and the cost is without them.',
  ]);
});

test('charges without an exchange rate are told of each budget that they would count against', async () => {
  using small = new SmallHistory();
  small.write(
    'dbpm.yaml',
    `pricing:
  currency: EUR
  plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: 0.5}]}]
  lines: [{name: support, currency: USD, from: 2026-01-01, amount: 5}]
  exchange_rates: [{currency: USD, from: 2027-01-01, rate: 0.9}]
groups: {team: {web: {projects: [shop]}}}
budgets:
  - {name: everything, account: main, amount: 20, per: month}
  - {name: web, group: team/web, amount: 10, per: month}
`,
  );
  const { stdout } = await small.report('budgets --period 2026-10 --format json');
  expect(JSON.parse(stdout).notes).toEqual([
    'Budget everything: 5.00 USD could not be converted: there is no exchange rate for it, and the cost is without it.',
  ]);
});
