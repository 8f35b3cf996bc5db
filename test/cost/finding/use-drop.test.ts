import { expect, test } from 'vitest';
import { findUseDrop } from '../../../src/cost/finding/done-finding.ts';
import { listInstants } from '../../../src/resources/backfill.ts';
import { begin, day } from './past-builder.ts';

/** An endpoint whose use grows by so much each day, even within it. */
function using(daily: readonly number[]): Parameters<typeof findUseDrop>[0] {
  const usedUntil = (at: number) =>
    daily.reduce((sum, used, index) => sum + used * Math.min(1, Math.max(0, (at - begin) / day - index)), 0);
  return {
    known: { fromAt: begin, untilAt: begin + daily.length * day },
    usedAtSteps: instants => Array.from(listInstants(instants), usedUntil),
  };
}

const weeks = (...daily: readonly number[]) => daily.flatMap(used => new Array<number>(7).fill(used));

test('the day on which use fell is found, and whole weeks on both sides of it are compared', () => {
  const daily = [...weeks(10, 10), 10, 10, 4, ...weeks(3, 3)];
  expect(findUseDrop(using(daily))).toEqual({
    at: begin + 16 * day,
    before: { fromAt: begin + day, untilAt: begin + 15 * day },
    after: { fromAt: begin + 17 * day, untilAt: begin + 31 * day },
    beforeADay: 10,
    afterADay: 3,
  });
});

test('too little time on one side tells nothing', () => {
  const daily = [...weeks(10, 10, 10), 3, 3, 3, 3, 3, 3, 3];
  expect(findUseDrop(using(daily))).toBeUndefined();
  expect(findUseDrop(using([...daily, 3]))).toMatchObject({ afterADay: 3 });
});

test('weekends, growth and small drops are none', () => {
  const week = [10, 10, 10, 10, 10, 1, 1];
  const office = [week, week, week, week, week, week].flat();
  expect(findUseDrop(using(office))).toBeUndefined();
  expect(findUseDrop(using(weeks(3, 3, 10, 10)))).toBeUndefined();
  expect(findUseDrop(using(weeks(10, 10, 9.2, 9.2)))).toBeUndefined();
});
