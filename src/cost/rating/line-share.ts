import { splitAmount } from '../money/money.ts';
import { shareWhole } from '../money/whole-share.ts';
import type { Charge, CostLine } from './cost-line.ts';

/** A line shared out in proportion to weights, which are not all 0; the parts add up to the line in every figure. */
export function shareLine(line: CostLine, weights: readonly number[]): CostLine[] {
  if (weights.length === 1) return [line];
  const included = shareWhole(line.includedCuMs, weights);
  const billed = shareWhole(line.billedCuMs, weights);
  const unpriced = shareWhole(line.unpricedCuMs, weights);
  const charges = line.charge === undefined ? [] : shareCharge(line.charge, billed);
  return weights.map((_, index) => {
    const includedCuMs = included[index] ?? 0;
    const billedCuMs = billed[index] ?? 0;
    const unpricedCuMs = unpriced[index] ?? 0;
    const usedCuMs = includedCuMs + billedCuMs + unpricedCuMs;
    const charge = charges[index];
    return { ...line, usedCuMs, includedCuMs, billedCuMs, unpricedCuMs, ...(charge && { charge }) };
  });
}

function shareCharge({ amount, displayAmount, ...charge }: Charge, billed: readonly number[]): Charge[] {
  const amounts = splitAmount(amount, billed);
  const displayed = displayAmount === undefined ? [] : splitAmount(displayAmount, billed);
  return amounts.map((share, index) => {
    const shown = displayed[index];
    return { ...charge, amount: share, ...(shown && { displayAmount: shown }) };
  });
}
