import { expect, test } from 'vitest';
import type { Period } from '../../src/cost/calendar/calendar.ts';
import { createCosting } from '../../src/cost/rating/costing.ts';
import type { PriceBook } from '../../src/resources/price-book.ts';
import { lineText, stretch } from './line-text.ts';
import { type LedgerSpan, ledgerOf, type ScriptedProject } from './memory-ledger.ts';
import { bookOf, planWith, pricesOf } from './price-book-sample.ts';

const prices = pricesOf({ price: '1' });
const book = bookOf([planWith({ minimum: '19', prices })]);
const twelveHours: ScriptedProject = { steps: [['2026-10-02', '2026-10-03', 12]] };

interface Options {
  readonly under?: PriceBook;
  readonly span?: LedgerSpan;
  readonly asOf?: number;
}

function minimumsOf(
  used: readonly ScriptedProject[],
  period: Period,
  { under = book, span = {}, asOf = period.untilAt }: Options = {},
): string[] {
  return createCosting({ book: under, ledger: ledgerOf(used, span) })
    .chargeLines(period, asOf)
    .map(lineText);
}

const october = stretch('2026-10-01', '2026-11-01');

test('what is missing to the minimum is charged to the account once a billing period is over', () => {
  expect(minimumsOf([twelveHours], october)).toEqual([
    'acme minimum 2026-10-01..2026-11-01: 7 USD, shown as 7',
  ]);
  expect(minimumsOf([twelveHours], october, { asOf: Date.parse('2026-10-31T23:59Z') })).toEqual([]);
});

test('it belongs to the day on which its period begins, wherever that ends', () => {
  const asOf = Date.parse('2026-11-01');
  expect(minimumsOf([twelveHours], stretch('2026-10-01', '2026-10-02'), { asOf })).toHaveLength(1);
  expect(minimumsOf([twelveHours], stretch('2026-10-02', '2026-11-01'), { asOf })).toEqual([]);
});

test('the bill of a period is the usage of the account until an instant, and what is charged by then', () => {
  const other: ScriptedProject = { account: 'other', steps: [['2026-10-02', '2026-10-03', 5]] };
  const costing = createCosting({ book, ledger: ledgerOf([twelveHours, other]) });
  const bill = (asOf: string) => costing.billLines('acme', october, Date.parse(asOf)).map(lineText);
  expect(bill('2026-10-02T12:00Z')).toEqual([
    'project-1 2026-10-01..2026-10-02T12:00Z: 6 billed, 6 USD, shown as 6',
  ]);
  expect(bill('2026-12-01')).toEqual([
    'project-1 2026-10-01..2026-11-01: 12 billed, 12 USD, shown as 12',
    'acme minimum 2026-10-01..2026-11-01: 7 USD, shown as 7',
  ]);
});

test('who spent it is charged nothing more, and each account has its own', () => {
  const spender: ScriptedProject = { account: 'spender', steps: [['2026-10-02', '2026-10-03', 19]] };
  expect(minimumsOf([twelveHours, twelveHours, spender], october)).toEqual([]);
  expect(minimumsOf([twelveHours, { ...twelveHours, account: 'other' }, spender], october)).toEqual([
    'acme minimum 2026-10-01..2026-11-01: 7 USD, shown as 7',
    'other minimum 2026-10-01..2026-11-01: 7 USD, shown as 7',
  ]);
});

test('an account none of whose projects existed in a period is not charged for it', () => {
  const shortLived: ScriptedProject = {
    created_at: Date.parse('2026-10-30'),
    gone_at: Date.parse('2026-11-02'),
    steps: [],
  };
  expect(minimumsOf([shortLived], stretch('2026-09-01', '2027-01-01'))).toEqual([
    'acme minimum 2026-10-01..2026-11-01: 19 USD, shown as 19',
    'acme minimum 2026-11-01..2026-12-01: 19 USD, shown as 19',
  ]);
});

test('a period before anything was recorded, or before the plan had a price, is not charged', () => {
  const wholeYear = stretch('2026-01-01', '2026-11-01');
  expect(minimumsOf([twelveHours], wholeYear, { span: { knownFrom: '2026-09-30T23:00Z' } })).toEqual([
    'acme minimum 2026-09-01..2026-10-01: 19 USD, shown as 19',
    'acme minimum 2026-10-01..2026-11-01: 7 USD, shown as 7',
  ]);
  const later = bookOf([planWith({ minimum: '19', prices: pricesOf({ from: '2026-10-01', price: '1' }) })]);
  expect(minimumsOf([twelveHours], wholeYear, { under: later })).toEqual([
    'acme minimum 2026-10-01..2026-11-01: 7 USD, shown as 7',
  ]);
});

test('it is shown at the exchange rate of the last instant of its period', () => {
  const under = bookOf([planWith({ currency: 'EUR', minimum: '19', prices })], {
    exchangeRates: [
      { currency: 'EUR', fromAt: Date.parse('2026-10-31'), rate: '2' },
      { currency: 'EUR', fromAt: Date.parse('2026-11-01'), rate: '3' },
    ],
  });
  expect(minimumsOf([twelveHours], october, { under })).toEqual([
    'acme minimum 2026-10-01..2026-11-01: 7 EUR, shown as 14',
  ]);
});
