import type { UsageProject } from '../../resources/usage/ledger.ts';
import { type Amount, addAmounts, compareAmounts, noAmount } from '../money/money.ts';
import type { UnitPrice } from '../price/price-lookup.ts';

/**
 * The usage of a project in a stretch with one billing period, one price and one exchange rate, or the charge of an
 * account up to the minimum of a plan. Usage is in CU-milliseconds; `usedCuMs` is the sum of the three others.
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
  /** Usage free of charge, taken from the included hours. */
  readonly includedCuMs: number;
  readonly billedCuMs: number;
  /** Usage without a plan or a price: its cost is not known. */
  readonly unpricedCuMs: number;
  /** Absent for unpriced usage. */
  readonly charge?: Charge;
}

export interface Charge {
  /** The currency of the plan. */
  readonly currency: string;
  /** Per compute hour; absent for a minimum. */
  readonly price?: UnitPrice;
  /** In `currency`. */
  readonly amount: Amount;
  /** In the display currency; absent while there is no exchange rate. */
  readonly displayAmount?: Amount;
}

export interface CostSum {
  readonly usedCuMs: number;
  readonly includedCuMs: number;
  readonly billedCuMs: number;
  readonly unpricedCuMs: number;
  /** Money in the display currency, as far as there are exchange rates. */
  readonly amount: Amount;
  /** Amounts without an exchange rate, by currency. */
  readonly unconverted: ReadonlyMap<string, Amount>;
  /** Usage without a price, or billed without an exchange rate: `amount` does not contain its cost. */
  readonly unknownCuMs: number;
}

/** A sum that lines are added to as they come. */
export class CostTally {
  readonly #cuMs = { usedCuMs: 0, includedCuMs: 0, billedCuMs: 0, unpricedCuMs: 0, unknownCuMs: 0 };
  readonly #unconverted = new Map<string, Amount>();
  #amount = noAmount;

  add({ charge, usedCuMs, includedCuMs, billedCuMs, unpricedCuMs }: CostLine): void {
    const sum = this.#cuMs;
    sum.usedCuMs += usedCuMs;
    sum.includedCuMs += includedCuMs;
    sum.billedCuMs += billedCuMs;
    sum.unpricedCuMs += unpricedCuMs;
    sum.unknownCuMs += unpricedCuMs;
    if (charge === undefined) return;
    const { currency, amount, displayAmount } = charge;
    if (displayAmount !== undefined) this.#amount = addAmounts(this.#amount, displayAmount);
    else if (compareAmounts(amount, noAmount) > 0) {
      sum.unknownCuMs += billedCuMs;
      this.#unconverted.set(currency, addAmounts(this.#unconverted.get(currency) ?? noAmount, amount));
    }
  }

  sum(): CostSum {
    return { ...this.#cuMs, amount: this.#amount, unconverted: new Map(this.#unconverted) };
  }
}

/** The sum of cost lines, of whatever projects and currencies. */
export function sumLines(lines: Iterable<CostLine>): CostSum {
  const tally = new CostTally();
  for (const line of lines) tally.add(line);
  return tally.sum();
}

/** Lines summed up by a key, in the order in which their keys first appear. */
export function sumLinesBy<Key>(
  lines: Iterable<CostLine>,
  keyOf: (line: CostLine) => Key,
): Map<Key, CostSum> {
  const byKey = Map.groupBy(lines, keyOf);
  return new Map([...byKey].map(([key, members]) => [key, sumLines(members)]));
}
