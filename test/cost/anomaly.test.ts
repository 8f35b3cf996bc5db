import { expect, test } from 'vitest';
import { checkAnomalies } from '../../src/cost/forecast/anomaly.ts';
import { slotsOfHours, utcSlotOf } from '../../src/cost/forecast/week-slot.ts';
import { hourMs } from '../../src/resources/duration.ts';
import { accountKinds } from '../quality/account-kind.ts';
import { addUp, countAnomalies } from '../quality/anomaly-quality.ts';
import { seedsFrom } from '../quality/quality-table.ts';
import { monday } from './hourly-account.ts';

const week = 7 * 24;
const minimumSeconds = 3600;

/** A project compared at the end of a number of hours from a Monday on. */
function compare(hourCount: number, usedIn: (hour: number) => number, from = 0) {
  const hours = Float64Array.from({ length: hourCount }, (_, hour) => usedIn(hour));
  const slots = slotsOfHours(monday, hourCount, utcSlotOf);
  return checkAnomalies({ amounts: hours, slots, from, until: hourCount }, minimumSeconds);
}

/** Two compute units from 09:00 to 17:00 of Monday to Friday. */
function officeHours(hour: number): number {
  return hour % week < 5 * 24 && hour % 24 >= 9 && hour % 24 < 17 ? 7200 : 0;
}

test('a project that does what it always does has no anomaly', () => {
  // Until the fifth Tuesday, 17:00: eight hours of two compute units in a day, three of them lately.
  expect(compare(4 * week + 41, officeHours)).toEqual([
    {
      window: 24,
      used: 57_600,
      usual: 57_600,
      difference: 0,
      score: 0,
      isAnomaly: false,
    },
    {
      window: 3,
      used: 21_600,
      usual: 21_600,
      difference: 0,
      score: 0,
      isAnomaly: false,
    },
  ]);
});

test('work that goes on all through the night shows the next morning, by the difference', () => {
  const nightOf = 4 * week + 24;
  const endsAt = nightOf + 24 + 9;
  const comparison = compare(endsAt, hour => (hour >= nightOf + 17 ? 7200 : officeHours(hour)));
  // From Tuesday 17:00 to Wednesday 09:00: 16 hours of 7200 beside the usual eight.
  expect(comparison[0]).toMatchObject({
    used: 172_800,
    usual: 57_600,
    difference: 115_200,
    isAnomaly: true,
  });
});

test('a runaway of many times the usual size shows within the hour', () => {
  const beginsAt = 4 * week + 30;
  const comparison = compare(beginsAt + 1, hour => (hour >= beginsAt ? 36_000 : officeHours(hour)));
  expect(comparison.find(({ window }) => window === 3)).toMatchObject({
    used: 36_000,
    usual: 0,
    isAnomaly: true,
  });
});

test('a weekend like a working day is unusual, a working day like that is not', () => {
  const always = (hour: number) => officeHours(hour % 24);
  const saturdayEnd = 4 * week + 6 * 24;
  const onSaturday = compare(saturdayEnd, hour =>
    hour >= saturdayEnd - 24 ? always(hour) : officeHours(hour),
  );
  expect(onSaturday[0]).toMatchObject({ used: 57_600, usual: 0, difference: 57_600 });
  expect(onSaturday[0]?.score).toBeGreaterThan(5);
  expect(compare(saturdayEnd - 24, officeHours)[0]).toMatchObject({ difference: 0, isAnomaly: false });
});

test('pennies do not page, however unusual', () => {
  const usedIn = (seconds: number) => (hour: number) => (hour === 4 * week - 1 ? seconds : 1);
  // The usual three hours use three compute seconds, and the last hour takes one.
  expect(compare(4 * week, usedIn(3600))[1]).toMatchObject({ difference: 3599, isAnomaly: false });
  expect(compare(4 * week, usedIn(3601))[1]).toMatchObject({ difference: 3600, isAnomaly: true });
});

test('less than usual shows with its sign and is no anomaly', () => {
  const comparison = compare(4 * week + 41, hour => (hour >= 4 * week + 17 ? 0 : officeHours(hour)));
  expect(comparison[0]).toMatchObject({ used: 0, difference: -57_600, isAnomaly: false });
  expect(comparison[0]?.score).toBeLessThan(-5);
});

test('a wild day in the past does not make the next one usual', () => {
  const wild = (hour: number) => (Math.floor(hour / 24) === 15 ? 36_000 : 3600);
  expect(compare(6 * week, wild)[0]?.usual).toBe(86_400);
});

test('the morning after the clocks changed is compared with mornings', () => {
  // Clocks of this place are set forward by an hour at the end of the fourth week; people come at 09:00 all the same.
  const offsetOf = (hour: number) => (hour >= 4 * week ? 2 : 1);
  const until = 4 * week + 10;
  const hours = Float64Array.from({ length: until }, (_, hour) => officeHours(hour + offsetOf(hour)));
  const slots = slotsOfHours(monday, until, at => utcSlotOf(at + offsetOf((at - monday) / hourMs) * hourMs));
  const comparison = checkAnomalies({ amounts: hours, slots, from: 0, until }, minimumSeconds);
  // From 09:00 to 12:00.
  expect(comparison[1]).toMatchObject({ used: 21_600, usual: 21_600, difference: 0 });
});

test('in its first days a project is compared with the days before, before that with nothing', () => {
  const nightly = (hour: number) => (hour % 24 === 2 ? 3600 : 0);
  expect(compare(95, nightly)).toEqual([]);
  expect(compare(10 * 24, nightly)[0]).toMatchObject({ used: 3600, usual: 3600 });
  expect(compare(10 * 24, nightly, 8 * 24)).toEqual([]);
});

test('projects that do what they do are left alone, and most of what runs away is found within hours', () => {
  const seeds = seedsFrom(1, 12);
  const count = addUp(
    accountKinds.flatMap(({ createCalm }) => seeds.map(seed => countAnomalies(createCalm(seed), seed))),
  );
  const projectQuarters = count.projectHours / (365.25 * 6);
  expect(projectQuarters).toBeGreaterThan(100);
  expect(count.alarms / projectQuarters).toBeLessThan(1);
  expect(count.found / count.runaways).toBeGreaterThan(0.75);
});
