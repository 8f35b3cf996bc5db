import { splitAmount } from '../money/money.ts';
import { shareWhole } from '../money/whole-share.ts';
import type { Charge, CostLine } from './cost-line.ts';

/**
 * Lines shared out in proportion to weights, which are not all 0. The parts of a line add up to it in every figure, and
 * those of each weight to its share of the whole usage, however many lines that is cut into.
 *
 * @returns the parts of each line, in the order of the weights.
 */
export function shareLines(lines: readonly CostLine[], weights: readonly number[]): CostLine[][] {
  if (weights.length === 1) return lines.map(line => [line]);
  const used = lines.reduce((sum, { usedCuMs }) => sum + usedCuMs, 0);
  let rest = shareWhole(used, weights);
  const take = (cuMs: number): number[] => {
    const shares = shareWhole(cuMs, rest);
    rest = rest.map((left, index) => left - (shares[index] ?? 0));
    return shares;
  };
  return lines.map(line => {
    const included = take(line.includedCuMs);
    const billed = take(line.billedCuMs);
    const unpriced = take(line.unpricedCuMs);
    const charges = line.charge === undefined ? [] : shareCharge(line.charge, billed);
    return weights.map((_, index) => {
      const includedCuMs = included[index] ?? 0;
      const billedCuMs = billed[index] ?? 0;
      const unpricedCuMs = unpriced[index] ?? 0;
      const usedCuMs = includedCuMs + billedCuMs + unpricedCuMs;
      const charge = charges[index];
      return { ...line, usedCuMs, includedCuMs, billedCuMs, unpricedCuMs, ...(charge && { charge }) };
    });
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
