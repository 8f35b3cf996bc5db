import { beforeAll, expect, test } from 'vitest';
import { type DailyCase, forecastDaily, listWorseDays, meanErrors } from '../quality/forecast-quality.ts';
import { forecastFleets, inventFleet } from '../quality/invented-fleet.ts';
import { seedsFrom } from '../quality/quality-table.ts';

/** None of these was used to choose a model or a constant. */
const seeds = seedsFrom(1, 10);
const casesByKind = new Map<string, readonly DailyCase[]>();

beforeAll(() => {
  for (const kind of forecastFleets) {
    casesByKind.set(
      kind.name,
      seeds.flatMap(seed => forecastDaily(inventFleet(kind, seed))),
    );
  }
});

test('a forecast is better than the mean of the last four same weekdays on every day of a month', () => {
  const cases = [...casesByKind.values()].flat();
  // Three months that begin in 2026, of ten fleets of each of six kinds.
  expect(cases).toHaveLength((30 + 27 + 30) * 10 * 6);
  expect(listWorseDays(cases)).toEqual([]);
});

test.for(forecastFleets)('it is better over $name fleets', ({ name }) => {
  const { error, weekdayError } = meanErrors(casesByKind.get(name) ?? []);
  expect(error).toBeLessThan(0.95 * weekdayError);
});
