import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findFindings } from '../../../src/cost/finding/finding-list.ts';
import type { AwakeSpan, EndpointHistory } from '../../../src/resources/endpoint-history.ts';
import { type Finding, figureOf } from '../../../src/resources/finding.ts';
import { awakeFor, begin, day, hour, makePast, minute, repeat, stretch } from './past-builder.ts';

function savingsOf(findings: readonly Finding[]) {
  return findings.map(({ kind, hoursPerMonth }) => [kind, hoursPerMonth]);
}

test('findings of one endpoint are set off against each other, the largest first', () => {
  // Every six hours half a minute of use and an hour of delay, at a floor of 4 CU: 40 x 3,632 s x 4 CU are 161.42 hours.
  const awake = repeat(40, index =>
    awakeFor(hour + index * 6 * hour + ((index * index) % 7) * 11 * minute, hour + 32_000, 30_000),
  );
  const usedCuMs = 40 * 3_632_000 * 4;
  const findings = findFindings(makePast({ minCu: 4, maxCu: 7, usedCuMs, awake }), {
    minimumComputeHours: 0,
  });
  // 3,542 of 3,632 s are slept; of the 90 s left a quarter would be one hour, but of the whole it would be 40. At most all
  // is slept, as what was used was not seen.
  expect(savingsOf(findings)).toEqual([['idle_tail', { likely: 157.422222, most: 161.422222 }]]);
});

test('what is used so little that no saving is large enough is not looked through', () => {
  const unread: EndpointHistory = {
    ...makePast({ minCu: 4, maxCu: 4, usedCuMs: 0.8 * hour }),
    get awake(): readonly AwakeSpan[] {
      throw new Error('it was looked through');
    },
  };
  expect(findFindings(unread, { minimumComputeHours: 0.9 })).toEqual([]);
  expect(() => findFindings(unread, { minimumComputeHours: 0.8 })).toThrow('it was looked through');
});

test('two findings that each have a part of their own are both told', () => {
  // Ten hours of use and two of delay on each of ten days, at a floor of 4 CU: 480 compute hours.
  const awake = repeat(10, index => {
    const afterMs = index * day + 5 * hour + ((index * index) % 7) * 11 * minute;
    return awakeFor(afterMs, 12 * hour, 10 * hour);
  });
  const findings = findFindings(makePast({ minCu: 4, maxCu: 7, usedCuMs: 480 * hour, awake }));
  expect(savingsOf(findings)).toEqual([
    // A quarter of the 420 hours that are left with half an hour's delay.
    ['floor_size', { most: 105 }],
    // 90 minutes a day, with half an hour's delay instead of two, at 4 CU; at most all that the smaller size leaves.
    ['longer_than_needed', { likely: 60, most: 375 }],
  ]);
});

test('an endpoint that wakes every minute for a month is looked through at once', () => {
  const checked = repeat(40_000, index => awakeFor(index * minute, minute / 2));
  const past = makePast({
    days: 28,
    usedCuMs: 14 * day,
    awake: checked,
    checks: checked.map(({ fromAt }) => fromAt),
  });
  expect(findFindings(past).map(({ kind }) => kind)).toEqual(['woken_by_checks']);
});

test('waiting for auto-suspend is saved once, whatever spares it', () => {
  // A job every two hours, and somebody at other times, each with half an hour of delay.
  const awake = repeat(120, beat => [
    awakeFor(beat * 2 * hour, 34 * minute, 4 * minute),
    ...(beat % 12 < 10
      ? [awakeFor(beat * 2 * hour + (41 + ((beat * beat) % 29)) * minute, 45 * minute, 15 * minute)]
      : []),
  ]).flat();
  const findings = findFindings(makePast({ awake }), { smallestDelayMs: 5 * minute });
  // 25 minutes of each of the 220 wakes by a shorter delay; 5 minutes of the job's remain, too little to be told.
  expect(savingsOf(findings)).toEqual([['idle_tail', { likely: 91.666667, most: 143 }]]);
});

test('less than three days tell nothing, and neither does an endpoint of unknown size', () => {
  const whole = (days: number): EndpointHistory => makePast({ days, awake: [awakeFor(0, days * day)] });
  const { minCu: _unknown, ...sizeless } = whole(10);
  expect(findFindings(whole(2.9))).toEqual([]);
  expect(findFindings(whole(3))).toHaveLength(1);
  expect(findFindings(sizeless)).toEqual([]);
  expect(findFindings(makePast())).toEqual([]);
});

test('what saves less than the minimum is left out: one compute hour in 30 days unless said otherwise', () => {
  const awake = repeat(10, night => awakeFor(night * day + hour, 6 * minute, minute));
  // 10 x 4 minutes x 0.25 CU by a delay of one minute, and 10 x 6 where the job goes.
  const past = makePast({ minCu: 0.25, maxCu: 0.25, awake });
  expect(findFindings(past)).toEqual([]);
  expect(findFindings(past, { minimumComputeHours: 0.1 })).toMatchObject([
    { kind: 'woken_on_period', hoursPerMonth: { likely: 0.166667, most: 0.25 } },
  ]);
});

test('names and branches are handed on where they are known', () => {
  const past = makePast({ project_name: 'shop', branch_id: 'br1', awake: [awakeFor(0, 10 * day)] });
  expect(findFindings(past)).toMatchObject([{ project_name: 'shop', branch_id: 'br1' }]);
});

const part = fc.double({ min: 0, max: 1, noNaN: true });

/** Spans one after the other with anything known of them. */
const spans: fc.Arbitrary<AwakeSpan[]> = fc
  .array(
    fc.record({
      sleepMs: fc.integer({ min: 1, max: day }),
      awakeMs: fc.integer({ min: 1, max: 2 * day }),
      lastUse: fc.option(part, { nil: undefined }),
      pause: fc.option(part, { nil: undefined }),
    }),
    { maxLength: 60 },
  )
  .map(lives => {
    let afterMs = 0;
    return lives.map(({ sleepMs, awakeMs, lastUse, pause }) => {
      afterMs += sleepMs;
      const span = awakeFor(
        afterMs,
        awakeMs,
        lastUse === undefined ? undefined : Math.floor(lastUse * awakeMs),
      );
      const pauses =
        pause === undefined
          ? {}
          : { pauses: [stretch(afterMs, Math.floor(pause * (lastUse ?? 1) * awakeMs))] };
      afterMs += awakeMs;
      return { ...span, ...pauses };
    });
  });

test('what is likely is never more than the most, which never adds up to more than the endpoint used', () => {
  const sizes = fc.record({
    minCu: fc.integer({ min: 1, max: 7 }),
    more: fc.integer({ min: 0, max: 3 }),
    used: part,
  });
  fc.assert(
    fc.property(spans, sizes, fc.integer({ min: 1, max: 20 }), (awake, { minCu, more, used }, days) => {
      const untilAt = Math.max(awake.at(-1)?.untilAt ?? begin, begin + days * day);
      const awakeMs = awake.reduce((sum, { fromAt, untilAt: endAt }) => sum + endAt - fromAt, 0);
      const usedCuMs = (minCu + more * used) * awakeMs;
      const past = makePast({ untilAt, awake, minCu, maxCu: minCu + more, usedCuMs });
      const findings = findFindings(past, { minimumComputeHours: 0 });
      const most = findings.reduce((sum, { hoursPerMonth }) => sum + (hoursPerMonth?.most ?? 0), 0);
      expect(most).toBeLessThanOrEqual(usedCuMs / hour + 1e-5);
      for (const { hoursPerMonth, evidence } of findings) {
        if (hoursPerMonth !== undefined) {
          expect(hoursPerMonth.likely ?? 0).toBeLessThanOrEqual(hoursPerMonth.most);
          expect(figureOf(hoursPerMonth)).toBeGreaterThan(0);
        }
        expect(evidence).not.toMatch(/NaN|undefined|Infinity|-\d/);
      }
    }),
  );
});
