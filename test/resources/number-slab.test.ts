import { expect, test } from 'vitest';
import { NumberSlab } from '../../src/resources/usage/known-reading.ts';

test('arrays are of zeros, as long as asked for, and none shares a number with another one', () => {
  const slab = new NumberSlab();
  const lengths = [0, 1, 367, 8191, 2, 8192, 8193, 367];
  const arrays = lengths.map(length => slab.take(length));
  expect(arrays.map(({ length }) => length)).toEqual(lengths);
  expect(arrays.flatMap(array => [...array]).every(number => number === 0)).toBe(true);
  for (const [index, array] of arrays.entries()) array.fill(index + 1);
  expect(arrays.map(array => new Set(array))).toEqual(
    lengths.map((length, index) => new Set(length === 0 ? [] : [index + 1])),
  );
});

test('small arrays are cut from one block, which goes with them', () => {
  const slab = new NumberSlab();
  const [one, other] = [slab.take(100), slab.take(100)];
  expect(other.buffer).toBe(one.buffer);
  expect(one.buffer.byteLength).toBe(65_536);
});
