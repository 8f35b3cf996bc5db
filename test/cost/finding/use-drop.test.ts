import { expect, test } from 'vitest';
import { findUseDrop } from '../../../src/cost/finding/use-drop.ts';
import { begin, day } from './past-builder.ts';

/** Use that grows by so much each day, even within it. */
function usedBy(daily: readonly number[]): (at: number) => number {
  return at =>
    daily.reduce((sum, used, index) => sum + used * Math.min(1, Math.max(0, (at - begin) / day - index)), 0);
}

const span = (days: number) => ({ fromAt: begin, untilAt: begin + days * day });
const weeks = (...daily: readonly number[]) => daily.flatMap(used => new Array<number>(7).fill(used));

test('the day on which use fell is found, and whole weeks on both sides of it are compared', () => {
  const daily = [...weeks(10, 10), 10, 10, 4, ...weeks(3, 3)];
  expect(findUseDrop(usedBy(daily), span(daily.length))).toEqual({
    at: begin + 16 * day,
    before: { fromAt: begin + day, untilAt: begin + 15 * day },
    after: { fromAt: begin + 17 * day, untilAt: begin + 31 * day },
    beforeADay: 10,
    afterADay: 3,
  });
});

test('too little time on one side tells nothing', () => {
  const daily = [...weeks(10, 10, 10), 3, 3, 3, 3, 3, 3, 3];
  expect(findUseDrop(usedBy(daily), span(daily.length))).toBeUndefined();
  expect(findUseDrop(usedBy([...daily, 3]), span(daily.length + 1))).toMatchObject({ afterADay: 3 });
});

test('weekends, growth and small drops are none', () => {
  const week = [10, 10, 10, 10, 10, 1, 1];
  const office = [week, week, week, week, week, week].flat();
  expect(findUseDrop(usedBy(office), span(office.length))).toBeUndefined();
  expect(findUseDrop(usedBy(weeks(3, 3, 10, 10)), span(28))).toBeUndefined();
  expect(findUseDrop(usedBy(weeks(10, 10, 9.2, 9.2)), span(28))).toBeUndefined();
});
