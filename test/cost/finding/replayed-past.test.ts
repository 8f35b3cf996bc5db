import { expect, test } from 'vitest';
import { awakeMs } from '../../../src/cost/finding/awake-time.ts';
import { findFindings } from '../../../src/cost/finding/finding-list.ts';
import { replayPast, usedHoursOf } from '../../../src/cost/finding/replayed-past.ts';
import type { AwakeSpan, EndpointHistory } from '../../../src/resources/endpoint-history.ts';
import { hash } from '../../../src/simulator/model/random.ts';
import { awakeFor, begin, day, hour, makePast, minute, repeat } from './past-builder.ts';

const random = (seed: number, index: number, most: number) => (hash(seed, index) / 2 ** 32) * most;

/** Awake at times of its own, used at the beginning and after pauses, and waiting for auto-suspend at the end. */
function makeBusy(seed: number): EndpointHistory {
  const delayMs = [5, 10, 30, 60][seed % 4] as number;
  const awake = repeat(60, (index): AwakeSpan => {
    const pauseMs = random(seed, 3 * index, delayMs * minute);
    const usedMs = random(seed, 3 * index + 1, seed % 3 === 0 ? 5 * minute : 2 * hour);
    const span = awakeFor(
      index * 4 * hour + random(seed, 3 * index + 2, 30 * minute),
      usedMs + pauseMs + delayMs * minute,
      usedMs + pauseMs,
    );
    return { ...span, pauses: [{ fromAt: span.fromAt + usedMs, untilAt: span.fromAt + usedMs + pauseMs }] };
  });
  const past = makePast({ awake, delays: [{ fromAt: begin, delayMs: delayMs * minute }] });
  return { ...past, usedCuMs: awakeMs(past) };
}

/** Awake all the time, used every hour or so. */
function makeAlwaysAwake(seed: number): EndpointHistory {
  const pauses = repeat(200, index => {
    const fromAt = begin + index * hour + random(seed, index, 20 * minute);
    return { fromAt, untilAt: fromAt + 30 * minute };
  });
  const awake = [{ ...awakeFor(0, 10 * day, 10 * day - minute), pauses }];
  return makePast({ awake, delays: [{ fromAt: begin, delayMs: Number.POSITIVE_INFINITY }] });
}

test('a delay that a finding proposes saves what the finding says', () => {
  const kinds = new Set<string>();
  for (let seed = 0; seed < 40; seed += 1) {
    for (const past of [makeBusy(seed), makeAlwaysAwake(seed)]) {
      const [finding] = findFindings(past, { minimumComputeHours: 0 });
      if (finding?.advisedDelayMs === undefined) continue;
      kinds.add(finding.kind);
      expect(replayPast(past, { delayMs: finding.advisedDelayMs })).toMatchObject({
        savedHoursPerMonth: finding.hoursPerMonth,
      });
    }
  }
  expect([...kinds].sort()).toEqual(['idle_tail', 'longer_than_needed', 'never_suspends']);
});

test('a smallest size that a finding proposes saves what the finding says', () => {
  const awake = repeat(10, index => awakeFor(index * day, 10 * hour, 10 * hour - 30_000));
  const past = makePast({ minCu: 4, maxCu: 8, awake, usedCuMs: 4 * 100 * hour });
  const [finding] = findFindings(past);
  expect(finding).toMatchObject({ kind: 'floor_size', advice: expect.stringContaining('3 CU') });
  expect(replayPast(past, { minCu: 3 })).toEqual({
    savedHoursPerMonth: finding?.hoursPerMonth,
    extraWakes: 0,
  });
});

test('the settings as they are save nothing, and all of the use is the most that can be saved', () => {
  for (let seed = 0; seed < 10; seed += 1) {
    const past = makeBusy(seed);
    const [present] = past.delays ?? [];
    expect(replayPast(past, { delayMs: present?.delayMs ?? 0, minCu: 1 })).toMatchObject({
      savedHoursPerMonth: { likely: 0, most: 0 },
    });
    const most = replayPast(past, { delayMs: 0, minCu: 0 });
    expect(most).toMatchObject({ savedHoursPerMonth: { most: usedHoursOf(past) } });
  }
});

test('a longer delay takes more, at most until the next use, and then spares that wake', () => {
  const awake = [awakeFor(hour, hour, 50 * minute), awakeFor(2 * hour + 20 * minute, hour, 50 * minute)];
  const spans = [...awake, ...repeat(5, index => awakeFor((index + 1) * day, hour, 50 * minute))];
  const delays = [{ fromAt: begin, delayMs: 10 * minute }];
  const past = makePast({ awake: spans, delays, usedCuMs: 7 * hour });
  const longer = replayPast(past, { delayMs: 40 * minute });
  expect(longer).toMatchObject({ extraWakes: -1 });
  const moreMinutes = 20 + 6 * 30;
  const more = Number((-moreMinutes / 60).toFixed(6));
  expect(longer).toMatchObject({ savedHoursPerMonth: { likely: more, most: more } });
});

test('a size that scaled above its smallest one saves no more than the difference', () => {
  const awake = [awakeFor(0, 100 * hour)];
  const past = makePast({ minCu: 1, maxCu: 8, awake, usedCuMs: 400 * hour });
  expect(replayPast(past, { minCu: 0.5 })).toMatchObject({ savedHoursPerMonth: { most: 50 } });
  expect(replayPast(past, { minCu: 3 })).toMatchObject({ savedHoursPerMonth: { likely: 0, most: 0 } });
  expect(replayPast(past, { minCu: 6 })).toMatchObject({
    savedHoursPerMonth: { likely: -200, most: -200 },
  });
});

test('what is not known is not replayed', () => {
  expect(replayPast(makePast(), { delayMs: minute })).toBe('asleep');
  expect(replayPast(makePast({ days: 0 }), { delayMs: minute })).toBe('too_young');
  const { minCu: _, ...unsized } = makePast({ awake: [awakeFor(0, hour)] });
  expect(replayPast(unsized, { minCu: 1 })).toBe('size_unknown');
  expect(replayPast(makePast({ awake: [awakeFor(0, hour)] }), { delayMs: minute })).toBe('delay_unknown');
  const always = makePast({ awake: [awakeFor(0, 10 * day)] });
  expect(replayPast(always, { delayMs: minute })).toBe('uses_unknown');
});
