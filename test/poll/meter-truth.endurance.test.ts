import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hourMs, minuteMs } from '../../src/resources/duration.ts';
import type { MeterAmounts } from '../../src/resources/meter.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { sumOfHours } from '../support/metered-service.ts';
import { firstAt, hours, openMeter } from './open-meter.ts';

const step = fc.record({
  laterHours: fc.oneof(
    { weight: 8, arbitrary: fc.nat(3) },
    { weight: 1, arbitrary: fc.integer({ min: 24, max: 500 }) },
  ),
  lagHours: fc.nat(20),
  event: fc.constantFrom('none', 'none', 'none', 'kill', 'fault', 'kill in the middle'),
});

test('over outages, kills, faults, growing hours and a plan that changes in mid-month, every metered figure is the true one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 40 }),
      fc.integer({ min: 0, max: 24 * 45 }),
      async (steps, planChangesAtHour) => {
        using folder = new HistoryFolder();
        const length = 24 * 45;
        const projects = ['a', 'b', 'c'].map(id => ({
          ...hours(id, length),
          planChangesAt: firstAt + planChangesAtHour * hourMs,
        }));
        const { world, poll, list, restart, metered } = openMeter(folder, projects);
        const truth = sumOfHours(projects.flatMap(project => project.hours));
        list();
        let shown: MeterAmounts = {};
        const look = () => {
          const now = metered() ?? {};
          for (const metric of Object.keys(truth) as (keyof MeterAmounts)[]) {
            expect(now[metric] ?? 0).toBeGreaterThanOrEqual(shown[metric] ?? 0);
            expect(now[metric] ?? 0).toBeLessThanOrEqual(truth[metric] ?? 0);
          }
          shown = now;
        };
        for (const { laterHours, lagHours, event } of steps) {
          world.now += laterHours * hourMs + 11 * minuteMs;
          world.lagHours = lagHours;
          if (event === 'kill') restart();
          world.fails = event === 'fault' ? 'unavailable' : undefined;
          world.diesAfterPage = event === 'kill in the middle';
          await poll();
          if (world.diesAfterPage) restart();
          look();
        }
        world.fails = undefined;
        world.diesAfterPage = false;
        world.now = Math.max(world.now, firstAt + length * hourMs);
        for (const laterMs of [21 * hourMs, 25 * hourMs, 25 * hourMs]) {
          world.now += laterMs;
          await poll();
          look();
        }
        expect(shown).toEqual(truth);
      },
    ),
    { numRuns: 8 },
  );
});
