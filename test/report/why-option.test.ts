import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCsv } from '../support/csv-reader.ts';
import { SmallHistory } from './small-history.ts';

let small: SmallHistory;
beforeAll(() => {
  small = new SmallHistory();
});
afterAll(() => small[Symbol.dispose]());

test('a project with several endpoints has a row for each, with their ids', async () => {
  const { exitCode, stdout } = await small.report('why --period 2026-10-20 --against 2026-10-05');
  expect(exitCode).toBe(0);
  expect(stdout.split('\n').slice(2, 15)).toEqual([
    '€3.54 more in 2026-10-20 than in 2026-10-05: €4.50 instead of €0.96.',
    '€3.20 more from shop: awake for longer (ep-2) €2.40 more, awake for longer (ep-1) €0.80 more.',
    '€0.64 more from the included hours and tiers of scale: 0 included compute hours were used instead of 4.',
    '€0.30 less from all else.',
    '',
    'cause                              difference  hours  awake hours  since             until',
    '---------------------------------  ----------  -----  -----------  ----------------  -----',
    'shop                                     3.20  20.00',
    '· awake for longer (ep-2)                2.40  15.00        15.00',
    '    woken 1 time instead of 0, for 15 hours on average',
    '· awake for longer (ep-1)                0.80   5.00         5.00',
    '    woken 1 time, for 15 hours on average; before, it was awake for 10 hours without being woken',
    'included hours and tiers of scale        0.64',
  ]);
});

test('the largest causes have rows, and all others share one that says how many they are', async () => {
  const read = async (line: string) => {
    const { stdout } = await small.report(`why --period 2026-10-20 --against 2026-10-05 --format csv${line}`);
    return readCsv(stdout).rows.filter(({ level }) => level === '1');
  };
  const [all, few] = [await read(''), await read(' --top 1')];
  const [largest, ...others] = all;
  const [first, rest, none] = few;
  expect(first).toEqual(largest);
  expect(rest?.causes).toBe(String(others.length));
  expect(rest?.cause).toBe(`${others.length} smaller causes`);
  const sum = others.reduce((sum, row) => sum + Math.round(100 * Number(row.difference)), 0);
  expect(Math.round(100 * Number(rest?.difference))).toBe(sum);
  expect(none).toBeUndefined();
});

test('markdown has the sentences as a paragraph above the table', async () => {
  const { stdout } = await small.report('why --period 2026-10-12 --format markdown');
  expect(stdout.split('\n').slice(2, 8)).toEqual([
    '€0.51 more in 2026-10-12 than in 2026-10-11: €0.51 instead of €0.00. €0.51 more from =dw \\| "x" second line, awake 11 hours more: woken 1 time instead of 0, for 11 hours on average.',
    '',
    '| cause | difference | hours | awake hours | since | until | evidence |',
    '| --- | ---: | ---: | ---: | --- | --- | --- |',
    '| =dw \\| "x" second line | 0.51 | 5.50 |  |  |  |  |',
    '| · awake for longer | 0.51 | 5.50 | 11.00 |  |  | woken 1 time instead of 0, for 11 hours on average |',
  ]);
});

test('what has no price is said as hours, and is no money', async () => {
  const { exitCode, stdout, stderr } = await small.report('why --period 2026-10-15 --against 2026-10-14');
  expect(exitCode).toBe(3);
  expect(stderr).toContain(
    'partial: 2.00 compute hours are unpriced in 2026-10-15: no plan or price is for them',
  );
  expect(stdout.split('\n').slice(2, 8)).toEqual([
    '€0.00 in 2026-10-15, as much as in 2026-10-14.',
    '',
    'cause        difference  hours  awake hours  since  until',
    '-----------  ----------  -----  -----------  -----  -----',
    'stray          unpriced   2.00',
    '· used more    unpriced   2.00',
  ]);
});

test('periods that go with nothing else are refused with what to write', async () => {
  const refusals = await Promise.all(
    ['cost --against 2026-10', 'why --by project', 'why --against yesterday', 'why --format focus'].map(
      line => small.report(line),
    ),
  );
  expect(refusals.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2, 2]);
  expect(refusals.map(({ stderr }) => stderr.split(':').slice(0, 3).join(':').trim())).toEqual([
    'dbpm-exporter: --against is for report why: leave it out',
    'dbpm-exporter: report why has a row for each cause: leave --by out',
    'dbpm-exporter: --against: "yesterday" is no period',
    'dbpm-exporter: --format focus is for costs: write report cost, or another format',
  ]);
});

test('without prices it is of compute hours, which are those of the report of use', async () => {
  using free = new SmallHistory({ withPrices: false });
  const { exitCode, stdout } = await free.report('why --period 2026-10-20 --against 2026-10-05');
  expect(exitCode).toBe(0);
  expect(stdout.split('\n').slice(0, 6)).toEqual([
    'Why the use changed against 2026-10-05, 2026-10-20: 2026-10-20 00:00 to 2026-10-21 00:00 (UTC)',
    '',
    '20.00 compute hours more in 2026-10-20 than in 2026-10-05: 30.00 compute hours instead of 10.00.',
    '20.00 compute hours more from shop: awake for longer (ep-2) 15.00 compute hours more, awake for longer (ep-1) 5.00 compute hours more.',
    '',
    'cause                      hours  awake hours  since  until',
  ]);
  const asked = '--period 2026-10-20 --format json';
  const why = JSON.parse((await free.report(`why ${asked} --against 2026-10-05`)).stdout);
  const used = JSON.parse((await free.report(`usage ${asked}`)).stdout);
  const usedBefore = JSON.parse((await free.report('usage --period 2026-10-05 --format json')).stdout);
  expect([why.compute_hours, why.against.compute_hours]).toEqual([
    used.totals.compute_hours,
    usedBefore.totals.compute_hours,
  ]);
  expect(why).not.toHaveProperty('cost');
  expect(new Set(why.rows.map(({ difference }: { difference: unknown }) => difference))).toEqual(
    new Set([null]),
  );
});

test('why of one group is of its projects alone, without charges of accounts', async () => {
  using small = new SmallHistory();
  const week = '--period 2026-10-19..2026-10-26 --against 2026-10-05..2026-10-12 --format json';
  const whole = JSON.parse((await small.report(`why ${week}`)).stdout);
  const web = JSON.parse((await small.report(`why --group team/web ${week}`)).stdout);
  const projects = (rows: readonly { project_id: string | null }[]) =>
    new Set(rows.flatMap(({ project_id }) => project_id ?? []));
  expect([...projects(web.rows)]).toEqual(['p-shop']);
  const cost = JSON.parse(
    (await small.report(`cost --by group --format json --period 2026-10-19..2026-10-26`)).stdout,
  );
  expect(web.cost).toBe(cost.rows.find(({ group }: { group: string }) => group === 'web').cost);
  expect(web.cost).not.toBe(whole.totals.difference);
  expect(web.notes).toContain(
    'Base fees, minimums and other charges are of accounts, and in no difference of one group.',
  );
});
