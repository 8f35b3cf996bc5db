import { expect, test } from 'vitest';
import { seedsFrom } from '../../quality/quality-table.ts';
import { judgeFleets } from '../../quality/why-quality.ts';

// As `npm run quality -- --only why` does, with fewer fleets.
test('the causes of simulated fleets add up exactly, and a planted one is named first', () => {
  const judged = judgeFleets(seedsFrom(20_000, 8)).flatMap(each => each ?? []);
  expect(judged.length).toBeGreaterThanOrEqual(5);
  expect(judged.filter(({ isExact }) => !isExact)).toEqual([]);
  const missed = judged.filter(({ rank }) => rank !== 1);
  expect(missed.length).toBeLessThanOrEqual(1);
}, 180_000);
