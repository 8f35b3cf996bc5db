import { expect, test } from 'vitest';
import { addDecimals } from '../../src/cost/money/decimal-sum.ts';

test.each([
  [['0.10', '0.20', '0.30'], '0.60'],
  [['-1.05', '1.00'], '-0.05'],
  [['90071992547409.91', '0.09', '0.01'], '90071992547410.01'],
  [['5', '7'], '12'],
  [[], undefined],
])('%j add up to %s', (decimals, sum) => {
  expect(addDecimals(decimals)).toBe(sum);
});

test('numbers with other decimals are not added up by guess', () => {
  expect(() => addDecimals(['1.00', '1.000'])).toThrow('another number of decimals');
});
