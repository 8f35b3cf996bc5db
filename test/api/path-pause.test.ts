import { expect, test } from 'vitest';
import { pauseError } from '../../src/api/message/status-error.ts';
import { PathPause } from '../../src/api/pacing/retry-timing.ts';

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
