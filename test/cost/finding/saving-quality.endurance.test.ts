import { expect, test } from 'vitest';
import { compareSavings, judgeSavings } from '../../quality/saving-quality.ts';

test.each([
  ['four days', { watchedDays: 4, readEverySeconds: 300 }],
  ['one day', { watchedDays: 1, readEverySeconds: 900 }],
])(
  'of fleets that were watched for %s, what is likely was saved, and what is saved at most was not exceeded',
  (_, watching) => {
    const judged = [3, 4, 5].flatMap(seed => judgeSavings({ seed, ...watching }));
    const byKind = Map.groupBy(judged, ({ kind }) => kind);
    expect(byKind.size).toBeGreaterThanOrEqual(5);
    for (const [kind, savings] of byKind) {
      for (const { claimed, saved, used } of savings) {
        const { likely = 0, most } = claimed;
        expect(likely, kind).toBeLessThanOrEqual(most);
        // The use from before it was watched is spread over the time it can have been in.
        expect(most, kind).toBeLessThanOrEqual(1.02 * used + 0.5);
        // A start takes seconds, which no replay knows.
        expect(likely, kind).toBeLessThanOrEqual(1.02 * (saved.likely ?? 0) + 0.5);
        expect(saved.most, kind).toBeLessThanOrEqual(1.02 * most + 0.5);
      }
      const { count, ratio } = compareSavings(savings, 'likely');
      if (count > 0) expect(ratio, kind).toBeGreaterThan(0.4);
    }
  },
  240_000,
);
