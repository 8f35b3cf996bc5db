/** Makes the median absolute deviation of normally distributed values their standard deviation. */
const normalConsistency = 1.4826;

/** The median: the mean of the two in the middle of an even number of values. NaN of no values. */
export function medianOf(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The median absolute deviation from a centre, as a standard deviation. */
export function spreadAround(values: readonly number[], centre: number): number {
  return normalConsistency * medianOf(values.map(value => Math.abs(value - centre)));
}
