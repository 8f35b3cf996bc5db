import { expect, test } from 'vitest';
import { type AccrualCase, accrue } from '../../src/cost/accrual.ts';
import { billingCalendar } from '../../src/cost/billing-calendar.ts';
import { createCosting } from '../../src/cost/costing.ts';
import { amountNumber } from '../../src/cost/money.ts';
import { readAmount } from '../../src/cost/written-amount.ts';
import type { CostAccrual } from '../../src/resources/cost-accrual.ts';
import type { PriceBook } from '../../src/resources/price-book.ts';
import { ledgerOf, type UsageStep } from './memory-ledger.ts';
import { bookOf, planWith, pricesOf } from './price-book-sample.ts';

function charge(
  before: CostAccrual | undefined,
  until: string,
  steps: readonly UsageStep[],
  book: PriceBook,
): CostAccrual {
  const ledger = ledgerOf([{ steps, created_at: Date.parse('2026-10-20') }], { knownFrom: '2026-10-20' });
  const accrual: AccrualCase = {
    account: 'acme',
    currency: 'USD',
    costing: createCosting({ book, ledger }),
    billing: billingCalendar(book.billingPeriod),
    knownFromAt: Date.parse('2026-10-20'),
    knownUntilAt: Date.parse(until),
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
  expect(charge(after, '2026-11-11', found, book)).toBe(after);
  expect(money(charge(after, '2026-11-12', found, book))).toBeCloseTo(15 * 0.16, 12);
});

test('what turns out to have been used in the period before is not charged again', () => {
  const book = dearer('0.16');
  const before = charge(undefined, '2026-10-25', [['2026-10-20', '2026-10-25', 10]], book);
  // Read after ten days without a word: 60 h, at first thought of as even, 36 h before November and 24 h in it.
  const even: UsageStep[] = [
    ['2026-10-20', '2026-10-25', 10],
    ['2026-10-25', '2026-11-04', 60],
  ];
  const guessed = charge(before, '2026-11-04', even, book);
  expect(money(guessed)).toBeCloseTo(70 * 0.16, 12);
  const late: UsageStep[] = [
    ['2026-10-20', '2026-10-25', 10],
    ['2026-11-01', '2026-11-04', 60],
  ];
  const moved = charge(guessed, '2026-11-05', late, book);
  expect(money(moved)).toBeCloseTo(70 * 0.16, 12);
  expect(money(charge(moved, '2026-11-06', even, book))).toBeCloseTo(70 * 0.16, 12);
});

test('a period is closed a week after its end, and what is in the next is charged once', () => {
  const book = dearer('0.16');
  const steps: UsageStep[] = [['2026-10-20', '2026-11-19', 30]];
  const days = ['2026-10-31', '2026-11-03', '2026-11-07', '2026-11-08', '2026-11-09', '2026-11-19'];
  let state: CostAccrual | undefined;
  const totals = days.map(day => {
    state = charge(state, day, steps, book);
    return [
      day,
      Math.round(money(state) * 1e9) / 1e9,
      new Date(state.periodFromAt).toISOString().slice(0, 10),
    ];
  });
  expect(totals).toEqual([
    ['2026-10-31', 1.76, '2026-10-01'],
    ['2026-11-03', 2.24, '2026-10-01'],
    ['2026-11-07', 2.88, '2026-10-01'],
    ['2026-11-08', 3.04, '2026-11-01'],
    ['2026-11-09', 3.2, '2026-11-01'],
    ['2026-11-19', 4.8, '2026-11-01'],
  ]);
});

test('an hour that is a billing period is closed an hour after its end', () => {
  const book = { ...dearer('0.16'), billingPeriod: { kind: 'hours', hours: 1, anchorAt: 0 } } as PriceBook;
  const steps: UsageStep[] = [['2026-10-20', '2026-10-21', 24]];
  const state = charge(undefined, '2026-10-20T05:30Z', steps, book);
  expect(new Date(state.periodFromAt).toISOString()).toBe('2026-10-20T04:00:00.000Z');
  expect(money(charge(state, '2026-10-20T20:30Z', steps, book))).toBeCloseTo(20.5 * 0.16, 12);
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

test('a lower price gives nothing back, and counts from then on; a higher one is charged for the period', () => {
  const steps: UsageStep[] = [['2026-11-01', '2026-11-11', 100]];
  const before = charge(undefined, '2026-11-06', steps, dearer('0.20'));
  expect(money(before)).toBeCloseTo(10, 12);
  const lower = charge(before, '2026-11-07', steps, dearer('0.10'));
  expect(money(lower)).toBeCloseTo(10, 12);
  const later = charge(lower, '2026-11-08', steps, dearer('0.10'));
  expect(money(later)).toBeCloseTo(11, 12);
  const higher = charge(later, '2026-11-09', steps, dearer('0.30'));
  // From 7 to 24: all 80 hours of the period so far at the new price.
  expect(money(higher)).toBeCloseTo(11 + 17, 12);
});

test('what has no price is counted apart', () => {
  const book = bookOf([planWith({ prices: pricesOf({ price: '0.16', from: '2026-11-03' }) })]);
  const after = charge(undefined, '2026-11-05', [['2026-11-01', '2026-11-05', 40]], book);
  expect(money(after)).toBeCloseTo(20 * 0.16, 12);
  expect(after.unpricedTotal).toBe(20 * 3_600_000);
});
