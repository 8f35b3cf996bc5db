import { expect, test } from 'vitest';
import { billingCalendar } from '../../src/cost/calendar/billing-calendar.ts';
import { amountNumber, readAmount } from '../../src/cost/money/money.ts';
import { type AccrualCase, accrue } from '../../src/cost/rating/accrual.ts';
import { createCosting } from '../../src/cost/rating/costing.ts';
import type { CostAccrual } from '../../src/resources/cost-accrual.ts';
import type { PriceBook } from '../../src/resources/price-book.ts';
import { ledgerOf, type UsageStep } from './memory-ledger.ts';
import { bookOf, planWith, pricesOf } from './price-book-sample.ts';

function charge(
  before: CostAccrual | undefined,
  until: string,
  steps: readonly UsageStep[],
  book: PriceBook,
  settled = until,
): CostAccrual {
  const ledger = ledgerOf([{ steps, created_at: Date.parse('2026-10-20') }], { knownFrom: '2026-10-20' });
  const accrual: AccrualCase = {
    account: 'acme',
    currency: 'USD',
    costing: createCosting({ book, ledger }),
    billing: billingCalendar(book.billingPeriod),
    knownFromAt: Date.parse('2026-10-20'),
    knownUntilAt: Date.parse(until),
    settledUntilAt: Date.parse(settled),
  };
  return accrue(before, accrual);
}

const money = ({ total }: CostAccrual) => amountNumber(readAmount(total));
const dearer = (price: string) => bookOf([planWith({ prices: pricesOf({ price }) })]);

test('at first everything is charged that is known, in every billing period by itself', () => {
  // 100 included hours in each month: 20 h of October are over, 50 h of November.
  const book = bookOf([planWith({ included: { computeHours: '100', per: 'account' } })]);
  const steps: UsageStep[] = [
    ['2026-10-25', '2026-10-26', 120],
    ['2026-11-02', '2026-11-03', 150],
  ];
  const first = charge(undefined, '2026-11-10', steps, book);
  expect(money(first)).toBeCloseTo(70 * 0.16, 12);
  expect(first).toMatchObject({ periodFromAt: Date.parse('2026-11-01'), asOfAt: Date.parse('2026-11-10') });
});

test('what is found out later of the same period is charged once', () => {
  const book = dearer('0.16');
  const before = charge(undefined, '2026-11-10', [['2026-11-02', '2026-11-03', 10]], book);
  const found: UsageStep[] = [
    ['2026-11-02', '2026-11-03', 10],
    ['2026-11-05', '2026-11-06', 5],
  ];
  const after = charge(before, '2026-11-11', found, book);
  expect(money(after)).toBeCloseTo(15 * 0.16, 12);
  expect(charge(after, '2026-11-11', found, book)).toEqual(after);
  expect(charge(after, '2026-11-04', found, book)).toBe(after);
  expect(money(charge(after, '2026-11-12', found, book))).toBeCloseTo(15 * 0.16, 12);
});

test('the end of a period is charged with the minimum that falls due, also when nobody looked at the time', () => {
  const book = bookOf([planWith({ minimum: '19' })]);
  const steps: UsageStep[] = [['2026-10-25', '2026-11-08', 28]];
  const before = charge(undefined, '2026-10-30', steps, book);
  expect(money(before)).toBeCloseTo(10 * 0.16, 12);
  // October comes to 19 as a whole; November began with 14 hours.
  const after = charge(before, '2026-11-20', steps, book);
  expect(money(after)).toBeCloseTo(19 + 14 * 0.16, 12);
});

test('a lower price gives nothing back, and nothing is charged again when the old one returns', () => {
  const steps: UsageStep[] = [['2026-11-01', '2026-11-11', 100]];
  const before = charge(undefined, '2026-11-06', steps, dearer('0.20'));
  expect(money(before)).toBeCloseTo(10, 12);
  // 60 and then 70 hours at half the price come to less than what is charged already.
  const lower = charge(before, '2026-11-07', steps, dearer('0.10'));
  expect(money(lower)).toBeCloseTo(10, 12);
  const later = charge(lower, '2026-11-08', steps, dearer('0.10'));
  expect(money(later)).toBeCloseTo(10, 12);
  const again = charge(later, '2026-11-09', steps, dearer('0.20'));
  expect(money(again)).toBeCloseTo(16, 12);
  const higher = charge(again, '2026-11-10', steps, dearer('0.30'));
  // All 90 hours of the period so far at the new price.
  expect(money(higher)).toBeCloseTo(27, 12);
});

test('what has no price is counted apart', () => {
  const book = bookOf([planWith({ prices: pricesOf({ price: '0.16', from: '2026-11-03' }) })]);
  const after = charge(undefined, '2026-11-05', [['2026-11-01', '2026-11-05', 40]], book);
  expect(money(after)).toBeCloseTo(20 * 0.16, 12);
  expect(after.unpricedTotal).toBe(20 * 3_600_000);
});

test('billing periods that begin on another day from now on charge nothing twice', () => {
  const steps: UsageStep[] = [['2026-11-01', '2026-11-21', 200]];
  const monthly = dearer('0.16');
  const onTheTenth: PriceBook = { ...monthly, billingPeriod: { kind: 'month', anchorDay: 10 } };
  const before = charge(undefined, '2026-11-16', steps, onTheTenth);
  expect(money(before)).toBeCloseTo(150 * 0.16, 12);
  const other = charge(before, '2026-11-17', steps, monthly);
  expect(money(other)).toBeCloseTo(160 * 0.16, 12);
  expect(money(charge(other, '2026-11-18', steps, monthly))).toBeCloseTo(170 * 0.16, 12);
});

test('use that moves from one month to another is charged once while more may be found out of both', () => {
  const book = dearer('0.16');
  const early: UsageStep[] = [['2026-10-20', '2026-10-30', 100]];
  const late: UsageStep[] = [['2026-11-02', '2026-11-04', 100]];
  const before = charge(undefined, '2026-11-10', early, book, '2026-10-20');
  expect(money(before)).toBeCloseTo(16, 12);
  expect(before.periodFromAt).toBe(Date.parse('2026-10-20'));
  const moved = charge(before, '2026-11-11', late, book, '2026-10-21');
  expect(money(moved)).toBeCloseTo(16, 12);
  const settled = charge(moved, '2026-11-12', [...late, ['2026-11-11', '2026-11-12', 5]], book);
  expect(money(settled)).toBeCloseTo(16.8, 12);
  expect(settled.periodFromAt).toBe(Date.parse('2026-11-01'));
});

test('charges are counted once, and a credit takes nothing back that was counted', () => {
  const lines = [{ name: 'storage', currency: 'USD', time: { fromAt: 0 }, amount: '14' }];
  const plan = planWith({ baseFee: '19', partialPeriod: 'whole', prices: pricesOf({ price: '1' }) });
  const credit = (amount: string) => ({
    ...{ name: 'credit', kind: 'credit' as const, currency: 'USD', amount },
    time: { onAt: Date.parse('2026-11-05') },
  });
  const steps: UsageStep[] = [['2026-11-01', '2026-11-11', 100]];
  const october = charge(undefined, '2026-10-25', steps, bookOf([plan], { lines }));
  expect(money(october)).toBeCloseTo(33, 12);
  const before = charge(october, '2026-11-02', steps, bookOf([plan], { lines }));
  expect(money(before)).toBeCloseTo(33 + 33 + 10, 12);
  const less = charge(before, '2026-11-03', steps, bookOf([plan], { lines, adjustments: [credit('25')] }));
  expect(money(less)).toBeCloseTo(76, 12);
  const again = charge(less, '2026-11-06', steps, bookOf([plan], { lines, adjustments: [credit('25')] }));
  // 33 of October, and of November 33 and 50 hours less the credit.
  expect(money(again)).toBeCloseTo(33 + 33 + 50 - 25, 12);
});

test('a part of a billing period is counted exactly, over restarts too', () => {
  const book = bookOf([planWith({ baseFee: [{ fromAt: Date.parse('2026-11-08'), amount: '1' }] })]);
  const first = charge(undefined, '2026-11-02', [], book);
  expect(first.total).toBe(`${23 * 3_600_000}/30`);
  expect(charge(first, '2026-11-09', [], book)).toEqual({ ...first, asOfAt: Date.parse('2026-11-09') });
});
