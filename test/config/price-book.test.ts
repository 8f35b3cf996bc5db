import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderProblem } from '../../src/config/problem.ts';
import { runs } from '../support/seed.ts';
import { accountEnv, load, loadInvalid, loadRules, loadValid } from './loading.ts';

const given = (yaml: string) => ({
  flags: { 'config.file': 'dbpm.yaml' },
  env: accountEnv,
  files: { 'dbpm.yaml': yaml },
});

function warnings(yaml: string): string[] {
  return loadValid(given(yaml)).warnings.map(renderProblem);
}

test('a price book is read with every amount as the text it was written as', () => {
  const { config } = loadValid(
    given(`pricing:
  currency: USD
  display_currency: EUR
  billing_period: {anchor_day: 15}
  exchange_rates:
    - {currency: USD, from: 2026-04-01, rate: 0.920}
    - {currency: GBP, from: 2026-01-01, rate: "1.15"}
    - {currency: USD, from: 2026-01-01, rate: 0.9}
  plans:
    - name: scale
      match: {accounts: [main], regions: ["aws-*"], platforms: aws, projects: "shop-*, 7", groups: [team/platform]}
      prices:
        - {from: 2026-07-01, per_compute_hour: "0.150", discount_percent: 10}
        - {from: 2026-01-01, per_compute_hour: 123456789012.345678}
      included: {compute_hours: 300, per: account}
      minimum: 19
    - name: pounds
      currency: GBP
      prices: [{from: 2026-02-28, to: 2028-02-29, per_compute_hour: 0}]
      included: {compute_hours: 0.5, per: project}
groups:
  team:
    platform: {projects: ["shop-*"]}
`),
  );
  // 2026-01-01 is day 20,454 since 1970: 20,454 * 86,400,000 ms.
  expect(config.pricing).toEqual({
    displayCurrency: 'EUR',
    billingPeriod: { kind: 'month', anchorDay: 15 },
    exchangeRates: [
      { currency: 'GBP', fromAt: 1_767_225_600_000, rate: '1.15' },
      { currency: 'USD', fromAt: 1_767_225_600_000, rate: '0.9' },
      { currency: 'USD', fromAt: 1_775_001_600_000, rate: '0.920' },
    ],
    plans: [
      {
        name: 'scale',
        match: {
          accounts: ['main'],
          regions: ['aws-*'],
          platforms: ['aws'],
          projects: ['shop-*', '7'],
          groups: ['team/platform'],
        },
        currency: 'USD',
        prices: [
          {
            fromAt: 1_767_225_600_000,
            untilAt: 1_782_864_000_000,
            perComputeHour: '123456789012.345678',
            discountPercent: '0',
          },
          { fromAt: 1_782_864_000_000, perComputeHour: '0.150', discountPercent: '10' },
        ],
        included: { computeHours: '300', per: 'account' },
        minimum: '19',
      },
      {
        name: 'pounds',
        match: {},
        currency: 'GBP',
        prices: [
          {
            fromAt: 1_772_236_800_000,
            untilAt: 1_835_395_200_000,
            perComputeHour: '0',
            discountPercent: '0',
          },
        ],
        included: { computeHours: '0.5', per: 'project' },
      },
    ],
  });
  expect(Object.isFrozen(config.pricing?.plans[0]?.prices[0])).toBe(true);
});

test('dated plans, tiers, fees, counted things, lines and adjustments are read', () => {
  const { config, warnings: none } = loadValid(
    given(`pricing:
  currency: USD
  rounding: {decimals: 2, currencies: [{currency: JPY, decimals: 0}]}
  plans:
    - name: scale
      from: 2026-01-01
      to: 2026-02-28
      partial_period: whole
      prices: [{from: 2026-01-01, tiers: [{up_to: 10.5, per_compute_hour: 2}, {up_to: 20, per_compute_hour: 1}, {per_compute_hour: 0}]}]
      included: [{from: 2026-02-01, amount: 5, per: account}, {from: 2026-01-01, compute_hours: 3, per: account}]
      base_fee: [{from: 2026-01-01, amount: 19}, {from: 2026-02-01, to: 2026-02-02, amount: 25}]
      minimum: 5
      counted:
        - {name: extra projects, of: projects, included: 10, price: 1.5}
        - {name: endpoints, of: endpoints, price: 0.5, count: peak, from: 2026-01-01, to: 2026-02-01}
  lines:
    - {name: storage, account: main, from: 2026-01-01, quantity: 40, unit: GB-month, price: 0.35, share: hours}
    - {name: support, on: 2026-01-15, amount: 12.50}
  adjustments:
    - {name: startup credit, kind: credit, from: 2026-01-01, to: 2026-02-01, amount: 50}
    - {name: refund, kind: adjustment, account: main, on: 2026-01-01, amount: -7.30}
    - {name: VAT, kind: tax, from: 2026-01-01, percent: 19}
`),
  );
  const at = (date: string) => Date.parse(date);
  expect(none).toEqual([]);
  expect(config.pricing).toEqual({
    displayCurrency: 'USD',
    billingPeriod: { kind: 'month', anchorDay: 1 },
    exchangeRates: [],
    rounding: { decimals: 2, line: 'account', currencies: { JPY: 0 } },
    plans: [
      {
        name: 'scale',
        match: {},
        currency: 'USD',
        fromAt: at('2026-01-01'),
        untilAt: at('2026-02-28'),
        partialPeriod: 'whole',
        prices: [
          {
            fromAt: at('2026-01-01'),
            perComputeHour: '2',
            discountPercent: '0',
            tiers: [
              { beyondHours: '10.5', perComputeHour: '1' },
              { beyondHours: '20', perComputeHour: '0' },
            ],
          },
        ],
        included: [
          { fromAt: at('2026-01-01'), untilAt: at('2026-02-01'), computeHours: '3', per: 'account' },
          { fromAt: at('2026-02-01'), amount: '5', per: 'account' },
        ],
        baseFee: [
          { fromAt: at('2026-01-01'), untilAt: at('2026-02-01'), amount: '19' },
          { fromAt: at('2026-02-01'), untilAt: at('2026-02-02'), amount: '25' },
        ],
        minimum: '5',
        counted: [
          { name: 'extra projects', of: 'projects', included: '10', price: '1.5', count: 'time' },
          {
            ...{ name: 'endpoints', of: 'endpoints', included: '0', price: '0.5', count: 'peak' },
            ...{ fromAt: at('2026-01-01'), untilAt: at('2026-02-01') },
          },
        ],
      },
    ],
    lines: [
      {
        ...{ name: 'storage', account: 'main', currency: 'USD', time: { fromAt: at('2026-01-01') } },
        ...{ quantity: '40', unit: 'GB-month', price: '0.35', sharedBy: 'hours' },
      },
      { name: 'support', currency: 'USD', time: { onAt: at('2026-01-15') }, amount: '12.50' },
    ],
    adjustments: [
      {
        ...{ name: 'startup credit', kind: 'credit', currency: 'USD', amount: '50' },
        time: { fromAt: at('2026-01-01'), untilAt: at('2026-02-01') },
      },
      {
        ...{ name: 'refund', kind: 'adjustment', account: 'main', currency: 'USD', amount: '-7.30' },
        time: { onAt: at('2026-01-01') },
      },
      { name: 'VAT', kind: 'tax', fromAt: at('2026-01-01'), percent: '19' },
    ],
  });
});

test('what is metered is read with its prices, its allowances and the way the meter counts', () => {
  const { config, warnings: none } = loadValid(
    given(`pricing:
  currency: USD
  ledger: reported
  meter: {unit: hour}
  plans:
    - name: launch
      prices: [{from: 2026-01-01, per_compute_hour: 0.106}]
      metered:
        - {metric: root_branch_bytes_month, price: 0.350}
        - metric: public_network_transfer_bytes
          name: egress
          from: 2026-01-01
          included: {quantity: 100, per: account}
          price: [{from: 2026-02-01, tiers: [{up_to: 1000, price: 0.1}, {price: 0.05}], discount_percent: 10}, {from: 2026-01-01, price: 0.2}]
        - {metric: extra_branches_month, price: 1.5, included_at_once: 9, included: [{from: 2026-01-01, quantity: 1, per: project}]}
`),
  );
  const at = (date: string) => Date.parse(date);
  expect(none).toEqual([]);
  expect(config.pricing).toMatchObject({ ledger: 'reported', meter: { unit: 'hour', gigabyte: 'decimal' } });
  expect(config.pricing?.plans[0]?.metered).toEqual([
    {
      name: 'root branch storage',
      metric: 'root_branch_bytes_month',
      prices: [{ price: '0.350', discountPercent: '0' }],
    },
    {
      name: 'egress',
      metric: 'public_network_transfer_bytes',
      fromAt: at('2026-01-01'),
      prices: [
        { fromAt: at('2026-01-01'), untilAt: at('2026-02-01'), price: '0.2', discountPercent: '0' },
        {
          fromAt: at('2026-02-01'),
          price: '0.1',
          discountPercent: '10',
          tiers: [{ beyond: '1000', price: '0.05' }],
        },
      ],
      included: { quantity: '100', per: 'account' },
    },
    {
      name: 'extra branches',
      metric: 'extra_branches_month',
      prices: [{ price: '1.5', discountPercent: '0' }],
      included: [{ fromAt: at('2026-01-01'), quantity: '1', per: 'project' }],
      includedAtOnce: 9,
    },
  ]);
});

test('prices need only be there while their plan holds', () => {
  const dated = (name: string, dates: string, price: string) =>
    `    - name: ${name}\n      ${dates}\n      prices: [${price}]\n`;
  const until = '{from: 2026-01-01, to: 2026-03-01, per_compute_hour: 0.16}';
  const since = '{from: 2026-03-01, per_compute_hour: 0.15}';
  expect(
    warnings(book(dated('old', 'to: 2026-03-01', until), dated('new', 'from: 2026-03-01', since))),
  ).toEqual([]);
  expect(
    warnings(book(dated('old', 'to: 2026-03-02', until), dated('new', 'from: 2026-02-01', since))),
  ).toEqual([
    'dbpm.yaml:6: pricing.plans[0].prices[0]: found the last price, which has ended: usage from 2026-03-01 on is unpriced, write a price from 2026-03-01',
    'dbpm.yaml:9: pricing.plans[1].prices[0]: found the first price of "new": usage from 2026-02-01, when the plan begins, to 2026-03-01 is unpriced, write a price from 2026-02-01 if there was any',
  ]);
});

test.each([
  ['month', { kind: 'month', anchorDay: 1 }],
  ['{anchor_day: 31}', { kind: 'month', anchorDay: 31 }],
  ['{hours: 744, from: 2026-01-01}', { kind: 'hours', hours: 744, anchorAt: 1_767_225_600_000 }],
])('the billing period %s', (text, period) => {
  const { config } = loadValid(given(`pricing:\n  billing_period: ${text}\n`));
  expect(config.pricing).toEqual({
    displayCurrency: 'XXX',
    billingPeriod: period,
    plans: [],
    exchangeRates: [],
  });
});

test('sections that are not there or empty configure nothing', () => {
  const { config, warnings: none } = loadValid(given('pricing:\ngroups:\nbudgets:\n'));
  expect(config.pricing).toBeUndefined();
  expect([config.groupings, config.budgets, none]).toEqual([[], [], []]);
});

const plan = (name: string, prices: string, more = '') =>
  `    - name: ${name}\n      prices: [${prices}]\n${more && `      ${more}\n`}`;
const book = (...plans: string[]) => `pricing:\n  currency: USD\n  plans:\n${plans.join('')}`;
const always = '{from: 2026-01-01, per_compute_hour: 0.16}';

test('a gap between prices is named with its dates, in whatever order they stand', () => {
  const prices = `
        {from: 2026-04-01, per_compute_hour: 0.15},
        {from: 2026-01-01, to: 2026-03-01, per_compute_hour: 0.16}`;
  expect(warnings(book(plan('scale', prices)))).toEqual([
    'dbpm.yaml:6: pricing.plans[0].prices[0]: found nothing before it: usage from 2026-03-01 to 2026-04-01 is unpriced, write a price from 2026-03-01',
  ]);
});

test('prices that have ended by now are warned of, those that will end are not', () => {
  const until = (to: string) => `{from: 2026-01-01, to: ${to}, per_compute_hour: 0.16}`;
  expect(warnings(book(plan('scale', until('2026-10-16'))))).toEqual([]);
  expect(warnings(book(plan('scale', until('2026-10-15'))))).toEqual([
    'dbpm.yaml:5: pricing.plans[0].prices[0]: found the last price, which has ended: usage from 2026-10-15 on is unpriced, write a price from 2026-10-15',
  ]);
});

test('a plan that begins after others is warned of', () => {
  const later = '{from: 2026-07-01, per_compute_hour: 0.1}';
  expect(warnings(book(plan('late', later, 'match: {regions: [eu]}'), plan('scale', always)))).toEqual([
    'dbpm.yaml:5: pricing.plans[0].prices[0]: found the first price of "late": usage from 2026-01-01, when other plans begin, to 2026-07-01 is unpriced, write a price from 2026-01-01 if there was any',
  ]);
});

test('costs before the first exchange rate are warned of with their dates', () => {
  const rates = '  exchange_rates: [{currency: USD, from: 2026-03-01, rate: 0.92}]\n';
  const yaml = book(plan('scale', always)).replace('  plans', `  display_currency: EUR\n${rates}  plans`);
  expect(warnings(yaml)).toEqual([
    'dbpm.yaml:4: pricing.exchange_rates[0]: found the first rate of USD: costs from 2026-01-01 to 2026-03-01 have no amount in EUR, write a rate from 2026-01-01',
  ]);
});

test.each(['', 'match: {projects: [shop, "*"]}'])(
  'plans after one for every project are of no use: %s',
  all => {
    const plans = [
      plan('eu', always, 'match: {regions: [eu]}'),
      plan('all', always, all),
      plan('more', always),
    ];
    const line = all === '' ? 9 : 10;
    expect(warnings(book(...plans))).toEqual([
      `dbpm.yaml:${line}: pricing.plans[2]: found plan "more", which no project gets: "all" of dbpm.yaml:7 comes first and is for every project, put it before that one`,
    ]);
  },
);

test('an account that only the history could know is warned of', () => {
  const groups = 'groups:\n  team:\n    old: {accounts: [legacy, "ma*"]}\n';
  expect(warnings(`${book(plan('scale', always, 'match: {accounts: [mian]}'))}${groups}`)).toEqual([
    'dbpm.yaml:6: pricing.plans[0].match.accounts[0]: found "mian", an account that is not configured, write main',
    'dbpm.yaml:9: groups.team.old.accounts[0]: found "legacy", an account that is not configured, write main',
  ]);
});

test('what is in effect names plans, rates, groups and budgets in short, with their lines', () => {
  const yaml = `${book(plan('scale', always))}groups:
  team:
    Data and lakes: {projects: ["dw-*"]}
budgets:
  - {name: all, account: main, amount: 5, per: month}
`;
  const { effective } = loadValid(given(yaml));
  expect(effective.slice(-4).map(({ key, text, from }) => `${key}=${text} (${from})`)).toEqual([
    'pricing.currency=USD (dbpm.yaml:2)',
    'pricing.plans[0]={name: scale, prices: [{from: 2026-01-01, per_compute_hour: … (dbpm.yaml:4)',
    'groups.team.Data and lakes={projects: [dw-*]} (dbpm.yaml:8)',
    'budgets[0]={name: all, account: main, amount: 5, per: month} (dbpm.yaml:10)',
  ]);
});

test('a configuration with a wrong price is wrong for the rule file too, and accounts are not missed there', () => {
  const wrong = given(book(plan('scale', '{from: 2026-01-01}')));
  const problem =
    'dbpm.yaml:5: pricing.plans[0].prices[0].per_compute_hour: found nothing, write a number such as 0.16, of at most 18 digits, without an exponent';
  expect(loadInvalid(wrong)).toEqual([problem]);
  expect(() => loadRules(wrong)).toThrow(problem);
  const budgets = 'budgets:\n  - {name: all, account: main, compute_hours: 5, per: month}\n';
  expect(loadRules({ ...given(budgets), env: {} }).job).toBe('dbpm');
});

test('the example of the documents is right, and nothing of it is warned of', () => {
  const page = readFileSync(new URL('../../docs/cost.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('## Say what it costs\n');
  const [, example = ''] = section.split(/```(?:yaml)?\n/);
  const { config, warnings: none } = loadValid(given(example));
  expect(none).toEqual([]);
  expect([config.pricing?.plans.length, config.groupings.length, config.budgets.length]).toEqual([2, 2, 3]);
});

test('nobody is warned of a price gap that is accepted as a whole, and of every other one', () => {
  const withGaps = (gaps: string) =>
    warnings(`pricing:
  currency: USD
  plans:
    - name: scale
      prices:
        - {from: 2026-01-01, to: 2026-03-01, per_compute_hour: 0.1}
        - {from: 2026-04-01, per_compute_hour: 0.2}
${gaps}`);
  expect(withGaps('')).toEqual([expect.stringContaining('usage from 2026-03-01 to 2026-04-01 is unpriced')]);
  const accepted = (gap: string) => withGaps(`  accepted_gaps: [{${gap}, why: free}]\n`);
  expect(accepted('plans: [scale], from: 2026-03-01, to: 2026-04-01')).toEqual([]);
  expect(accepted('from: 2026-02-01')).toEqual([]);
  expect(accepted('plans: [scale], from: 2026-03-02')).toHaveLength(1);
  expect(accepted('plans: [other]')).toHaveLength(1);
  expect(accepted('plans: [scale], projects: [shop]')).toHaveLength(1);
});

test('whatever stands in the nested sections, every problem is one line with a place and no secret', () => {
  const leaf = fc.constantFrom(
    ...['USD', 'usd', '2026-01-01', '2026-02-30', '0.16', '-1', '1e3', '[]', '{}', '', '*a', '&a x', '!t x'],
    ...['month', 'team/platform', '"a\\nb"', '"*"', '[a, [b]]', '{? [x] : y}', 'true', '~', '"\\u2028"'],
  );
  const word = fc.constantFrom(
    ...['currency', 'plans', 'prices', 'from', 'to', 'per_compute_hour', 'match', 'groups', 'name', 'rate'],
    ...['exchange_rates', 'billing_period', 'hours', 'included', 'team', 'platform', 'account', 'projects'],
    ...['amount', 'per', '__proto__', 'constructor', '"a b"', '"\\n"', 'api_key', '12', '"/"'],
  );
  const { tree } = fc.letrec<{ tree: string }>(tie => ({
    tree: fc.oneof(
      { maxDepth: 5, depthSize: 'medium' },
      leaf,
      fc
        .uniqueArray(fc.tuple(word, tie('tree')), { selector: ([name]) => name, maxLength: 5 })
        .map(
          pairs =>
            `{${pairs.map(([name, text]) => `${name}: ${name === 'api_key' ? 'canary-key' : text}`).join(', ')}}`,
        ),
      fc.array(tie('tree'), { maxLength: 4 }).map(items => `[${items.join(', ')}]`),
    ),
  }));
  const section = fc.constantFrom('pricing', 'groups', 'budgets');
  fc.assert(
    fc.property(section, tree, section, tree, (one, first, other, second) => {
      const loaded = load(given(`${one}: ${first}\n${other}: ${second}\n`));
      const problems = 'problems' in loaded ? loaded.problems : loaded.warnings;
      for (const line of problems.map(renderProblem)) {
        expect(line).toMatch(/^dbpm\.yaml:\d: [^\n\r]+: found [^\n\r]+, [^\n\r]+$/);
        expect(line).not.toContain('canary-key');
      }
    }),
    { numRuns: runs(150) },
  );
});
