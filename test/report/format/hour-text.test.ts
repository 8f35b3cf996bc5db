import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  showHourParts,
  showHours,
  showHourTotal,
  showMostHours,
  showMostTotal,
} from '../../../src/report/format/hour-text.ts';

const part = fc.oneof(fc.constant(0), fc.nat({ max: 200_000 }), fc.nat({ max: 2 ** 40 }));
const rows = fc.array(fc.tuple(part, part, part), { minLength: 1, maxLength: 40 });
const hundredths = (text: string | undefined) => Number(text?.replace('.', ''));
const add = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

test('parts of hours add up by row and column, and each is less than a hundredth off', () => {
  fc.assert(
    fc.property(rows, parts => {
      const scopes = parts.map((_, row) => ({ key: String(row) }));
      const shown = showHourParts(parts, scopes);
      expect(shown.rows.map(([whole]) => whole)).toEqual(showHours(parts.map(add), scopes));
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
      const scopes = cuMs.map((_, row) => ({ key: String(row) }));
      const reversed = showHours(cuMs.toReversed(), scopes.toReversed());
      expect(reversed.toReversed()).toEqual(showHours(cuMs, scopes));
    }),
  );
});

test('the least hours are never more than the most, in rows and totals, and both add up', () => {
  const bound = fc.record({ lowerCuMs: part, upperCuMs: part }).map(({ lowerCuMs, upperCuMs }) => ({
    lowerCuMs: Math.min(lowerCuMs, upperCuMs),
    upperCuMs: Math.max(lowerCuMs, upperCuMs),
  }));
  fc.assert(
    fc.property(fc.array(bound, { minLength: 1 }), bounds => {
      const scopes = bounds.map((_, row) => ({ key: String(row), step: `2026-11-0${1 + (row % 3)}` }));
      const least = showHours(
        bounds.map(({ lowerCuMs }) => lowerCuMs),
        scopes,
      ).map(hundredths);
      const most = showMostHours(bounds, scopes).map(hundredths);
      for (const [row, hours] of least.entries()) expect(hours).toBeLessThanOrEqual(most[row] ?? -1);
      expect(add(most)).toBe(hundredths(showMostTotal(bounds)));
      const total = showHourTotal(bounds.map(({ lowerCuMs }) => lowerCuMs));
      expect(hundredths(total)).toBeLessThanOrEqual(hundredths(showMostTotal(bounds)));
    }),
  );
  // Of 101.25 hours that a project used, at least 102.06 and at most 102.05 were said.
  const one = { lowerCuMs: 3_674_000, upperCuMs: 3_674_000 };
  const many = [one, one, { lowerCuMs: 0, upperCuMs: 20_000 }];
  const scopes = many.map((_, row) => ({ key: String(row) }));
  expect(showMostHours(many, scopes)).toEqual(['1.02', '1.02', '0.01']);
});
