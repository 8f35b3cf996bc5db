import { expect, test } from 'vitest';
import { findFindings } from '../../../src/cost/finding/finding-list.ts';
import { awakeFor, begin, day, hour, makePast, minute, repeat } from './past-builder.ts';

const whose = { account: 'main', project_id: 'p1', endpoint_id: 'ep1' };

test('an endpoint awake for four weeks that was last used before them saves all of it', () => {
  const past = makePast({ days: 28, lastActiveAt: begin - 3 * day, awake: [awakeFor(0, 28 * day)] });
  expect(findFindings(past)).toEqual([
    {
      ...whose,
      kind: 'awake_unused',
      evidence: 'It is awake, and no client has used it for 31 days.',
      advice: 'Delete it if it is not needed, or give it an auto-suspend delay.',
      share: 1,
      // 28 days of 24 hours of 1 CU.
      hoursPerMonth: { likely: 672, most: 672 },
    },
  ]);
});

test('an endpoint that no client ever used is counted from when it was awake', () => {
  const past = makePast({ days: 30, awake: [awakeFor(12 * day, 18 * day)] });
  expect(findFindings(past)).toMatchObject([
    {
      kind: 'awake_unused',
      evidence: 'It is awake, has been for 18 days, and no client has ever used it.',
      // 18 days of 24 hours, less the minute of the smallest delay.
      hoursPerMonth: { likely: 431.983333, most: 432 },
    },
  ]);
});

test('an endpoint unused for 13 days may be needed again, and one that sleeps costs nothing', () => {
  const kinds = (past: ReturnType<typeof makePast>) => findFindings(past).map(({ kind }) => kind);
  const lastActiveAt = begin + 15 * day;
  expect(kinds(makePast({ days: 28, lastActiveAt, awake: [awakeFor(0, 28 * day)] }))).toEqual([
    'never_suspends',
  ]);
  expect(kinds(makePast({ days: 30, lastActiveAt, awake: [awakeFor(0, 16 * day)] }))).toEqual([]);
});

/** Minutes after one o'clock at which it is checked on each of ten nights. */
const checkMinutes = [0, 11, 44, 22, 55, 33, 7, 61, 18, 40];
const checkedAt = (night: number) => night * day + hour + (checkMinutes[night] ?? 0) * minute;

test('an endpoint that only checks wake is forgotten, and costs what it is awake after each', () => {
  const past = makePast({
    minCu: 4,
    maxCu: 4,
    checks: repeat(10, night => begin + checkedAt(night)),
    awake: repeat(10, night => awakeFor(checkedAt(night) + 4000, 302_000, 0)),
  });
  expect(findFindings(past)).toEqual([
    {
      ...whose,
      kind: 'woken_by_checks',
      evidence:
        '10 of its 10 wakes in 10 days followed a check_availability and were not used; it was then awake for 5 minutes.',
      advice:
        'Its branch seems not to be needed: delete it, or disable the endpoint, so that it is not checked.',
      share: 1,
      // 10 x 302 s x 4 CU.
      hoursPerMonth: { likely: 3.355556, most: 3.355556 },
    },
  ]);
});

test('a check that finds somebody at work, or whose wake is then used, is not to blame', () => {
  const checks = repeat(10, night => begin + checkedAt(night));
  const used = repeat(10, night => awakeFor(checkedAt(night) + 4000, 902_000, 600_000));
  const before = repeat(10, night => awakeFor(checkedAt(night) - minute, 302_000, 0));
  for (const awake of [used, before]) {
    const kinds = findFindings(makePast({ minCu: 4, maxCu: 4, checks, awake })).map(({ kind }) => kind);
    expect(kinds).not.toContain('woken_by_checks');
  }
});
