import { expect, test } from 'vitest';
import { simulateDelay } from '../../../src/cost/finding/shorter-delay.ts';
import type { Pause } from '../../../src/resources/endpoint-history.ts';
import { awakeFor, begin, hour, makePast, minute } from './past-builder.ts';

/** What is slept with a delay of five minutes within a span of two hours that ends an hour after its last use. */
function sleep(...pauses: readonly Pause[]) {
  const past = makePast({ awake: [{ ...awakeFor(0, 2 * hour, hour), pauses }] });
  const { sleptMs, extraWakes } = simulateDelay(past, hour, 5 * minute);
  return { sleptMinutes: (sleptMs[0] ?? 0) / minute - 55, extraWakes };
}

const pause = (lastsMs: number, atMostMs: number): Pause => ({
  fromAt: begin,
  untilAt: begin + lastsMs,
  latestUntilAt: begin + atMostMs,
});

test('a pause that ended between two readings ended in the middle of them on average', () => {
  expect(sleep(pause(10 * minute, 14 * minute))).toEqual({ sleptMinutes: 7, extraWakes: 1 });
  expect(sleep({ fromAt: begin, untilAt: begin + 10 * minute })).toEqual({ sleptMinutes: 5, extraWakes: 1 });
});

test('one that was long enough for sleep in three of four cases counts so much less', () => {
  // Ended 4 to 8 minutes after it began: in three of four cases after the fifth, then 1.5 minutes on average.
  expect(sleep(pause(4 * minute, 8 * minute))).toEqual({ sleptMinutes: 0.75 * 1.5, extraWakes: 0.75 });
  expect(sleep(pause(2 * minute, 5 * minute))).toEqual({ sleptMinutes: 0, extraWakes: 0 });
});
