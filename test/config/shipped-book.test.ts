import { expect, test } from 'vitest';
import { loadConfigChecks } from '../../src/check/config/loaded-config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { renderProblem } from '../../src/config/problem.ts';
import { shippedBooks } from '../../src/config/shipped-book.ts';
import { showAmount } from '../../src/cost/money/money.ts';
import { sumLines } from '../../src/cost/rating/cost-line.ts';
import { createCosting } from '../../src/cost/rating/costing.ts';
import type { PriceBook } from '../../src/resources/price-book.ts';
import type { MeteredLedger } from '../../src/resources/usage/ledger.ts';
import { ledgerOf } from '../cost/memory-ledger.ts';

const checks = await loadConfigChecks();

function load(yaml: string) {
  return loadConfig({
    flags: { 'config.file': 'dbpm.yaml' },
    env: { DBPM_BASE_URL: 'https://api.example.com/api/v2/', DBPM_API_KEY: 'key' },
    readFile: () => ({ text: yaml, readableByAll: false }),
    checks,
    now: Date.parse('2026-11-24'),
  });
}

function bookOf(yaml: string): PriceBook {
  const loaded = load(yaml);
  const pricing = 'config' in loaded ? loaded.config.pricing : undefined;
  if (pricing === undefined) throw new Error(JSON.stringify(loaded));
  return pricing;
}

test('there are price books of a free and of two paid plans, with the date of their prices', () => {
  expect(shippedBooks).toEqual(['free-2026-07', 'launch-2026-07', 'scale-2026-07']);
});

test.each(shippedBooks)('the price book %s is valid, without a warning, and of one plan', name => {
  const loaded = load(`pricing: {book: ${name}}`);
  expect('problems' in loaded ? loaded.problems : loaded.warnings).toEqual([]);
  expect(bookOf(`pricing: {book: ${name}}`)).toMatchObject({
    displayCurrency: 'USD',
    meter: { unit: 'hour', gigabyte: 'decimal' },
    plans: [{ name: name.replace(/-\d{4}-\d{2}$/, '') }],
  });
});

test('what is written beside a book takes the place of the same key', () => {
  const book = bookOf(`pricing:
  book: launch-2026-07
  display_currency: EUR
  exchange_rates: [{currency: USD, from: 2026-01-01, rate: 0.92}]
  meter: {unit: month}
  plans: [{name: own, prices: [{from: 2026-01-01, per_compute_hour: 1}]}]
`);
  expect(book).toMatchObject({ displayCurrency: 'EUR', meter: { unit: 'month' }, plans: [{ name: 'own' }] });
  expect(book.plans).toHaveLength(1);
});

test('a book that is not there is refused with those that are', () => {
  const loaded = load('pricing:\n  book: launch-2026-06\n');
  expect('problems' in loaded && loaded.problems.map(renderProblem)).toEqual([
    'dbpm.yaml:2: pricing.book: found "launch-2026-06", write launch-2026-07',
  ]);
});

/** What a month costs of two projects that moved 600 and 300 GB each. */
function transferOf(book: PriceBook, from: string, until: string): string {
  const [fromAt, untilAt] = [Date.parse(from), Date.parse(until)];
  const metered: MeteredLedger = {
    others: [],
    knownSpan: () => undefined,
    meteredUntil: (project_ref, metric, at) => {
      if (metric !== 'public_network_transfer_bytes') return 0;
      const part = Math.max(0, Math.min(1, (at - fromAt) / (untilAt - fromAt)));
      return Math.round(part * (project_ref === 1 ? 600e9 : 300e9));
    },
  };
  const project = { steps: [[from, until, 0]] } as const;
  const ledger = { ...ledgerOf([project, project], { knownFrom: '2026-01-01' }), metered };
  const lines = createCosting({ book, ledger }).billLines('acme', { fromAt, untilAt }, untilAt);
  return showAmount(sumLines(lines).amount, 2);
}

test('paid plans include 100 GB of an account until June 2026, and 500 GB of each project since; a free one bills none', () => {
  const launch = bookOf('pricing: {book: launch-2026-07}');
  expect(transferOf(launch, '2026-06-01', '2026-07-01')).toBe('80.00');
  expect(transferOf(launch, '2026-07-01', '2026-08-01')).toBe('10.00');
  expect(transferOf(bookOf('pricing: {book: free-2026-07}'), '2026-07-01', '2026-08-01')).toBe('0.00');
});
