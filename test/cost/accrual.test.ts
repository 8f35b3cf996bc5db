import { expect, test } from 'vitest';
import { type AccrualCase, accrue, accrueAnew } from '../../src/cost/accrual.ts';
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
  method = accrue,
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
  return method(before, accrual);
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

test('what moves to another period while the past of a new account is found out is not charged in both', () => {
  const book = dearer('0.16');
  // 30 h evenly over both months until it is known that all of it was used in November.
  const even: UsageStep[] = [['2026-10-22', '2026-11-11', 30]];
  const told: UsageStep[] = [['2026-11-05', '2026-11-06', 30]];
  const before = charge(undefined, '2026-11-11', even, book, accrueAnew);
  const after = charge(before, '2026-11-11', told, book, accrueAnew);
  expect(money(after)).toBeCloseTo(30 * 0.16, 12);
  expect(after.periodAccrued).toBe(after.total);
  const less: UsageStep[] = [['2026-11-05', '2026-11-06', 20]];
  expect(money(charge(after, '2026-11-11', less, book, accrueAnew))).toBeCloseTo(30 * 0.16, 12);
  expect(charge(after, '2026-11-04', less, book, accrueAnew)).toBe(after);
});
