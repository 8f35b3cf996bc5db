/**
 * Whole shares that add up to `total`: each quota, in fractions of one over `unit`, is rounded down, and the rest goes
 * to the shares that lost most, one each; of equals the first. Where the total is further from the quotas than that, what is
 * left besides is the same for each.
 */
export function largestRemainder(total: bigint, quotas: readonly bigint[], unit: bigint): bigint[] {
  const count = BigInt(quotas.length);
  if (count === 0n) return [];
  const losses = quotas.map(quota => remainderOf(quota, unit));
  const down = quotas.map((quota, index) => (quota - (losses[index] ?? 0n)) / unit);
  const left = total - down.reduce((sum, share) => sum + share, 0n);
  const rest = remainderOf(left, count);
  const shares = down.map(share => share + (left - rest) / count);
  const byLoss = losses
    .map((loss, index) => ({ index, loss }))
    .sort((a, b) => (a.loss === b.loss ? a.index - b.index : a.loss < b.loss ? 1 : -1));
  for (const { index } of byLoss.slice(0, Number(rest))) shares[index] = (shares[index] ?? 0n) + 1n;
  return shares;
}

/** What is left above the next multiple below, for numbers below 0, too. */
function remainderOf(number: bigint, unit: bigint): bigint {
  return ((number % unit) + unit) % unit;
}

/**
 * A whole number shared out in proportion to weights, in whole numbers that add up to it; the weights are not all 0.
 */
export function shareWhole(total: number, weights: readonly number[]): number[] {
  if (total === 0) return weights.map(() => 0);
  const whole = weights.map(weight => BigInt(Math.round(weight)));
  const sum = whole.reduce((before, weight) => before + weight, 0n);
  const quotas = whole.map(weight => BigInt(total) * weight);
  return largestRemainder(BigInt(total), quotas, sum).map(Number);
}
