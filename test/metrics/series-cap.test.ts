import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allotSeries, countWhole } from '../../src/metrics/page/series-cap.ts';

test('the first blocks have all they want, one has the rest, the others nothing', () => {
  expect(allotSeries(10, [4, 4, 4, 1])).toEqual([10, 6, 2, 0]);
  expect(allotSeries(8, [4, 4, 4])).toEqual([8, 4, 0]);
  expect(allotSeries(0, [4, 4])).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
});

test('subjects are shown whole or not at all, and none after one that did not fit', () => {
  expect(countWhole(5, [2, 3, 1])).toBe(2);
  expect(countWhole(5, [2, 4, 1])).toBe(1);
  expect(countWhole(0, [0, 0, 1, 0])).toBe(2);
  expect(countWhole(Number.POSITIVE_INFINITY, [2, 4])).toBe(2);
});

const blocks = fc.array(fc.array(fc.nat(6), { maxLength: 5 }), { maxLength: 8 });
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
const shown = (limit: number, family: readonly (readonly number[])[]) => {
  const allowed = allotSeries(limit, family.map(sum));
  return family.map((counts, index) => counts.slice(0, countWhole(allowed[index] ?? 0, counts)));
};

test('no family ever has more than its limit, and all it wants within it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), blocks, (limit, family) => {
      const kept = shown(limit, family);
      expect(sum(kept.flat())).toBeLessThanOrEqual(limit);
      if (sum(family.flat()) <= limit) expect(kept).toEqual(family);
      expect(shown(0, family)).toEqual(family);
    }),
  );
});

test('what is shown of a block does not depend on those after it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), blocks, blocks, (limit, before, after) => {
      expect(shown(limit, [...before, ...after]).slice(0, before.length)).toEqual(shown(limit, before));
    }),
  );
});
