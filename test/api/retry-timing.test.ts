import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pauseError } from '../../src/api/message/status-error.ts';
import { PathPause, parseRetryAfter, retryDelayMs } from '../../src/api/pacing/retry-timing.ts';

const now = Date.UTC(1994, 10, 6, 8, 49, 37);
const dayMs = 86_400_000;

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7_000],
    ['3.5', 3_500],
    ['0.0001', 1],
    ['Sun, 06 Nov 1994 08:50:07 GMT', 30_000],
    ['Sunday, 06-Nov-94 08:50:07 GMT', 30_000],
    ['Sun Nov  6 08:50:07 1994', 30_000],
  ])('%j is a wait of %i ms', (header, expected) => {
    expect(parseRetryAfter(header, now, dayMs)).toBe(expected);
  });

  test('a date that has passed is no wait', () => {
    expect(parseRetryAfter('Sun, 06 Nov 1994 08:49:00 GMT', now, dayMs)).toBe(0);
  });

  test('more than the longest wait is the longest wait', () => {
    expect(parseRetryAfter('99999999999999999999', now, dayMs)).toBe(dayMs);
    expect(parseRetryAfter('Fri, 31 Dec 9999 23:59:59 GMT', now, dayMs)).toBe(dayMs);
  });

  test.each([undefined, '', ' ', '-1', '1e3', 'soon', 'May 2026', 'Sun, 99 Nov 1994 08:50:07 GMT', 'NaN'])(
    '%j says nothing',
    header => {
      expect(parseRetryAfter(header, now, dayMs)).toBeUndefined();
    },
  );

  test('whatever the header, the wait is absent or between zero and a day', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.nat().map(String)), fc.integer({ min: 0 }), (header, at) => {
        const waitMs = parseRetryAfter(header, at, dayMs) ?? 0;
        expect(waitMs).toBeGreaterThanOrEqual(0);
        expect(waitMs).toBeLessThanOrEqual(dayMs);
      }),
    );
  });
});

describe('the delay before another attempt', () => {
  test('doubles from half a second up to twenty seconds', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 2000].map(attempt => retryDelayMs(attempt, () => 1));
    expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000]);
  });

  test('is any share of that, nothing included', () => {
    expect(retryDelayMs(3, () => 0)).toBe(0);
    expect(retryDelayMs(3, () => 0.25)).toBe(500);
  });
});

const until = (retryAt: number) =>
  Object.assign(pauseError('locked', '/projects/{project_id}/endpoints', retryAt, 423), { retryAt });

test('a path is paused until the instant it was told, and no other path is', () => {
  const pause = new PathPause();
  pause.set('/p1', until(5000), 0);
  expect(pause.get('/p1', 4999)?.retryAt).toBe(5000);
  expect(pause.get('/p1', 5000)).toBeUndefined();
  expect(pause.get('/p2', 0)).toBeUndefined();
});

test('an earlier instant does not shorten a pause', () => {
  const pause = new PathPause();
  pause.set('/p1', until(5000), 0);
  pause.set('/p1', until(3000), 1000);
  expect(pause.get('/p1', 4000)?.retryAt).toBe(5000);
});

test('pauses that are over are forgotten, so that deleted projects do not pile up', () => {
  const pause = new PathPause();
  for (let minute = 0; minute < 100; minute += 1) {
    const now = minute * 60_000;
    pause.set(`/p${minute}`, until(now + 90_000), now);
  }
  expect(pause.size).toBe(2);
});
