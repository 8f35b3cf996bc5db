import { expect, test } from 'vitest';
import { sayDuration, sayEvery } from '../../../src/cost/finding/phrase.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../src/resources/duration.ts';

test.each([
  [1 * secondMs, '1 second'],
  [90 * secondMs, '90 seconds'],
  [59.9 * secondMs, '1 minute'],
  [60.4 * secondMs, '1 minute'],
  [119.4 * secondMs, '119 seconds'],
  [119.6 * secondMs, '2 minutes'],
  [90 * minuteMs, '90 minutes'],
  [59.8 * minuteMs, '1 hour'],
  [119.9 * minuteMs, '2 hours'],
  [2.5 * hourMs, '2.5 hours'],
  [9.96 * hourMs, '10 hours'],
  [24 * hourMs, '1 day'],
  [24.3 * hourMs, '1 day'],
  [25 * hourMs, '25 hours'],
  [47.8 * hourMs, '2 days'],
  [28 * dayMs, '28 days'],
])('%s ms is said as %s', (durationMs, expected) => {
  expect(sayDuration(durationMs)).toBe(expected);
});

test('what repeats is said without the one', () => {
  expect([sayEvery(hourMs), sayEvery(5 * minuteMs), sayEvery(59.9 * minuteMs)]).toEqual([
    'every hour',
    'every 5 minutes',
    'every hour',
  ]);
});
