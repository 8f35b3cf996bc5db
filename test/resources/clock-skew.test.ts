import { expect, test } from 'vitest';
import { clockSkewMs, toOwnClock, toServiceClock } from '../../src/resources/clock-skew.ts';

const readAt = Date.UTC(2026, 0, 1);

test('a service that is ahead has a positive clock skew', () => {
  expect(clockSkewMs({ readAt, servedAt: readAt + 5_000 })).toBe(5_000);
});

test('the instants of both clocks are an hour apart as their skew is, either way', () => {
  const servedAt = readAt - 3_600_000;
  const skewMs = clockSkewMs({ readAt, servedAt });
  expect(toServiceClock(readAt, skewMs)).toBe(servedAt);
  expect(toOwnClock(servedAt, skewMs)).toBe(readAt);
});
