import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { shippedBooks } from '../../../src/config/shipped-book.ts';
import { Console } from '../../../src/console/console.ts';
import { offeredBooks } from '../../../src/console/part/price-box.ts';
import { SmallHistory } from '../../report/small-history.ts';
import { openConsole } from '../../support/open-console.ts';

const now = Date.parse('2026-11-02T00:00:10Z');

let small: SmallHistory;
let shown: Awaited<ReturnType<typeof openConsole>>;
beforeAll(async () => {
  small = new SmallHistory({ withPrices: false });
  shown = await openConsole({ file: small.file, now });
});
afterAll(() => {
  shown.close();
  small[Symbol.dispose]();
});

test.each([
  'per_compute_hour=0.16',
  'per_compute_hour=0.5&currency=EUR&included_hours=7.5&base_fee=19',
  'book=launch-2026-07',
])('what use comes to by %s is what the report says once the YAML is written', async asked => {
  const { yaml, periods, projects } = await shown.json(`/prices?${asked}`);
  small.write('dbpm.yaml', yaml);
  for (const { period, cost, used_hours, currency } of periods) {
    const line = `cost --period ${period.label} --by project --format json`;
    const report = JSON.parse((await small.report(line)).stdout);
    expect([period.label, cost, used_hours, currency]).toEqual([
      period.label,
      report.totals.cost,
      report.totals.used_hours,
      report.currency,
    ]);
    if (period.label === 'billing') expect(projects).toHaveLength(report.rows.length);
  }
});

test('the box stands where there are no prices, and its page says where the YAML belongs', async () => {
  for (const path of ['/cost', '/', '/projects/main/p-shop', '/cost/invoice', '/cost/why']) {
    const { text } = await shown.get(path);
    expect([path, text.includes('action="/prices"')]).toEqual([path, true]);
  }
  const { text } = await shown.get('/prices?per_compute_hour=0.16');
  expect(text).toContain('console.yaml');
  const { configFile: _unset, ...config } = shown.config;
  const bare = new Console({ sources: { ...shown.sources, config }, version: '1.2.3', patienceMs: 60_000 });
  const question = { path: '/prices', search: '?per_compute_hour=0.16', acceptsGzip: false };
  const live = { now, startedAt: now, overviews: [], accounts: [], problems: [], stalled: [] };
  const state = { ...live, historySizeBytes: 0 };
  const { body } = await bare.answer({ ...question, showsPersonal: false }, state);
  expect(body.toString()).toContain('There is no configuration file yet');
});

test('the YAML is what was asked for', async () => {
  const { yaml } = await shown.json('/prices?per_compute_hour=0.16&included_hours=50&base_fee=19');
  expect(parse(yaml)).toEqual({
    pricing: {
      currency: 'USD',
      plans: [
        {
          name: 'all',
          prices: [{ from: '2024-01-01', per_compute_hour: 0.16 }],
          included: { compute_hours: 50, per: 'account' },
          base_fee: 19,
        },
      ],
    },
  });
});

test('the prices in force come first with those before, and one begins from them', async () => {
  using priced = new SmallHistory();
  const own = await openConsole({ file: priced.file, now, yaml: readFileSync(priced.configFile, 'utf8') });
  expect(await own.json('/prices')).toMatchObject({
    in_force: [
      { plan: 'scale', currency: 'EUR', price: '0.15', list_price: '0.15', until: null },
      { plan: 'azure', currency: 'USD', price: '0.1', list_price: '0.1', until: null },
    ],
  });
  const { text } = await own.get('/prices');
  expect(text).toContain('<h1>Prices</h1>');
  expect(text.indexOf('Prices in force')).toBeGreaterThan(0);
  expect(text.indexOf('Prices in force')).toBeLessThan(text.indexOf('Prices to try'));
  expect(text).toContain('name="per_compute_hour" value="0.15"');
  own.close();
});

test('a price that was changed is shown with the dates it held, as far as its plan did', async () => {
  const yaml = `pricing:
  currency: USD
  plans:
    - name: scale
      from: 2026-02-01
      prices:
        - {from: 2025-01-01, per_compute_hour: 0.12}
        - {from: 2026-06-01, per_compute_hour: 0.16}
        - {from: 2026-10-20, per_compute_hour: 0.18, discount_percent: 5}
`;
  const own = await openConsole({ file: small.file, now, yaml });
  const { in_force, other_prices } = await own.json('/prices');
  expect(in_force).toEqual([
    {
      ...{ plan: 'scale', currency: 'USD', price: '0.171', list_price: '0.18' },
      ...{ from: '2026-10-20T00:00:00.000Z', until: null },
      ...{ included: null, base_fee: null, minimum: null },
    },
  ]);
  expect(other_prices).toMatchObject([
    { price: '0.16', from: '2026-06-01T00:00:00.000Z', until: '2026-10-20T00:00:00.000Z' },
    { price: '0.12', from: '2026-02-01T00:00:00.000Z', until: '2026-06-01T00:00:00.000Z' },
  ]);
  const { text } = await own.get('/prices');
  expect(text).toContain('from 2026-10-20 on');
  expect(text).toContain(
    '<time class="nw" datetime="2026-06-01">2026-06-01</time> to <time class="nw" datetime="2026-10-19">2026-10-19</time>',
  );
  own.close();
});

test.each([
  ['{hours: 744, from: 2026-10-03}', { hours: 744, from: '2026-10-03' }, '2026-10-03'],
  ['{anchor_day: 15}', { anchor_day: 15 }, '2026-10-15'],
])(
  'other prices are tried in the billing periods of the configuration: %s',
  async (written, parsed, from) => {
    const yaml = readFileSync(small.writeForZone('UTC', written), 'utf8');
    const own = await openConsole({ file: small.file, now, yaml });
    for (const asked of ['per_compute_hour=0.5&currency=EUR', 'book=launch-2026-07']) {
      const { yaml: offered, periods } = await own.json(`/prices?${asked}`);
      expect(parse(offered).pricing.billing_period).toEqual(parsed);
      expect(periods[0].period.from).toBe(`${from}T00:00:00.000Z`);
    }
    own.close();
  },
);

test('what the prices in force come to stands beside the others, with the difference', async () => {
  const yaml = readFileSync(small.writeForZone('UTC', '{hours: 744, from: 2026-10-03}'), 'utf8');
  const own = await openConsole({ file: small.file, now, yaml });
  const asked = '/prices?per_compute_hour=0.5&currency=EUR';
  const { periods } = await own.json(asked);
  const { totals = [] } = await own.report('cost', { period: 'billing', by: 'project' });
  expect(totals).toContain('5.97');
  expect(periods[0]).toMatchObject({
    ...{ cost: '23.75', used_hours: '47.50' },
    in_force: { cost: '5.97', currency: 'EUR', difference: '17.78' },
  });
  const { text } = await own.get(asked);
  for (const cell of ['€23.75', '€5.97', '+€17.78'])
    expect(text).toMatch(new RegExp(`<td[^>]*>${RegExp.escape(cell)}</td>`));
  const inDollars = await own.json('/prices?per_compute_hour=0.5');
  expect(inDollars.periods[0].in_force).toEqual({ cost: '5.97', currency: 'EUR', difference: null });
  own.close();
});

test('what a plan includes, its fee and its minimum stand with its price, and those of the form are filled in', async () => {
  const yaml = `pricing:
  currency: USD
  plans:
    - name: scale
      prices: [{from: 2026-06-01, per_compute_hour: 0.16}]
      included:
        - {compute_hours: 30, per: account, from: 2026-06-01}
        - {compute_hours: 50, per: account, from: 2026-09-01}
      base_fee: 19
      minimum: 25
    - name: small
      prices: [{from: 2026-06-01, per_compute_hour: 0.2}]
      included: {amount: 5, per: project}
`;
  const own = await openConsole({ file: small.file, now, yaml });
  const { in_force, other_prices } = await own.json('/prices');
  expect(in_force).toMatchObject([
    {
      ...{ plan: 'scale', from: '2026-09-01T00:00:00.000Z', base_fee: '19', minimum: '25' },
      included: { per: 'account', compute_hours: '50', amount: null },
    },
    { plan: 'small', included: { per: 'project', compute_hours: null, amount: '5' }, base_fee: null },
  ]);
  expect(other_prices).toMatchObject([
    { until: '2026-09-01T00:00:00.000Z', included: { compute_hours: '30' }, base_fee: '19' },
  ]);
  const { text } = await own.get('/prices');
  for (const cell of ['50 h', '$5 of compute of each project', '$19', '$25'])
    expect(text).toMatch(new RegExp(`<td[^>]*>${RegExp.escape(cell)}</td>`));
  expect(text).toContain('name="included_hours" value="50"');
  expect(text).toContain('name="base_fee" value="19"');
  own.close();
});

test('without prices the box comes first, below the title that the page has everywhere', async () => {
  const { text } = await shown.get('/prices');
  expect(text).toContain('<h1>Prices</h1>');
  expect(text).not.toContain('Prices in force');
});

test('what the billing period is expected to come to is its expected hours at the price', async () => {
  const { expected } = await shown.json('/prices?per_compute_hour=0.5&included_hours=1&base_fee=19');
  const seconds = shown.usage()?.accounts[0]?.forecast?.computeSeconds?.expected ?? Number.NaN;
  expect(expected).toBe((19 + 0.5 * Math.max(0, seconds / 3600 - 1)).toFixed(2));
  expect((await shown.json('/prices?book=launch-2026-07')).expected).toBeNull();
});

test('every price book that comes with the program is offered', () => {
  expect(offeredBooks.toSorted()).toEqual(shippedBooks);
});

test.each([
  ['per_compute_hour=free', 'a number such as 0.16'],
  ['per_compute_hour=1&currency=euro', 'three capital letters, such as USD'],
  ['book=gone', 'launch-2026-07'],
])('%s is refused with what is possible', async (asked, possible) => {
  const { status, text } = await shown.get(`/prices?${asked}`, { mayFail: true });
  expect([status, text.includes(possible)]).toEqual([400, true]);
});
