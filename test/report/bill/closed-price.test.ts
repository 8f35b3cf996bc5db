import { afterAll, beforeAll, expect, test } from 'vitest';
import { ClosedHistory } from './closed-history.ts';

let world: ClosedHistory;
beforeAll(async () => {
  world = new ClosedHistory();
  await world.run('close --period billing:2026-10');
});
afterAll(() => world[Symbol.dispose]());

const book = (plans: string, rest = '') => `pricing:\n  currency: USD\n${rest}  plans:\n${plans}`;
const plan = (prices: string, rest = '      minimum: 15\n') =>
  `    - name: scale\n      prices: [${prices}]\n${rest}`;
const old = '{from: 2026-01-01, per_compute_hour: 0.16}';
const advice =
  'write what held then, and what is new with from: 2026-11-01 or later, or as an adjustment of such a day';
const of = 'which would re-price the billing period 2026-10 of account main, closed on 2026-11-03';

test.for([
  [
    'another price',
    book(plan('{from: 2026-01-01, per_compute_hour: 0.17}')),
    'per_compute_hour of 0.17 where 0.16 held',
  ],
  [
    'an earlier change of it',
    book(plan(`${old}, {from: 2026-10-31, per_compute_hour: 0.17}`)),
    'to of 2026-10-31 where there was none',
  ],
  [
    'a price that ends',
    book(plan('{from: 2026-01-01, to: 2026-10-20, per_compute_hour: 0.16}')),
    'to of 2026-10-20 where there was none',
  ],
  ['another minimum', book(plan(old, '      minimum: 19\n')), 'minimum of 19 where 15 held'],
  ['no minimum', book(plan(old, '')), 'no minimum where 15 held'],
  [
    'included hours',
    book(plan(old, '      minimum: 15\n      included: {compute_hours: 4, per: account}\n')),
    'compute_hours of 4 where there was none',
  ],
] as const)('%s is refused, with the plan and the period', async ([, text, clause], { expect }) => {
  world.price(text);
  const stderr = `DIR/dbpm.yaml:4: pricing.plans[0]: found ${clause}, in plan "scale", ${of}, ${advice}\n`;
  for (const line of ['check-config', 'report cost', 'serve', 'close']) {
    expect({ line, ...(await world.run(line)) }).toEqual({ line, exitCode: 2, stdout: '', stderr });
  }
});

test.for([
  [
    'a plan that is gone',
    book('    - {name: other, prices: []}\n'.replace('[]', `[${old}]`)),
    'no plan "scale"',
  ],
  ['a plan before it', book(`    - {name: first, prices: [${old}]}\n${plan(old)}`), 'a new plan "first"'],
  [
    'a line of the period',
    `${book(plan(old))}  lines: [{name: storage, from: 2026-10-31, amount: 5}]\n`,
    'a new line "storage"',
  ],
  [
    'an adjustment of a day in the period',
    `${book(plan(old))}  adjustments: [{name: refund, kind: adjustment, on: 2026-10-31, amount: -5}]\n`,
    'a new adjustment "refund"',
  ],
  [
    'a counted thing',
    book(
      plan(
        old,
        '      minimum: 15\n      counted: [{name: forks, of: branches, included: 10, price: 1.5, count: peak}]\n',
      ),
    ),
    'name of "forks" where there was none, in plan "scale"',
  ],
] as const)('%s is refused', async ([, text, clause], { expect }) => {
  world.price(text);
  const { exitCode, stderr } = await world.run('check-config');
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`found ${clause}, ${of}, ${advice}\n`);
});

test.for([
  ['a later price', book(plan(`${old}, {from: 2026-11-01, per_compute_hour: 0.17}`))],
  [
    'a price that ends with the period',
    book(plan('{from: 2026-01-01, to: 2026-11-01, per_compute_hour: 0.16}')),
  ],
  ['an earlier price', book(plan(`{from: 2025-01-01, per_compute_hour: 0.2}, ${old}`))],
  [
    'a number written in another way',
    book(plan('{from: 2026-01-01, per_compute_hour: "0.160", discount_percent: 0}')),
  ],
  [
    'a minimum with the date it always had, and another later',
    book(plan(old, '      minimum: [{from: 2026-01-01, amount: 15}, {from: 2026-11-01, amount: 20}]\n')),
  ],
  [
    'included hours and a base fee from a later day',
    book(
      plan(
        old,
        '      minimum: 15\n      included: [{from: 2026-11-01, compute_hours: 5, per: account}]\n      base_fee: [{from: 2026-11-01, amount: 5}]\n',
      ),
    ),
  ],
  [
    'a later plan before it',
    book(
      `    - {name: first, from: 2026-11-01, prices: [{from: 2026-01-01, per_compute_hour: 0.2}]}\n${plan(old)}`,
    ),
  ],
  ['a later line', `${book(plan(old))}  lines: [{name: storage, from: 2026-11-01, amount: 5}]\n`],
  [
    'a later adjustment, and a tax that ended',
    `${book(plan(old))}  adjustments:
    - {name: refund, kind: adjustment, on: 2026-11-01, amount: -5}
    - {name: VAT, kind: tax, from: 2026-01-01, to: 2026-10-01, percent: 19}\n`,
  ],
  [
    'a gap that is accepted',
    book(plan(old), '  accepted_gaps: [{projects: ["sandbox*"], why: sandboxes cost nothing}]\n'),
  ],
  ['an advised delay', book(plan(old, '      minimum: 15\n      smallest_suspend_delay: 1m\n'))],
  [
    'a rate of a currency without a plan',
    book(plan(old), '  exchange_rates: [{currency: EUR, from: 2026-01-01, rate: 1.1}]\n'),
  ],
  [
    'a plan of another account',
    book(`    - {name: first, match: {accounts: [other]}, prices: [${old}]}\n${plan(old)}`),
  ],
] as const)('%s re-prices nothing', async ([, text], { expect }) => {
  world.price(text);
  expect(await world.run('check-config')).toMatchObject({ exitCode: 0 });
});

test('another beginning of billing periods is named as the file has it, at its own line', async () => {
  using other = new ClosedHistory();
  const periods = (from: string) =>
    `pricing:\n  currency: USD\n  plans:\n${plan(old)}  billing_period: {hours: 744, from: ${from}}\n`;
  other.price(periods('2026-10-01'));
  await other.run('close --period billing:2026-10');
  other.price(periods('2026-10-02'));
  const { exitCode, stderr } = await other.run('check-config');
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(
    /^DIR\/dbpm\.yaml:7: pricing\.billing_period\.from: found billing_period\.from of 2026-10-02 where 2026-10-01 held, .+, write what held then: closed periods stay as they are\n$/,
  );
  other.price(`pricing:\n  currency: USD\n  plans:\n${plan(old)}`);
  expect((await other.run('check-config')).stderr).toMatch(
    /^DIR\/dbpm\.yaml:2: pricing: found no billing_period\.from where 2026-10-01 held, .+, write what held then: closed periods stay as they are\n$/,
  );
});

test('decimals of a currency re-price the bills that have it', async () => {
  using rounded = new ClosedHistory();
  const withDecimals = (rest: string) => book(plan(old), `  rounding: {decimals: 2${rest}}\n`);
  rounded.price(withDecimals(''));
  await rounded.run('close --period billing:2026-10');
  rounded.price(withDecimals(', currencies: [{currency: JPY, decimals: 0}]'));
  expect(await rounded.run('check-config')).toMatchObject({ exitCode: 0 });
  rounded.price(withDecimals(', currencies: [{currency: USD, decimals: 0}]'));
  const { exitCode, stderr } = await rounded.run('check-config');
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`decimals in USD of 0 where there was none, ${of}`);
});

test('a wrong price is mended in a period that is opened again', async () => {
  world.price(book(plan('{from: 2026-01-01, per_compute_hour: 0.2}')));
  expect(await world.run('close --period billing:2026-10 --reopen')).toMatchObject({ exitCode: 0 });
  expect((await world.run('close --period billing:2026-10')).stdout).toContain('is closed: 18.00 USD');
});
