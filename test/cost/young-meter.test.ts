import { expect, test } from 'vitest';
import type { Bound } from '../../src/cost/forecast/bound.ts';
import { growthFactor } from '../../src/cost/forecast/metered-growth.ts';
import { rollMeter } from '../../src/cost/forecast/metered-past.ts';
import { projectMeter } from '../../src/cost/forecast/projected-meter.ts';
import { dayMs } from '../../src/resources/duration.ts';
import type { UsageProject } from '../../src/resources/usage/ledger.ts';
import { seedsFrom } from '../quality/quality-table.ts';
import { drawYoungMeters, meterOf, meteredMetric as metric } from './young-meter.ts';

/** They were first used when all constants had been chosen; those were chosen by 201 to 230. */
const seeds = seedsFrom(80_001, 20);
const aheadDays = [3, 10, 20, 28] as const;

/**
 * Whether what came was within its bounds, and how wide these were, of meters of a number of days.
 *
 * @param earlierDays for which the account of the project was metered before.
 */
function judge(age: number, earlierDays: number) {
  return seeds.flatMap(seed =>
    aheadDays.flatMap(ahead =>
      drawYoungMeters(seed, age + ahead).map(({ days }) => {
        const known = earlierDays + age;
        const all = [...Array.from({ length: earlierDays }, () => 0), ...days];
        const project: UsageProject = {
          ...{ project_ref: 1, account: 'main', project_id: 'p' },
          ...(earlierDays > 0 && { created_at: earlierDays * dayMs }),
        };
        const metered = meterOf(all, known);
        const untilAt = (known + ahead) * dayMs;
        const projected = projectMeter({
          metered: meterOf(all.slice(0, known), known),
          projects: [project],
        });
        const used = metered.meteredUntil(1, metric, known * dayMs);
        const expected = (projected?.meteredUntil(1, metric, untilAt) ?? 0) - used;
        const came = metered.meteredUntil(1, metric, untilAt) - used;
        const past = rollMeter(metered, [project]);
        const factor = (bound: Bound) => growthFactor(past, metric, untilAt, bound);
        const isWithin = (percent: 80 | 95) =>
          came >= expected * factor(`low${percent}`) && came <= expected * factor(`high${percent}`);
        return { is80: isWithin(80), is95: isWithin(95), width: factor('high80') / factor('low80') };
      }),
    ),
  );
}

test.for([
  [3, 10, 35],
  [5, 6, 15],
  [7, 4, 10],
  [10, 3, 7],
  [14, 2.6, 5],
  [21, 2.2, 4],
  [28, 2, 3.5],
] as const)(
  'of meters of %i days no fewer come out within the bounds than they say, and these are no wider than need be',
  ([age, widest, widestTenth]) => {
    for (const earlierDays of [0, 40]) {
      const cases = judge(age, earlierDays);
      const part = (of: (each: (typeof cases)[number]) => boolean) => cases.filter(of).length / cases.length;
      const widths = cases.map(({ width }) => width).sort((a, b) => a - b);
      const widthAt = (place: number) => widths[Math.floor(place * widths.length)] ?? 0;
      const shown = `${age} days after ${earlierDays}: ${part(({ is80 }) => is80).toFixed(3)}, ${part(({ is95 }) => is95).toFixed(3)}, ${widthAt(0.5).toFixed(2)}, ${widthAt(0.9).toFixed(2)}`;
      expect(
        part(({ is80 }) => is80),
        shown,
      ).toBeGreaterThanOrEqual(0.75);
      expect(
        part(({ is95 }) => is95),
        shown,
      ).toBeGreaterThanOrEqual(0.9);
      expect(widthAt(0.5), shown).toBeLessThan(widest);
      expect(widthAt(0.9), shown).toBeLessThan(widestTenth);
    }
  },
);
