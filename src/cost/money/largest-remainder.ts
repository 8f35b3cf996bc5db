/**
 * Whole shares that add up to `total`: each quota, in fractions of one over `unit`, is rounded down, and the rest goes
 * to those that lost most, one each; of equals the first. No quota is negative, and `total` lies less than one for each
 * quota above what they are rounded down.
 */
export function largestRemainder(total: bigint, quotas: readonly bigint[], unit: bigint): bigint[] {
  const shares = quotas.map(quota => quota / unit);
  const rest = total - shares.reduce((sum, share) => sum + share, 0n);
  const byLoss = quotas
    .map((quota, index) => ({ index, loss: quota % unit }))
    .sort((a, b) => (a.loss === b.loss ? a.index - b.index : a.loss < b.loss ? 1 : -1));
  for (const { index } of byLoss.slice(0, Number(rest))) shares[index] = (shares[index] ?? 0n) + 1n;
  return shares;
}
