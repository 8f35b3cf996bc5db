import { expect, test } from 'vitest';
import { growthFactor } from '../../src/cost/forecast/metered-growth.ts';
import { rollMeter } from '../../src/cost/forecast/metered-past.ts';
import { hoursPerDay } from '../../src/cost/forecast/week-slot.ts';
import { dayMs } from '../../src/resources/duration.ts';
import type { UsageProject } from '../../src/resources/usage/ledger.ts';
import { accountKinds } from '../quality/account-kind.ts';
import { type AccountRecord, recallUse } from '../quality/account-record.ts';
import { seedsFrom } from '../quality/quality-table.ts';
import { meterOf, meteredMetric as metric } from './young-meter.ts';

/** They were first used when all constants had been chosen; those were chosen by 201 to 240. */
const seeds = seedsFrom(70_001, 40);
const elapsedDays = [3, 7, 10, 15, 20, 25] as const;
const project: UsageProject = { project_ref: 1, account: 'main', project_id: 'p' };

/** Bytes that an account transfers in each day, in proportion to the compute it used. */
function transferOf(record: AccountRecord): readonly number[] {
  const { steady, young, gone } = recallUse(record);
  const all = [steady, ...[...young, ...gone].map(({ hours }) => hours)];
  return Array.from({ length: Math.floor(steady.length / hoursPerDay) }, (_, day) =>
    all.reduce((sum, hours) => {
      const own = hours.subarray(day * hoursPerDay, (day + 1) * hoursPerDay);
      return sum + own.reduce((total, used) => total + used * 1e6, 0);
    }, 0),
  );
}

/** Bytes that are there on each day: a part of what is transferred stays for ever, as it did for long before. */
function storageOf(record: AccountRecord): readonly number[] {
  const transferred = transferOf(record);
  let stored = transferred.reduce((sum, bytes) => sum + bytes, 0);
  return transferred.map(bytes => {
    stored += bytes;
    return stored;
  });
}

/** Whether the rest of a month came out within its bounds, and by what part of it the forecast was wrong. */
function judge(days: readonly number[], monthDays: number) {
  return elapsedDays.map(elapsed => {
    const known = days.length - monthDays + elapsed;
    const past = rollMeter(meterOf(days, known), [project]);
    const untilAt = days.length * dayMs;
    const sum = (from: number, until: number) =>
      days.slice(from, until).reduce((total, day) => total + day, 0);
    const expected = (sum(known - 7, known) / 7) * (days.length - known);
    const actual = sum(known, days.length);
    const factor = (bound: Parameters<typeof growthFactor>[3]) => growthFactor(past, metric, untilAt, bound);
    const isWithin = (percent: 80 | 95) =>
      actual >= expected * factor(`low${percent}`) && actual <= expected * factor(`high${percent}`);
    return { is80: isWithin(80), is95: isWithin(95), width80: factor('high80') / factor('low80') };
  });
}

const records = accountKinds.flatMap(({ create }) => seeds.map(create));

test.for([
  ['transfer', transferOf, 0.95],
  // What only grows is foretold too low each time: the bounds that learn from it are wide.
  ['storage', storageOf, 1],
] as const)(
  'of months of %s no fewer come out within the bounds than they say',
  ([what, series, mostWithin80]) => {
    const cases = records.flatMap(record => judge(series(record), record.monthDays));
    const part = (of: (each: (typeof cases)[number]) => boolean) => cases.filter(of).length / cases.length;
    const [within80, within95] = [part(({ is80 }) => is80), part(({ is95 }) => is95)];
    const width = cases.map(({ width80 }) => width80).sort((a, b) => a - b)[cases.length >> 1] ?? 0;
    console.info(
      `${what}: ${cases.length} forecasts, within 80 %: ${within80.toFixed(3)}, within 95 %: ${within95.toFixed(3)}, high over low: ${width.toFixed(2)}`,
    );
    expect(within80).toBeGreaterThanOrEqual(0.75);
    expect(within80).toBeLessThanOrEqual(mostWithin80);
    expect(within95).toBeGreaterThanOrEqual(0.9);
    expect(width).toBeLessThan(2);
  },
);
