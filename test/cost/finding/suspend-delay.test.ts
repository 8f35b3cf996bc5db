import { expect, test } from 'vitest';
import { findFindings } from '../../../src/cost/finding/finding-list.ts';
import { inferSuspendDelay } from '../../../src/cost/finding/suspend-delay.ts';
import { awakeFor, begin, day, hour, makePast, minute, repeat, stretch } from './past-builder.ts';

/** Minutes that follow no schedule. */
const scatter = (index: number) => ((index * index) % 7) * 11 * minute;

test('the delay is how long after its last use an endpoint was suspended', () => {
  const awake = repeat(5, index => awakeFor(index * 4 * hour, 20 * minute + 2000, 10 * minute));
  expect(inferSuspendDelay(makePast({ awake }))).toBe(10 * minute);
});

test('one last use tells the delay if no span was shorter, also the one the endpoint itself is read with', () => {
  const awake = repeat(3, index => awakeFor(hour + index * 4 * hour, (30 + index) * minute));
  const lastActiveAt = begin + 9 * hour + 12 * minute;
  // The last span is from 9:00 to 9:32.
  expect(inferSuspendDelay(makePast({ awake, lastActiveAt }))).toBe(20 * minute);
  expect(inferSuspendDelay(makePast({ awake, lastActiveAt: begin + 9 * hour - minute }))).toBeUndefined();
  const shorter = [awakeFor(10 * minute, 9 * minute), ...awake];
  expect(inferSuspendDelay(makePast({ awake: shorter, lastActiveAt }))).toBeUndefined();
});

test('without last uses the delay is the shortest span, if many are hardly longer', () => {
  const spans = (seconds: readonly number[]) =>
    makePast({ awake: seconds.map((long, index) => awakeFor((index + 1) * 4 * hour, long * 1000)) });
  expect(inferSuspendDelay(spans([304, 308, 312, 360, 420, 1800]))).toBe(5 * minute);
  expect(inferSuspendDelay(spans([304, 610, 930, 1400, 1800, 2700]))).toBeUndefined();
  expect(inferSuspendDelay(spans([304, 304, 304, 304]))).toBeUndefined();
});

test('half a minute of use and then an hour until auto-suspend is an idle tail', () => {
  const awake = repeat(40, index =>
    awakeFor(hour + index * 6 * hour + scatter(index), hour + 32_000, 30_000),
  );
  expect(findFindings(makePast({ awake }))).toEqual([
    {
      account: 'main',
      project_id: 'p1',
      endpoint_id: 'ep1',
      kind: 'idle_tail',
      evidence:
        'After its last use it stays awake for 1 hour until auto-suspend: 40 times in 10 days, 99.1% of its awake time.',
      advice: 'Set its auto-suspend delay to 1 minute.',
      delayMs: hour,
      advisedDelayMs: minute,
      share: 3602 / 3632,
      // 40 x 3,542 s; at most all 40 x 3,632 s, as what was used was not seen.
      hoursPerMonth: { likely: 39.355556, most: 40.355556 },
    },
  ]);
});

test('two hours of use and then one until auto-suspend would sleep longer with a shorter delay', () => {
  const awake = repeat(10, index => awakeFor(index * day + 9 * hour + scatter(index), 3 * hour, 2 * hour));
  expect(findFindings(makePast({ awake }))).toMatchObject([
    {
      kind: 'longer_than_needed',
      evidence:
        'With an auto-suspend delay of 15 minutes instead of 1 hour it would have slept 91% instead of 88% of 10 days. It is not known how many more wakes that makes. The difference is small: likely is only what is sure.',
      advice: 'Set its auto-suspend delay to 15 minutes.',
      delayMs: hour,
      advisedDelayMs: 15 * minute,
      // 10 x 45 minutes after the last use; at most all 30 hours.
      hoursPerMonth: { likely: 7.5, most: 30 },
    },
  ]);
});

test('a delay that many pauses hardly exceed is not advised: their wakes weigh more than what is slept', () => {
  // In each two hours of use, 40 pauses of 100 s and two of 20 minutes.
  const awake = repeat(10, index => {
    const afterMs = index * day + 9 * hour + scatter(index);
    const short = repeat(40, pause => stretch(afterMs + pause * 2 * minute, 100_000));
    const long = repeat(2, pause => stretch(afterMs + 80 * minute + pause * 20 * minute, 19 * minute));
    return { ...awakeFor(afterMs, 3 * hour, 2 * hour), pauses: [...short, ...long] };
  });
  expect(findFindings(makePast({ awake }))).toMatchObject([
    {
      kind: 'longer_than_needed',
      evidence:
        'With an auto-suspend delay of 2 minutes instead of 1 hour it would have slept 94% instead of 88% of 10 days, with 2 more wakes a day.',
      advisedDelayMs: 2 * minute,
      // 10 x (58 + 2 x 17) minutes.
      hoursPerMonth: { likely: 15.333333, most: 15.333333 },
    },
  ]);
});

test('a delay of one minute is as short as it should be', () => {
  const awake = repeat(40, index => awakeFor(hour + index * 6 * hour + scatter(index), 92_000, 30_000));
  expect(findFindings(makePast({ awake, minCu: 7, maxCu: 7, fromAt: begin }))).toEqual([]);
});
