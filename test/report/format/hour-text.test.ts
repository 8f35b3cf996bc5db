import fc from 'fast-check';
import { expect, test } from 'vitest';
import { showHourParts, showHours } from '../../../src/report/format/hour-text.ts';

const part = fc.oneof(fc.constant(0), fc.nat({ max: 200_000 }), fc.nat({ max: 2 ** 40 }));
const rows = fc.array(fc.tuple(part, part, part), { minLength: 1, maxLength: 40 });
const hundredths = (text: string | undefined) => Number(text?.replace('.', ''));
const add = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

test('parts of hours add up by row and column, and each is less than a hundredth off', () => {
  fc.assert(
    fc.property(rows, parts => {
      const keys = parts.map((_, row) => String(row));
      const shown = showHourParts(parts, keys);
      expect(shown.rows.map(([whole]) => whole)).toEqual(showHours(parts.map(add), keys));
      for (const [row, cells] of shown.rows.entries()) {
        const [whole = 0, ...others] = cells.map(hundredths);
        expect(add(others)).toBe(whole);
        for (const [column, cell] of others.entries()) {
          expect(Math.abs(cell - (parts[row]?.[column] ?? 0) / 36_000)).toBeLessThan(1);
        }
      }
      const columns = shown.totals.map((_, column) =>
        add(shown.rows.map(cells => hundredths(cells[column]))),
      );
      expect(shown.totals.map(hundredths)).toEqual(columns);
    }),
  );
});

test('hours are rounded alike whatever the order of their rows', () => {
  fc.assert(
    fc.property(fc.array(part), cuMs => {
      const keys = cuMs.map((_, row) => String(row));
      const reversed = showHours(cuMs.toReversed(), keys.toReversed());
      expect(reversed.toReversed()).toEqual(showHours(cuMs, keys));
    }),
  );
});
