/**
 * Whole shares that add up to `total`: each quota, in fractions of one over `unit`, is rounded down, and the rest goes
 * to those that lost most, one each; of equals the first. `total` lies less than one for each quota above what they are
 * rounded down.
 */
export function largestRemainder(total: bigint, quotas: readonly bigint[], unit: bigint): bigint[] {
  const losses = quotas.map(quota => ((quota % unit) + unit) % unit);
  const shares = quotas.map((quota, index) => (quota - (losses[index] ?? 0n)) / unit);
  const rest = total - shares.reduce((sum, share) => sum + share, 0n);
  const byLoss = losses
    .map((loss, index) => ({ index, loss }))
    .sort((a, b) => (a.loss === b.loss ? a.index - b.index : a.loss < b.loss ? 1 : -1));
  for (const { index } of byLoss.slice(0, Number(rest))) shares[index] = (shares[index] ?? 0n) + 1n;
  return shares;
}
