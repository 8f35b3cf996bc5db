import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findDelayChange } from '../../../src/cost/difference/delay-change.ts';
import { dayMs, hourMs, minuteMs } from '../../../src/resources/duration.ts';
import type { AwakeSpan, EndpointHistory } from '../../../src/resources/endpoint-history.ts';
import { createRandom } from '../../../src/simulator/model/random.ts';
import { testSeed } from '../../support/seed.ts';

const before = { fromAt: 0, untilAt: 30 * dayMs };
const after = { fromAt: 30 * dayMs, untilAt: 60 * dayMs };

interface DrawnLife {
  readonly seed: number;
  /** The shortest use. */
  readonly leastUseMs: number;
  /** Mean of what is used beyond that. */
  readonly moreUseMs: number;
  /** Mean of the time between two uses. */
  readonly pauseMs: number;
  readonly delayAt: (at: number) => number;
  /** How much longer a use is than drawn. */
  readonly factorAt?: (at: number) => number;
}

/** Times awake as operations alone tell them: from a use until nothing used it for the delay. */
function live({
  seed,
  leastUseMs,
  moreUseMs,
  pauseMs,
  delayAt,
  factorAt = () => 1,
}: DrawnLife): EndpointHistory {
  const random = createRandom(seed);
  const exponential = (mean: number) => -mean * Math.log(1 - random.fraction());
  const awake: AwakeSpan[] = [];
  let at = hourMs;
  while (at < after.untilAt) {
    const usedUntilAt = at + factorAt(at) * (leastUseMs + exponential(moreUseMs));
    const span = { fromAt: at, untilAt: usedUntilAt + delayAt(usedUntilAt) };
    const last = awake.at(-1);
    if (last !== undefined && last.untilAt >= at)
      awake[awake.length - 1] = { ...last, untilAt: Math.max(last.untilAt, span.untilAt) };
    else awake.push(span);
    at = usedUntilAt + exponential(pauseMs);
  }
  return {
    ...{ account: 'main', project_id: 'p-1', endpoint_id: 'ep-1', fromAt: 0, untilAt: after.untilAt },
    awake,
    checks: [],
  };
}

const minutes = (count: number) => count * minuteMs;
const find = (life: DrawnLife) => findDelayChange(live(life), { before, after });

test('a delay of an hour in place of five minutes is seen in operations alone: fewer wakes, each as much longer', () => {
  const past = live({
    ...{ seed: 3, leastUseMs: minutes(9), moreUseMs: minutes(8), pauseMs: minutes(95) },
    delayAt: at => (at < after.fromAt ? minutes(5) : minutes(60)),
  });
  const inPeriod = (from: number, until: number) =>
    past.awake.filter(({ fromAt }) => fromAt >= from && fromAt < until);
  const mean = (spans: readonly AwakeSpan[]) =>
    spans.reduce((sum, { fromAt, untilAt }) => sum + untilAt - fromAt, 0) / spans.length / minuteMs;
  const [old, now] = [inPeriod(0, before.untilAt), inPeriod(after.fromAt, after.untilAt)];
  expect([old.length, now.length]).toEqual([expect.any(Number), expect.any(Number)]);
  expect(old.length).toBeGreaterThan(1.5 * now.length);
  expect(mean(now)).toBeGreaterThan(mean(old) + 50);
  expect(findDelayChange(past, { before, after })).toMatchObject({ fromMs: minutes(5), toMs: minutes(60) });
});

const drawn = fc.record({
  seed: fc.integer({ min: 1, max: 1e6 }),
  leastUseMs: fc.integer({ min: 1, max: 12 }).map(minutes),
  moreUseMs: fc.integer({ min: 3, max: 12 }).map(minutes),
  pauseMs: fc.integer({ min: 60, max: 130 }).map(minutes),
});

test(`a delay that never changed is not told of, whatever the uses are (TEST_SEED=${testSeed()})`, () => {
  const delay = fc.constantFrom(1, 5, 10, 30, 60).map(minutes);
  fc.assert(
    fc.property(drawn, delay, (life, delayMs) => {
      expect(find({ ...life, delayAt: () => delayMs })).toBeUndefined();
    }),
    { seed: testSeed(), numRuns: 200 },
  );
});

test(`uses that take half as long again, or up to five times as long, are mostly not taken for another delay (TEST_SEED=${testSeed()})`, () => {
  const factor = fc.integer({ min: 15, max: 50 }).map(tenths => tenths / 10);
  const samples = fc.sample(fc.tuple(drawn, factor), { seed: testSeed(), numRuns: 200 });
  const told = samples.filter(([life, longer]) => {
    const factorAt = (at: number) => (at < after.fromAt ? 1 : longer);
    return find({ ...life, delayAt: () => minutes(5), factorAt }) !== undefined;
  });
  expect(told.length).toBeLessThanOrEqual(40);
});

test(`a change between five minutes and an hour is mostly told, and nearly always rightly (TEST_SEED=${testSeed()})`, () => {
  const day = fc.integer({ min: 30, max: 40 });
  const samples = fc.sample(fc.tuple(drawn, fc.boolean(), day), { seed: testSeed(), numRuns: 200 });
  const changes = samples.map(([life, isLonger, first]) => {
    const [fromMs, toMs] = isLonger ? [minutes(5), minutes(60)] : [minutes(60), minutes(5)];
    const change = find({ ...life, delayAt: at => (at < first * dayMs ? fromMs : toMs) });
    if (change === undefined) return 'not told';
    return change.fromMs === fromMs && change.toMs === toMs ? 'right' : 'wrong';
  });
  const count = (word: string) => changes.filter(each => each === word).length;
  expect(count('right')).toBeGreaterThan(120);
  expect(count('wrong')).toBeLessThanOrEqual(6);
});
