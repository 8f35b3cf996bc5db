import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountOf, amountOfUse, shareOut } from '../../src/cost/money/money.ts';
import { shareTable } from '../../src/cost/money/table-share.ts';

const units = (text = '') => Number(text.replace('.', ''));

test('rows and columns of a table are shown as they are without each other', () => {
  const table = [
    ['0.004', 'web', 'May'],
    ['0.004', 'web', 'June'],
    ['0.004', 'data', 'May'],
    ['0.012', 'data', 'June'],
  ] as const;
  const parts = table.map(([amount, row, column]) => ({ amount: amountOf(amount), row, column }));
  // Web is 0.01 and May is 0.01, so that one of them is not both of June.
  expect(shareTable(parts, 2)).toEqual(['0.01', '0.00', '0.00', '0.01']);
});

test('rows add up whatever the columns are, and a part is less than two units off and on its own side of 0', () => {
  const part = fc.record({
    hundredths: fc.oneof(fc.integer({ min: -9, max: 9 }), fc.double({ min: -3, max: 3, noNaN: true })),
    row: fc.constantFrom('a', 'b', 'c', 'd'),
    column: fc.constantFrom('1', '2', '3', '4', '5'),
  });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 30 }), drawn => {
      const parts = drawn.map(({ hundredths, ...place }) => {
        return { ...place, cuMs: Math.round(hundredths * 36_000) };
      });
      const shown = shareTable(
        parts.map(({ cuMs, ...place }) => ({ ...place, amount: amountOfUse(cuMs) })),
        2,
      ).map(units);
      const sum = (places: readonly number[]) =>
        places.reduce((total, place) => total + (shown[place] ?? 0), 0);
      for (const own of Map.groupBy(parts.keys(), place => parts[place]?.row).values()) {
        const exact = own.reduce((total, place) => total + (parts[place]?.cuMs ?? 0), 0) / 36_000;
        expect(Math.abs(sum(own) - exact)).toBeLessThan(1);
      }
      const [total] = shareOut([amountOfUse(parts.reduce((cuMs, each) => cuMs + each.cuMs, 0))], 2);
      expect(sum([...parts.keys()])).toBe(units(total));
      for (const [place, { cuMs }] of parts.entries()) {
        const text = shown[place] ?? 0;
        expect(Math.abs(text - cuMs / 36_000)).toBeLessThan(2);
        expect(text * cuMs).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});
