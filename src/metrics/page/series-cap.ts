/**
 * How many samples each block of a family may have, so that all of them together keep within the limit: those that
 * come first in full, one in part, the rest none. What a block may have depends on those before it alone.
 *
 * @param limit the most samples of the family; 0 for no limit.
 * @param wanted how many samples each block would have, in the order of the page.
 */
export function allotSeries(limit: number, wanted: readonly number[]): readonly number[] {
  if (limit === 0) return wanted.map(() => Number.POSITIVE_INFINITY);
  let left = limit;
  return wanted.map(count => {
    const allowed = left;
    left = count <= left ? left - count : 0;
    return allowed;
  });
}

/**
 * How many subjects of a block are shown, from its first one on: each whole or not at all, and none after one that
 * did not fit, so that no family shows half of a thing and the same subjects are always the ones to go.
 *
 * @param counts how many samples each subject would have.
 */
export function countWhole(allowed: number, counts: readonly number[]): number {
  let left = allowed;
  const end = counts.findIndex(count => {
    left -= count;
    return left < 0;
  });
  return end < 0 ? counts.length : end;
}
