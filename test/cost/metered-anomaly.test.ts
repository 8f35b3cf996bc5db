import { expect, test } from 'vitest';
import { findMeteredAnomalies, type MeterHabit } from '../../src/cost/forecast/metered-anomaly.ts';
import { dayMs } from '../../src/resources/duration.ts';
import type { MeterMetric } from '../../src/resources/meter.ts';
import type { MeteredLedger } from '../../src/resources/usage/ledger.ts';

const gigabyte = 1e9;
const habit: MeterHabit = { leastBytes: 10 * gigabyte, leastBranches: 10, unit: 'month' };
const transfer = 'public_network_transfer_bytes';
const storage = 'root_branch_bytes_month';
const branches = 'extra_branches_month';

/** What is unusual of a project that was metered so each day, from one on until `until`. */
function look(
  until: string,
  metric: MeterMetric,
  days: readonly number[],
  more: Partial<MeterHabit & { created_at: number }> = {},
) {
  const untilAt = Date.parse(until);
  const fromAt = untilAt - days.length * dayMs;
  const ledger: MeteredLedger = {
    others: [],
    // What may still grow is looked at as well.
    knownSpan: () => ({ fromAt: fromAt - 5000, untilAt: untilAt - 2 * dayMs }),
    meteredUntil: (_, asked, at) =>
      asked === metric
        ? days.slice(0, Math.max(0, (at - fromAt) / dayMs)).reduce((sum, amount) => sum + amount, 0)
        : 0,
  };
  const { created_at, ...rest } = more;
  const project = { account: 'main', project_id: 'p', project_ref: 7, ...(created_at && { created_at }) };
  const found = findMeteredAnomalies(ledger, { account: 'main', knownUntilAt: untilAt }, [project], {
    ...habit,
    ...rest,
  });
  return found.get(7);
}

const repeat = (count: number, amountOf: (day: number) => number) =>
  Array.from({ length: count }, (_, day) => amountOf(day));

test('a day that transfers far more than its weekday ever did is unusual by what it transfers beyond the habit', () => {
  const usual = repeat(28, day => (day % 7 < 5 ? 4 : 1) * gigabyte);
  expect(look('2026-03-10', transfer, [...usual, 4 * gigabyte])).toBeUndefined();
  expect(look('2026-03-10', transfer, [...usual, 40 * gigabyte])).toEqual({ [transfer]: 36 * gigabyte });
  // Half as much again as the day of the week before, but less than ten gigabytes more.
  expect(look('2026-03-10', transfer, [...usual, 13 * gigabyte])).toBeUndefined();
});

test('a jump shows on its day and the next one, which is compared with the jump, too', () => {
  const days = [...repeat(28, () => gigabyte), 40 * gigabyte, 41 * gigabyte];
  expect(look('2026-03-10', transfer, days)).toEqual({ [transfer]: 39 * gigabyte });
  expect(look('2026-03-10', transfer, [...days, 41 * gigabyte])).toBeUndefined();
});

/** Byte-months of a day of a month of 31 days, by the gigabytes that are stored. */
const stored = (gigabytes: number, daysInMonth = 31) => (gigabytes * gigabyte) / daysInMonth;

test('storage is unusual where it grows from one day to the next by more than it usually does', () => {
  const growing = repeat(28, day => stored(400 + day));
  expect(look('2026-03-30', storage, [...growing, stored(428)])).toBeUndefined();
  const [jumped] = Object.values(look('2026-03-30', storage, [...growing, stored(470)]) ?? {});
  expect(jumped).toBeCloseTo(42 * gigabyte, 0);
  expect(look('2026-03-30', storage, [...growing, stored(100)])).toBeUndefined();
});

test('a month with fewer days makes nothing grow', () => {
  const january = repeat(28, () => stored(900, 31));
  expect(look('2026-02-02', storage, [...january, stored(900, 28)])).toBeUndefined();
  // By the hour there are no months.
  const hourly = repeat(28, () => 24 * 900 * gigabyte);
  expect(look('2026-02-02', storage, [...hourly, 24 * 900 * gigabyte], { unit: 'hour' })).toBeUndefined();
  expect(look('2026-02-02', storage, [...hourly, 24 * 950 * gigabyte], { unit: 'hour' })).toEqual({
    [storage]: 50 * gigabyte,
  });
});

test('extra branches are counted as so many, and rests that come to a whole branch-month tell nothing', () => {
  const hourly = repeat(28, () => 24 * 3);
  expect(look('2026-03-30', branches, [...hourly, 24 * 14], { unit: 'hour' })).toEqual({ [branches]: 11 });
  const monthly = repeat(28, () => 0);
  expect(look('2026-03-30', branches, [...monthly, 1])).toBeUndefined();
  expect(look('2026-03-30', branches, [...monthly, 3])?.[branches]).toBeCloseTo(93, 9);
});

test('what is stored in a new project is no jump, and in its first days it has no habit', () => {
  const created_at = Date.parse('2026-03-27T13:00:00Z');
  const days = [...repeat(28, () => 0), stored(50), stored(100), stored(200)];
  expect(look('2026-03-30', storage, days, { created_at })).toBeUndefined();
  const older = { created_at: Date.parse('2026-03-01') };
  expect(look('2026-03-30', storage, days, older)?.[storage]).toBeCloseTo(100 * gigabyte, 0);
});
