import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Amount,
  addAmounts,
  amountNumber,
  amountOf,
  amountOfUse,
  compareAmounts,
  currencyDecimals,
  noAmount,
  shareOut,
  showAmount,
  subtractAmounts,
  sumAmounts,
  timesRate,
} from '../../src/cost/money/money.ts';

const hourMs = 3_600_000;

describe('an amount', () => {
  test('of three thirds of an hour is the price of the hour, to the last decimal', () => {
    const third = amountOfUse(hourMs / 3, '0.1');
    expect(compareAmounts(addAmounts(third, addAmounts(third, third)), amountOf('0.1'))).toBe(0);
    expect(showAmount(third, 6)).toBe('0.033333');
  });

  test('is multiplied, subtracted and compared without loss', () => {
    const amount = timesRate(amountOf('0.1'), '1.0837');
    expect(showAmount(amount, 10)).toBe('0.1083700000');
    expect(showAmount(subtractAmounts(amount, amountOf('0.10837')), 10)).toBe('0.0000000000');
    expect(compareAmounts(amount, amountOf('0.108370000000000000000000001'))).toBe(-1);
    expect(amountNumber(amountOfUse(hourMs * 1.5))).toBe(1.5);
  });

  test.each([
    ['0.125', 2, '0.12'],
    ['0.135', 2, '0.14'],
    ['0.1250000000000000000000001', 2, '0.13'],
    ['2.5', 0, '2'],
    ['3.5', 0, '4'],
    ['-0.125', 2, '-0.12'],
    ['-1.239', 2, '-1.24'],
    ['-0.001', 2, '0.00'],
    ['12345678901234567890.125', 2, '12345678901234567890.12'],
    ['0', 2, '0.00'],
  ])('%s with %i decimals is shown as %s', (text, decimals, shown) => {
    expect(showAmount(amountOf(text), decimals)).toBe(shown);
  });
});

test('a currency knows its decimals', () => {
  expect(['USD', 'JPY', 'KWD'].map(currencyDecimals)).toEqual([2, 0, 3]);
});

describe('parts that are shown', () => {
  test('add up to the total that is shown, what is missing goes to those that lost most', () => {
    expect(
      shareOut(
        ['1', '1', '1'].map(text => amountOfUse(hourMs, text)),
        2,
      ),
    ).toEqual(['1.00', '1.00', '1.00']);
    const third = amountOfUse(hourMs / 3, '10');
    expect(shareOut([third, third, third], 2)).toEqual(['3.34', '3.33', '3.33']);
    expect(shareOut(['0.004', '0.004', '0.002', '5'].map(amountOf), 2)).toEqual([
      '0.01',
      '0.00',
      '0.00',
      '5.00',
    ]);
    expect(shareOut(['0.4', '0.1'].map(amountOf), 0)).toEqual(['0', '0']);
    expect(shareOut([], 2)).toEqual([]);
  });

  test('always add up, each less than one unit off', () => {
    const parts = fc.array(
      fc.record({ cuMs: fc.nat({ max: 10 * hourMs }), price: fc.integer({ min: 0, max: 99_999 }) }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(parts, fc.integer({ min: 0, max: 4 }), (uses, decimals) => {
        const amounts = uses.map(({ cuMs, price }) => amountOfUse(cuMs, `${price / 1000}`));
        const shares = shareOut(amounts, decimals);
        const total = sumAmounts(amounts);
        const shown = sumAmounts(shares.map(amountOf));
        expect(showAmount(shown, 9)).toBe(showAmount(amountOf(showAmount(total, decimals)), 9));
        const unit = amountOf(`1e-${decimals}`);
        for (const [index, share] of shares.entries()) {
          const off = subtractAmounts(amountOf(share), amounts[index] ?? noAmount);
          const size: Amount = { numerator: off.numerator.abs() };
          expect(compareAmounts(size, unit)).toBe(-1);
        }
      }),
    );
  });
});
