import { expect, test } from 'vitest';
import { findFindings } from '../../../src/cost/finding/finding-list.ts';
import type { FindingKind } from '../../../src/resources/finding.ts';
import { awakeFor, begin, day, hour, makePast, minute, repeat } from './past-builder.ts';

test('an endpoint woken every ten minutes may save all that this takes, and nothing shows how much is likely', () => {
  const awake = repeat(1440, beat => awakeFor(minute + beat * 10 * minute, 75_000, 12_000));
  expect(findFindings(makePast({ awake }))).toEqual([
    {
      account: 'main',
      project_id: 'p1',
      endpoint_id: 'ep1',
      kind: 'woken_on_period',
      evidence:
        'Something wakes it every 10 minutes, 144 times a day, 100% of its starts; it is then awake for 75 seconds, 84% of that waiting for auto-suspend.',
      advice: 'Find the job with this schedule and run it less often, or elsewhere.',
      periodMs: 10 * minute,
      share: 1,
      delayMs: minute,
      // 1,440 x 75 s, if the job goes; its delay is the smallest already.
      hoursPerMonth: { most: 30 },
    },
  ]);
});

test('a long auto-suspend delay is named where the job has to run', () => {
  const awake = repeat(240, beat => awakeFor(minute + beat * hour, 610_000, 8000));
  expect(findFindings(makePast({ awake }))).toMatchObject([
    {
      kind: 'woken_on_period',
      advice:
        'Find the job with this schedule and run it less often, or elsewhere; if it must run, an auto-suspend delay of 1 minute instead of 10 minutes shortens each wake.',
      delayMs: 10 * minute,
      // 240 x 542 s by the shorter delay, which is not found again, and 240 x 610 s where the job goes.
      hoursPerMonth: { likely: 36.133333, most: 40.666667 },
    },
  ]);
});

test('what somebody went on to use after the job had woken it is not the job to blame for', () => {
  const awake = repeat(240, beat => awakeFor(minute + beat * hour, beat === 100 ? 50 * minute : 2 * minute));
  // 239 x 1 minute, as nothing tells how short the job is, and none of the long one; at most the long one, too.
  expect(findFindings(makePast({ awake }))).toMatchObject([
    { hoursPerMonth: { likely: 3.983333, most: 8.8 } },
  ]);
});

test('a job that does its work for most of the time it is awake is no finding', () => {
  const nightly = (workMs: number) =>
    repeat(28, night => awakeFor(night * day + hour, workMs + 5 * minute, workMs));
  const kinds = (workMs: number) =>
    findFindings(makePast({ days: 28, awake: nightly(workMs) }), { smallestDelayMs: 5 * minute }).map(
      ({ kind }) => kind,
    );
  expect(kinds(20 * minute)).toEqual([]);
  expect(kinds(4 * minute)).toEqual(['woken_on_period']);
});

test('the delay of a job that works is shortened where it is too long, and its work is not counted', () => {
  const awake = repeat(28, night => awakeFor(night * day + hour, 80 * minute, 50 * minute));
  expect(findFindings(makePast({ days: 28, awake }), { smallestDelayMs: 5 * minute })).toMatchObject([
    // 28 x 20 minutes in 28 days: below a fifth of the delay wakes are unknown, and ten minutes the next setting.
    { kind: 'longer_than_needed', advisedDelayMs: 10 * minute, hoursPerMonth: { likely: 9.333333 } },
  ]);
});

test('a job that stopped four days ago is no finding', () => {
  const awake = repeat(144, beat => awakeFor(minute + beat * hour, 2 * minute));
  const kinds = (days: number) => findFindings(makePast({ days, awake })).map(({ kind }) => kind);
  expect(kinds(8)).toContain('woken_on_period');
  expect(kinds(10)).not.toContain('woken_on_period');
});

test('a span that reaches the edge of the window does not count as a start', () => {
  const awake = [awakeFor(0, 2 * minute), ...repeat(6, beat => awakeFor((beat + 1) * day, 2 * hour, hour))];
  const isIgnored = (kind: FindingKind) => kind !== 'woken_on_period';
  expect(findFindings(makePast({ days: 8, awake }), { isIgnored })).toEqual([]);
  // Known half a minute longer, it is seven nights.
  const longer = makePast({ days: 8, fromAt: begin - 30_000, awake });
  expect(findFindings(longer, { isIgnored })).toMatchObject([{ kind: 'woken_on_period', periodMs: day }]);
});
