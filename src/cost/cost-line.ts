import type { DecimalText } from '../resources/price-book.ts';
import type { UsageProject } from '../resources/usage-ledger.ts';
import { type Amount, addAmounts, compareAmounts, noAmount } from './money.ts';

/**
 * What a project used in a stretch of one billing period, one price and one exchange rate, or what an account is charged
 * up to the minimum of a plan. `usedCuMs` is the sum of the three others.
 */
export interface CostLine {
  readonly kind: 'usage' | 'minimum';
  readonly account: string;
  /** Absent for a minimum. */
  readonly project?: UsageProject;
  /** Absent where no plan matches the project. */
  readonly plan?: string;
  /** Epoch milliseconds. A minimum is for a whole billing period, and due at its end. */
  readonly fromAt: number;
  readonly untilAt: number;
  readonly usedCuMs: number;
  /** Free of charge, of the included hours. */
  readonly includedCuMs: number;
  readonly billedCuMs: number;
  /** Without a plan or a price: what it costs is not known. */
  readonly unpricedCuMs: number;
  /** Absent for what is unpriced. */
  readonly charge?: Charge;
}

export interface Charge {
  /** Of the plan. */
  readonly currency: string;
  /** Per compute hour; absent for a minimum. */
  readonly price?: UnitPrice;
  /** In `currency`. */
  readonly amount: Amount;
  /** In the display currency; absent while there is no exchange rate. */
  readonly displayAmount?: Amount;
}

export interface UnitPrice {
  /** Without and with the discount. */
  readonly list: DecimalText;
  readonly discounted: DecimalText;
}

export interface CostSum {
  readonly usedCuMs: number;
  readonly includedCuMs: number;
  readonly billedCuMs: number;
  readonly unpricedCuMs: number;
  /** In the display currency, of all that could be converted. */
  readonly amount: Amount;
  /** What had no exchange rate, by currency. */
  readonly unconverted: ReadonlyMap<string, Amount>;
  /** Used without a price, or billed without an exchange rate: what `amount` says nothing of. */
  readonly unknownCuMs: number;
}

export function sumLines(lines: Iterable<CostLine>): CostSum {
  const sum = {
    usedCuMs: 0,
    includedCuMs: 0,
    billedCuMs: 0,
    unpricedCuMs: 0,
    unknownCuMs: 0,
    amount: noAmount,
  };
  const unconverted = new Map<string, Amount>();
  for (const { charge, ...line } of lines) {
    sum.usedCuMs += line.usedCuMs;
    sum.includedCuMs += line.includedCuMs;
    sum.billedCuMs += line.billedCuMs;
    sum.unpricedCuMs += line.unpricedCuMs;
    sum.unknownCuMs += line.unpricedCuMs;
    if (charge === undefined) continue;
    const { currency, amount, displayAmount } = charge;
    if (displayAmount !== undefined) sum.amount = addAmounts(sum.amount, displayAmount);
    else if (compareAmounts(amount, noAmount) > 0) {
      sum.unknownCuMs += line.billedCuMs;
      unconverted.set(currency, addAmounts(unconverted.get(currency) ?? noAmount, amount));
    }
  }
  return { ...sum, unconverted };
}

/** Lines summed up by a key, in the order in which their keys first appear. */
export function sumLinesBy<Key>(
  lines: Iterable<CostLine>,
  keyOf: (line: CostLine) => Key,
): Map<Key, CostSum> {
  const byKey = Map.groupBy(lines, keyOf);
  return new Map([...byKey].map(([key, members]) => [key, sumLines(members)]));
}
