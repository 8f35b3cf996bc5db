import { expect, test } from 'vitest';
import { findFindings } from '../../../src/cost/finding/finding-list.ts';
import { awakeFor, day, hour, makePast, minute, repeat } from './past-builder.ts';

/** Ten hours on each of ten days, in use to the last minute. */
const awake = repeat(10, index =>
  awakeFor(index * day + 5 * hour + ((index * index) % 7) * 11 * minute, 10 * hour, 10 * hour - minute),
);

function findKinds(minCu: number, maxCu: number, usedComputeHours?: number) {
  const used = usedComputeHours !== undefined && { usedCuMs: usedComputeHours * hour };
  return findFindings(makePast({ minCu, maxCu, awake, ...used })).map(({ kind }) => kind);
}

test('an autoscaling endpoint that used its smallest size all the time may do with the next smaller one', () => {
  expect(findFindings(makePast({ minCu: 4, maxCu: 7, usedCuMs: 400 * hour, awake }))).toEqual([
    {
      account: 'main',
      project_id: 'p1',
      endpoint_id: 'ep1',
      kind: 'floor_size',
      evidence:
        'It may scale from 4 to 7 CU, but used 400 compute hours in 100 hours awake: never more than its smallest size.',
      advice: 'Set its smallest size to 3 CU: it can still scale up.',
      share: 0.25,
      // A quarter of 400 compute hours at most: what it needs, nothing shows.
      hoursPerMonth: { most: 100 },
    },
  ]);
});

test('a size that was scaled above, is the smallest there is, or is fixed tells nothing', () => {
  expect(findKinds(4, 7, 407)).toEqual(['floor_size']);
  expect(findKinds(4, 7, 409)).toEqual([]);
  expect(findKinds(1, 7, 100)).toEqual([]);
  expect(findKinds(4, 4, 400)).toEqual([]);
  expect(findKinds(4, 7)).toEqual([]);
});
