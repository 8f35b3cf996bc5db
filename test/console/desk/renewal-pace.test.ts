import { expect, test } from 'vitest';
import { RenewalPace } from '../../../src/console/desk/renewal-pace.ts';

const second = 1000;

/** A pace, and renewals that take as long as is said. */
function openPace() {
  const clock = { now: 0 };
  const pace = new RenewalPace();
  const renew = (key: string, tookMs: number) =>
    pace.renew(
      key,
      async () => {
        clock.now += tookMs;
      },
      () => clock.now,
    );
  return { pace, clock, renew };
}

test('all together are renewed in one part in ten of the time', async () => {
  const { pace, clock, renew } = openPace();
  expect(pace.isTurnOf('cost', -60 * second, clock.now)).toBe(true);
  await renew('cost', 5 * second);
  expect(pace.isTurnOf('why', -60 * second, clock.now)).toBe(false);
  clock.now += 44 * second;
  expect(pace.isTurnOf('why', -60 * second, clock.now)).toBe(false);
  clock.now += second;
  expect(pace.isTurnOf('why', -60 * second, clock.now)).toBe(true);
});

test('nothing is renewed beside another renewal, nor at once after one that failed', async () => {
  const { pace, clock } = openPace();
  const { promise, reject } = Promise.withResolvers<void>();
  const renewal = pace.renew(
    'cost',
    () => promise,
    () => clock.now,
  );
  expect(pace.isTurnOf('why', -second, clock.now)).toBe(false);
  clock.now += second;
  reject(new Error('the history is gone'));
  await expect(renewal).rejects.toThrow('gone');
  expect(pace.isTurnOf('why', -second, clock.now)).toBe(false);
  clock.now += 9 * second;
  expect(pace.isTurnOf('why', -second, clock.now)).toBe(true);
});

test('the oldest that somebody asked for lately is first', async () => {
  const { pace, clock, renew } = openPace();
  await renew('fleet', second);
  expect(pace.isTurnOf('cost', -20 * second, clock.now)).toBe(false);
  expect(pace.isTurnOf('why', -30 * second, clock.now)).toBe(false);
  clock.now += 10 * second;
  expect(pace.isTurnOf('cost', -20 * second, clock.now)).toBe(false);
  expect(pace.isTurnOf('why', -30 * second, clock.now)).toBe(true);
  await renew('why', second);
  clock.now += 10 * second;
  expect(pace.isTurnOf('cost', -20 * second, clock.now)).toBe(true);
});

test('what nobody asked for in a minute holds nothing else up', () => {
  const { pace, clock } = openPace();
  expect(pace.isTurnOf('why', -30 * second, clock.now)).toBe(true);
  expect(pace.isTurnOf('cost', -20 * second, clock.now)).toBe(false);
  clock.now += 60 * second;
  expect(pace.isTurnOf('cost', -20 * second, clock.now)).toBe(true);
});
