import { expect, test } from 'vitest';
import { readCsv } from '../support/csv-reader.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { SmallHistory } from './small-history.ts';

const at = (day: string) => Date.parse(day) / 1000;

test('all teams are in one table, month by month', async () => {
  using small = new SmallHistory();
  const { stdout } = await small.report('months --period 2026-09..2026-11');
  expect(
    stdout,
  ).toBe(`Cost by group (team) and month, 2026-09..2026-11: 2026-09-01 00:00 to 2026-11-02 00:00 (UTC), in EUR

group               2026-09   2026-10  2026-11  total  change
----------------  ---------  --------  -------  -----  ------
web               not known      5.46     0.00   5.46   -5.46
data              not known      0.51     0.00   0.51   -0.51
ungrouped         not known  unpriced     0.00   0.00
(minimum charge)  not known     13.54     0.00  13.54  -13.54
----------------  ---------  --------  -------  -----  ------
total                           19.51     0.00  19.51

- What all projects of account main used is known only from 2026-10-01 00:00 on.
- 2.00 compute hours are unpriced: no plan or price is for them, and the cost is without them.
- Account main is known until 2026-11-02 00:00.
- A change is against the month before, as far as that is known as a whole.
- 2026-11 is not over: its change is against the whole month before.
`);
});

test.each(['group', 'project', 'account --share'])(
  'each month of each %s costs what it does in a report of the month alone, to the cent',
  async by => {
    using small = new SmallHistory();
    using life = new LivedHistory({ now: at('2026-11-02'), seed: 7, projects: 9, historyDays: 90 });
    life.watch(3600, { listEverySeconds: 900, projectsEvery: 2 });
    const { file } = life.folder;
    small.write(
      'dbpm.yaml',
      'pricing: {currency: EUR, plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: 0.1237}]}]}\ngroups: {team: {a: {projects: ["*a*"]}, b: {projects: ["*"]}}}\n',
    );
    const ask = async (line: string) =>
      readCsv((await small.report(`${line} --by ${by} --format csv`, { now: life.now, file })).stdout).rows;
    const figure = (month: string) => (row: Readonly<Record<string, string>>) =>
      [month, row.account, row.group, row.project_id, row.cost, row.used_hours].join(' ');
    const rows = await ask('months --period 2026-09..2026-10');
    for (const month of ['2026-09', '2026-10']) {
      const alone = await ask(`cost --period ${month}`);
      const own = rows.filter(({ step }) => step === month);
      expect(alone.length).toBeGreaterThan(0);
      expect(own.map(figure(month))).toEqual(expect.arrayContaining(alone.map(figure(month))));
    }
  },
);

test('a row of the file says its month, its change, the period and the currency', async () => {
  using small = new SmallHistory();
  const { rows } = readCsv((await small.report('months --period 2026-10..2026-11 --format csv')).stdout);
  expect(rows[1]).toEqual({
    ...{ group: 'web', group_path: 'team/web', step: '2026-11', cost: '0.00', used_hours: '0.00' },
    ...{ step_from: '2026-11-01T00:00:00Z', step_until: '2026-11-02T00:00:10Z' },
    ...{ change: '-5.46', change_percent: '-100.0', period: '2026-10..2026-11', currency: 'EUR' },
    ...{ period_from: '2026-10-01T00:00:00Z', period_until: '2026-11-02T00:00:10Z' },
  });
});

test('without prices hours are compared', async () => {
  using small = new SmallHistory({ withPrices: false });
  const { stdout } = await small.report('months --period 2026-10..2026-11 --by project');
  expect(stdout).toContain(`
account  project  name                   2026-10  2026-11  total  change
-------  -------  ---------------------  -------  -------  -----  ------
main     p-shop   shop                     40.00     0.00  40.00  -40.00
main     p-dw     =dw | "x" second line     5.50     0.00   5.50   -5.50
main     p-stray  stray                     2.00     0.00   2.00   -2.00
-------  -------  ---------------------  -------  -------  -----  ------
total                                      47.50     0.00  47.50  -47.50
`);
});
