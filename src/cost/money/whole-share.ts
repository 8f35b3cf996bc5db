import { largestRemainder } from './largest-remainder.ts';

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
