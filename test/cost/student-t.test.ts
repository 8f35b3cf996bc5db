import { expect, test } from 'vitest';
import { widenForFew } from '../../src/cost/forecast/forecast-error.ts';

test.for([
  // Quantiles of the tables: 90 % and 97.5 %.
  { normal: 1.2816, freedom: 5, expected: 1.476 },
  { normal: 1.2816, freedom: 20, expected: 1.325 },
  { normal: 1.96, freedom: 5, expected: 2.571 },
  { normal: 1.96, freedom: 10, expected: 2.228 },
  { normal: 1.96, freedom: 30, expected: 2.042 },
])('the quantile $normal is $expected with $freedom degrees of freedom', ({ normal, freedom, expected }) => {
  expect(Math.abs(widenForFew(normal, freedom) - expected)).toBeLessThan(0.03);
});

test('fewer than three degrees of freedom are taken for three', () => {
  expect(widenForFew(1.96, 0.5)).toBe(widenForFew(1.96, 3));
});
