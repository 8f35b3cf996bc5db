import { expect, test } from 'vitest';
import { findFindings } from '../../../src/cost/finding/finding-list.ts';
import { awakeFor, begin, day, hour, makePast, minute, repeat, stretch } from './past-builder.ts';

test('an endpoint that was always awake saves nothing that can be said when its uses are not known', () => {
  expect(findFindings(makePast({ awake: [awakeFor(0, 10 * day)] }))).toEqual([
    {
      account: 'main',
      project_id: 'p1',
      endpoint_id: 'ep1',
      kind: 'never_suspends',
      evidence: 'It was awake 100% of 10 days. What used it in that time is not known.',
      advice:
        'Give it an auto-suspend delay; if it has one, find what uses it more often: a connection pool, a health check or a cron job.',
      share: 1,
    },
  ]);
});

test('one that is awake hours after its last use says so', () => {
  const past = makePast({ lastActiveAt: begin + 10 * day - 5 * hour, awake: [awakeFor(0, 10 * day)] });
  expect(findFindings(past)[0]?.evidence).toBe(
    'It was awake 100% of 10 days, and is now, 5 hours after its last use. What used it in that time is not known.',
  );
});

test('an endpoint used for ten seconds every five minutes would sleep 230 of each 300 seconds', () => {
  const pauses = repeat(2880, beat => stretch(beat * 5 * minute, 290_000));
  const past = makePast({ minCu: 2, maxCu: 2, awake: [{ ...awakeFor(0, 10 * day), pauses }] });
  expect(findFindings(past)).toMatchObject([
    {
      kind: 'never_suspends',
      evidence:
        'It was awake 100% of 10 days, used every 5 minutes; suspended 1 minute after each use it would have slept 77% of the time.',
      advice: 'Set its auto-suspend delay to 1 minute.',
      advisedDelayMs: minute,
      periodMs: 5 * minute,
      // 2,880 x 230 s x 2 CU.
      hoursPerMonth: { likely: 368, most: 368 },
    },
  ]);
});

test('where a heartbeat is too frequent for any delay, it is what is to change', () => {
  const pauses = repeat(2880, beat => stretch(beat * 5 * minute, 290_000));
  const past = makePast({ minCu: 2, maxCu: 2, awake: [{ ...awakeFor(0, 10 * day), pauses }] });
  expect(findFindings(past, { smallestDelayMs: 5 * minute })).toMatchObject([
    {
      kind: 'never_suspends',
      evidence:
        'It was awake 100% of 10 days, used every 5 minutes, which is too often for auto-suspend; it was not used for 97% of the time.',
      advice: 'Find the job or health check with this schedule and run it less often, or elsewhere.',
      periodMs: 5 * minute,
      // All of ten days at 2 CU, if nothing else uses it: what else does, nothing shows.
      hoursPerMonth: { most: 480 },
    },
  ]);
});

test('frequent uses that follow no schedule are just use', () => {
  const pauses = repeat(2880, beat => stretch(beat * 5 * minute + ((beat * beat) % 83) * 1000, 200_000));
  const past = makePast({ awake: [{ ...awakeFor(0, 10 * day), pauses }] });
  expect(findFindings(past, { smallestDelayMs: 5 * minute })).toEqual([]);
});

test('an endpoint that is really in use all the time has nothing to save', () => {
  const past = makePast({ awake: [{ ...awakeFor(0, 10 * day), pauses: [] }] });
  expect(findFindings(past)).toEqual([]);
});

test('one that slept three hours of ten days suspends', () => {
  const past = makePast({ awake: [awakeFor(0, 5 * day), awakeFor(5 * day + 3 * hour, 5 * day - 3 * hour)] });
  expect(findFindings(past)).toEqual([]);
});
