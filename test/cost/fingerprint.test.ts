import { expect, test } from 'vitest';
import { canonicalJson, fingerprintOf } from '../../src/cost/price/fingerprint.ts';
import type { PriceBook } from '../../src/resources/price-book.ts';

const plan = {
  name: 'scale',
  match: { accounts: ['main'] },
  currency: 'EUR',
  prices: [{ fromAt: 0, perComputeHour: '0.16', discountPercent: '0' }],
};
const book: PriceBook = {
  displayCurrency: 'EUR',
  billingPeriod: { kind: 'month', anchorDay: 1 },
  plans: [plan],
  exchangeRates: [],
};

test('a fingerprint is that of what a price book says, in whatever order its keys were written', () => {
  const { plans, ...others } = book;
  const fingerprint = fingerprintOf(book);
  expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
  expect(fingerprintOf({ plans, ...others })).toBe(fingerprint);
  const dearer = { ...plan, prices: [{ fromAt: 0, perComputeHour: '0.17', discountPercent: '0' }] };
  expect(fingerprintOf({ ...book, plans: [dearer] })).not.toBe(fingerprint);
  expect(fingerprintOf({ ...book, plans: [plan, plan] })).not.toBe(fingerprint);
  const acceptedGaps = [{ match: {}, why: 'no amount depends on it' }];
  expect(fingerprintOf({ ...book, acceptedGaps })).toBe(fingerprint);
});

test('canonical JSON has its keys in order at every depth, and leaves out what is absent', () => {
  expect(canonicalJson({ b: [{ d: 1, c: undefined, a: null }], a: 'x' })).toBe(
    '{"a":"x","b":[{"a":null,"d":1}]}',
  );
});
