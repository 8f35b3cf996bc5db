import { expect, test } from 'vitest';
import { measureFindings } from '../../quality/finding-quality.ts';

test('on simulated fleets nine in ten findings are right, nine in ten are found, and every period is', () => {
  for (const quality of measureFindings({ seeds: [1, 2, 3, 4, 5, 6, 7, 8] })) {
    const { kind, expected, precision, recall } = quality;
    expect(expected, kind).toBeGreaterThanOrEqual(8);
    expect(precision, `precision of ${kind}`).toBeGreaterThanOrEqual(0.9);
    expect(recall, `recall of ${kind}`).toBeGreaterThanOrEqual(0.9);
    if (kind === 'woken_on_period') expect(quality.rightPeriods).toBe(quality.right);
  }
});
