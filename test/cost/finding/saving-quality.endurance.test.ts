import { expect, test } from 'vitest';
import { compareSavings, judgeSavings } from '../../quality/saving-quality.ts';

test('what is claimed to be saved is within a factor of 1.5 of the truth, and hardly ever above it', () => {
  const judged = judgeSavings({ seed: 3 });
  const byKind = Map.groupBy(judged, ({ kind }) => kind);
  expect(byKind.size).toBeGreaterThanOrEqual(6);
  for (const [kind, savings] of byKind) {
    const { ratio, most } = compareSavings(savings);
    expect(ratio, kind).toBeGreaterThan(1 / 1.5);
    expect(most, kind).toBeLessThan(1.1);
  }
}, 120_000);
