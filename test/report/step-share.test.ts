import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCsv } from '../support/csv-reader.ts';
import { SmallHistory } from './small-history.ts';

let small: SmallHistory;
beforeAll(() => {
  small = new SmallHistory();
});
afterAll(() => small[Symbol.dispose]());

const cents = (text = '') => Math.round(Number(text) * 100);

test('costs by week have a row for each project that used something in it, and a charge where its period begins', async () => {
  const { stdout } = await small.report('cost --period 2026-10 --by group --step week');
  expect(stdout).toContain(`Cost by group (team), 2026-10: 2026-10-01 00:00 to 2026-11-01 00:00 (UTC), in EUR

step        group                         cost  used hours  included hours  billed hours  unpriced hours
----------  ------------------------  --------  ----------  --------------  ------------  --------------
2026-10-01  (minimum charge 2026-10)     13.54        0.00            0.00          0.00            0.00
2026-10-05  web                           0.96       10.00            4.00          6.00            0.00
2026-10-12  data                          0.51        5.50            0.00          5.50            0.00
2026-10-12  ungrouped                 unpriced        2.00            0.00          0.00            2.00
2026-10-19  web                           4.50       30.00            0.00         30.00            0.00
----------  ------------------------  --------  ----------  --------------  ------------  --------------
total                                    19.51       47.50            4.00         41.50            2.00
`);
});

test('steps add up to the whole, for every row and unit, in each zone', async () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'America/Los_Angeles']) {
    const config = small.writeForZone(zone);
    const read = async (line: string) => {
      const report = await small.report(`${line} --format csv --config.file ${config}`);
      return readCsv(report.stdout).rows;
    };
    for (const by of ['project', 'group', 'account', 'endpoint']) {
      const whole = await read(`cost --period 2026-10 --by ${by}`);
      const total = whole.reduce((sum, row) => sum + cents(row.cost), 0);
      for (const step of ['day', 'week', 'month']) {
        const parts = await read(`cost --period 2026-10 --by ${by} --step ${step}`);
        expect(
          parts.reduce((sum, row) => sum + cents(row.cost), 0),
          `${zone} ${by} ${step}`,
        ).toBe(total);
        const hours = (rows: typeof parts) => rows.reduce((sum, row) => sum + cents(row.used_hours), 0);
        expect(hours(parts)).toBe(hours(whole));
      }
    }
  }
});

test('use by day says which day in words and instants, and leaves out days without any', async () => {
  const { stdout } = await small.report('usage --period 2026-10 --step day --format json');
  const { rows, notes, totals } = JSON.parse(stdout);
  expect(rows.map((row: Record<string, string>) => [row.step, row.project_id, row.compute_hours])).toEqual([
    ['2026-10-05', 'p-shop', '10.00'],
    ['2026-10-12', 'p-dw', '5.50'],
    ['2026-10-15', 'p-stray', '2.00'],
    ['2026-10-20', 'p-shop', '30.00'],
  ]);
  expect(rows[0]).toMatchObject({ step_from: '2026-10-05T00:00:00Z', step_until: '2026-10-06T00:00:00Z' });
  // The total is of no day.
  expect(totals).toMatchObject({ step: 'total', step_from: null, step_until: null });
  expect(notes).toContain('Rows in which nothing was used are left out.');
});

test('shared out, a minimum is in the rows of the projects of its plan, and the total stays', async () => {
  const { stdout } = await small.report('cost --period 2026-10 --share');
  expect(stdout).toContain('main     p-shop   shop                      19.00 ');
  expect(stdout).not.toContain('minimum charge 2026-10)');
  const { stdout: apart } = await small.report('cost --period 2026-10');
  const totalOf = (table: string) => /^total.*$/m.exec(table)?.[0].replace(/ +/g, ' ');
  expect(totalOf(stdout)).toBe(totalOf(apart));
  expect(stdout).toContain('- Charges of accounts are shared out to projects, ');
  const { stdout: byGroup } = await small.report('cost --period 2026-10 --by group --share');
  expect(byGroup).toMatch(/^web +19\.00 /m);
});

test('options that do not go together are refused with what to leave out', async () => {
  const refusal = async (line: string) => {
    const { exitCode, stderr } = await small.report(line);
    return [exitCode, stderr.split('\n')[0]];
  };
  expect(await refusal('usage --share')).toEqual([2, expect.stringContaining('--share is for report cost')]);
  expect(await refusal('cost --share --by endpoint')).toEqual([
    2,
    expect.stringContaining('--share gives charges to projects: write --by project'),
  ]);
  expect(await refusal('keys --step day')).toEqual([
    2,
    expect.stringContaining('--step is for report usage'),
  ]);
  expect(await refusal('cost --focus-version 1.2')).toEqual([
    2,
    expect.stringContaining('--focus-version is for --format focus'),
  ]);
  expect(await refusal('keys --top 3')).toEqual([
    2,
    expect.stringContaining('--top is for report usage, cost and why'),
  ]);
  expect(await refusal('cost --by line --top 3')).toEqual([2, expect.stringContaining('--top adds up rows')]);
  expect(await refusal('cost --top 0')).toEqual([2, expect.stringContaining('from 1 to 10000')]);
});

test('lines of a bill by step add up to the bill', async () => {
  const read = async (line: string) =>
    readCsv((await small.report(`cost --period 2026-10 --by line --format csv ${line}`)).stdout).rows;
  const costOf = (rows: Awaited<ReturnType<typeof read>>, line: string, plan: string) =>
    rows.filter(row => row.line === line && row.plan === plan).reduce((sum, row) => sum + cents(row.cost), 0);
  const [whole, days] = [await read(''), await read('--step day')];
  expect(days.map(row => [row.step, row.line, row.plan, row.cost])).toEqual([
    ['2026-10-01', 'minimum charge', 'scale', '13.54'],
    ['2026-10-05', 'compute', 'scale', '0.96'],
    ['2026-10-12', 'compute', 'azure', '0.51'],
    ['2026-10-15', 'compute', '', ''],
    ['2026-10-20', 'compute', 'scale', '4.50'],
  ]);
  for (const { line = '', plan = '' } of whole) {
    expect(costOf(days, line, plan), `${line} ${plan}`).toBe(costOf(whole, line, plan));
  }
});

test('the dearest have rows of their own, and one row has all others', async () => {
  const { stdout } = await small.report('cost --period 2026-10 --by project --step week --top 1');
  expect(stdout).toContain(`Cost by project, 2026-10: 2026-10-01 00:00 to 2026-11-01 00:00 (UTC), in EUR

step        account  project                   name   cost  used hours  included hours  billed hours  unpriced hours
----------  -------  ------------------------  ----  -----  ----------  --------------  ------------  --------------
2026-10-01  main     (minimum charge 2026-10)        13.54        0.00            0.00          0.00            0.00
2026-10-05  main     p-shop                    shop   0.96       10.00            4.00          6.00            0.00
2026-10-12           (others)                         0.51        7.50            0.00          5.50            2.00
2026-10-19  main     p-shop                    shop   4.50       30.00            0.00         30.00            0.00
----------  -------  ------------------------  ----  -----  ----------  --------------  ------------  --------------
total                                                19.51       47.50            4.00         41.50            2.00
`);
});
