import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findRecurrence } from '../../../src/cost/finding/recurrence.ts';
import { createRandom } from '../../../src/simulator/model/random.ts';
import { countSteps } from '../../support/step-count.ts';
import { begin, day, hour, minute, repeat } from './past-builder.ts';

const seeds = fc.integer({ min: 0, max: 0xffffffff });
const periods = fc.constantFrom(...[2, 5, 7, 10, 15, 30, 60].map(minutes => minutes * minute));

test('a schedule is found with jitter, a tenth of its beats missing and four wakes a day between them', () => {
  fc.assert(
    fc.property(seeds, periods, (seed, periodMs) => {
      const random = createRandom(seed);
      const beats = repeat(Math.floor((14 * day) / periodMs), beat => beat * periodMs)
        .filter(() => !random.chance(0.1))
        .map(at => at + Math.round((random.fraction() - 0.5) * 0.04 * periodMs));
      const people = repeat(
        14 * 4,
        index => Math.floor(index / 4) * day + random.integer(8 * hour, 18 * hour),
      );
      const instants = [...beats, ...people].map(at => begin + at).sort((left, right) => left - right);
      const found = findRecurrence(instants)?.periodMs ?? 0;
      expect(Math.abs(found / periodMs - 1)).toBeLessThan(0.01);
    }),
    { numRuns: 60 },
  );
});

test('a job that counts from the end of its last run is found though its phase drifts', () => {
  const random = createRandom(7);
  let at = begin;
  const instants = repeat(500, () => {
    at += 10 * minute + random.integer(0, 20_000);
    return at;
  });
  expect(findRecurrence(instants)?.periodMs).toBeGreaterThan(10 * minute);
  expect(findRecurrence(instants)?.periodMs).toBeLessThan(10 * minute + 20_000);
});

test('starts some seconds late do not change what a schedule is called', () => {
  const delays = [2000, 3000, 4000, 3000, 2000];
  const hourly = repeat(48, beat => begin + beat * hour + (delays[beat % 5] ?? 0));
  expect(findRecurrence(hourly)).toEqual({ periodMs: hour, beats: hourly.map(() => true), share: 1 });
});

test('six times are no schedule yet, seven are', () => {
  const nightly = (nights: number) => repeat(nights, night => begin + night * day);
  expect(findRecurrence(nightly(6))).toBeUndefined();
  expect(findRecurrence(nightly(7))?.periodMs).toBe(day);
});

test('wakes at random times, in bursts and in working hours have no period', () => {
  const draws: Readonly<Record<string, (random: ReturnType<typeof createRandom>) => number>> = {
    random: random => minute - Math.log(1 - random.fraction()) * hour,
    rare: random => minute - Math.log(1 - random.fraction()) * day,
    bursts: random =>
      random.chance(0.7) ? random.integer(6 * minute, 15 * minute) : random.integer(2 * hour, 12 * hour),
  };
  for (const [name, drawGap] of Object.entries(draws)) {
    for (const seed of repeat(40, index => index)) {
      const random = createRandom(seed, name);
      const instants: number[] = [];
      for (let at = begin; at < begin + 28 * day; at += drawGap(random)) instants.push(Math.round(at));
      expect(findRecurrence(instants), `${name} ${seed}`).toBeUndefined();
    }
  }
  for (const seed of repeat(40, index => index)) {
    const random = createRandom(seed, 'office');
    const instants = repeat(20, workday => (workday + 2 * Math.floor(workday / 5)) * day).flatMap(morning =>
      repeat(9, index => begin + morning + (8 + index) * hour + random.integer(0, 55 * minute)),
    );
    expect(findRecurrence(instants), `office ${seed}`).toBeUndefined();
  }
});

test('a month of wakes every minute is judged, in steps that grow with the wakes and no faster', async () => {
  const everyMinute = (beats: number) => repeat(beats, beat => begin + beat * minute);
  expect(findRecurrence(everyMinute(40_000))?.periodMs).toBe(minute);
  const judge = (beats: number) =>
    countSteps(
      () => import('../../../src/cost/finding/recurrence.ts'),
      fresh => expect(fresh.findRecurrence(everyMinute(beats))?.periodMs).toBe(minute),
    );
  const steps = await judge(1000);
  expect(steps).toBeLessThan(1500 * 1000);
  expect(await judge(2000)).toBeLessThan(2.5 * steps);
});
