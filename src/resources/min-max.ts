/** The largest of any number of values, -Infinity of none; as arguments of `Math.max` a hundred thousand are too many. */
export function maxOf(values: Iterable<number>): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) most = Math.max(most, value);
  return most;
}

/** The smallest of any number of values, Infinity of none. */
export function minOf(values: Iterable<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const value of values) least = Math.min(least, value);
  return least;
}
