import type { Family } from '../family.ts';

/** How many samples a family has of a subject. */
export function countSamples(family: Family<unknown>, subject: unknown): number {
  let count = 0;
  // A histogram has a series for each bucket, the one without a bound, the sum and the count.
  const each = family.type === 'histogram' ? family.buckets.length + 3 : 1;
  family.sample(subject, value => {
    if (value !== undefined) count += each;
  });
  return count;
}
