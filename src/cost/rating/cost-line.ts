import type { ComputeLedger, DecimalText, PriceBook, ThingMetric } from '../../resources/price-book.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { BillLine, LineCost } from '../../resources/usage/line-cost.ts';
import {
  type Amount,
  addAmounts,
  amountNumber,
  compareAmounts,
  noAmount,
  timesRate,
} from '../money/money.ts';
import type { UnitPrice } from '../price/price-lookup.ts';

/**
 * What a line is for. Usage is the compute of a project, and metered what else the service meters of it, such as storage:
 * both belong to the time in which it was used. All others are charges: each belongs to a whole billing period of an
 * account, and to the day on which that begins by the dates of UTC.
 */
export type CostKind =
  | 'usage'
  | 'metered'
  | 'base_fee'
  | 'minimum'
  | 'counted'
  | 'line'
  | 'allowance'
  | 'credit'
  | 'adjustment'
  | 'tax'
  | 'rounding';

/** Whether a line is for something that a project used, and not for a charge. */
export function isUse({ kind }: Pick<CostLine, 'kind'>): boolean {
  return kind === 'usage' || kind === 'metered';
}

/** Compute in CU-milliseconds; `usedCuMs` is the sum of the three others. */
export interface RatedUse {
  readonly usedCuMs: number;
  /** Usage free of charge, taken from the included hours. */
  readonly includedCuMs: number;
  readonly billedCuMs: number;
  /** Usage without a plan or a price: its cost is not known. */
  readonly unpricedCuMs: number;
}

/** That of all lines but those of compute. */
export const noUse: RatedUse = { usedCuMs: 0, includedCuMs: 0, billedCuMs: 0, unpricedCuMs: 0 };

/**
 * The usage of a project in a stretch with one billing period, one price and one exchange rate, or a charge of an account
 * for a billing period.
 */
export interface CostLine extends RatedUse {
  readonly kind: CostKind;
  readonly account: string;
  /** Absent for a charge of an account as a whole. */
  readonly project?: UsageProject;
  /** Absent where no plan matches the project, and for charges that no plan makes. */
  readonly plan?: string;
  /** Of what the price book names: a metered or counted thing, a free line, an allowance, a credit, an adjustment or a tax. */
  readonly name?: string;
  /** Of a free line, or of a metered or counted thing. */
  readonly quantity?: LineQuantity;
  /** From 1, where the price has tiers. */
  readonly tier?: number;
  /** How a charge is shared out to projects and groups; absent where it is by cost. */
  readonly sharedBy?: 'cost' | 'hours' | 'evenly';
  /** Of an adjustment for what was found of a closed billing period later: the instant at which that begins. */
  readonly foundOf?: number;
  /** Ledgers that the compute of a bill is by, in order of time; absent where nothing but reported use is known. */
  readonly ledgers?: readonly ComputeLedger[];
  /** Epoch milliseconds. A charge is for a whole billing period. */
  readonly fromAt: number;
  readonly untilAt: number;
  /** Absent for unpriced usage. */
  readonly charge?: Charge;
}

/** What is charged for, besides compute. */
interface LineQuantity {
  readonly value: DecimalText;
  readonly unit: string;
  /** Of a metered thing: what was free of charge besides, from its allowance; absent where nothing was. */
  readonly included?: DecimalText;
}

export interface Charge {
  /** The currency of the plan. */
  readonly currency: string;
  /** Per compute hour, or of one of a quantity; absent for other charges. */
  readonly price?: UnitPrice;
  /** In `currency`; negative for what is taken off. */
  readonly amount: Amount;
  /** In the display currency; absent while there is no exchange rate. */
  readonly displayAmount?: Amount;
}

/** A charge, displayed at an exchange rate where there is one. */
export function atRate(charge: Omit<Charge, 'displayAmount'>, rate: DecimalText | undefined): Charge {
  return rate === undefined ? charge : { ...charge, displayAmount: timesRate(charge.amount, rate) };
}

export interface CostSum extends RatedUse {
  /** Money in the display currency, as far as there are exchange rates. */
  readonly amount: Amount;
  /** Amounts without an exchange rate, by currency. */
  readonly unconverted: ReadonlyMap<string, Amount>;
  /** Usage without a price, or billed without an exchange rate: `amount` does not contain its cost. */
  readonly unknownCuMs: number;
}

/** Most sums have none, and reports have many sums. */
const nothingUnconverted: ReadonlyMap<string, Amount> = new Map();

/** A sum that lines are added to as they come. */
export class CostTally {
  readonly #cuMs = { ...noUse, unknownCuMs: 0 };
  #unconverted: Map<string, Amount> | undefined;
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
    else if (compareAmounts(amount, noAmount) !== 0) {
      sum.unknownCuMs += billedCuMs;
      this.#unconverted ??= new Map();
      this.#unconverted.set(currency, addAmounts(this.#unconverted.get(currency) ?? noAmount, amount));
    }
  }

  sum(): CostSum {
    const unconverted = this.#unconverted === undefined ? nothingUnconverted : new Map(this.#unconverted);
    return { ...this.#cuMs, amount: this.#amount, unconverted };
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
  const tallies = new Map<Key, CostTally>();
  for (const line of lines) {
    const key = keyOf(line);
    const tally = tallies.get(key) ?? new CostTally();
    tallies.set(key, tally);
    tally.add(line);
  }
  return new Map([...tallies].map(([key, tally]) => [key, tally.sum()]));
}

const meteredLines: Readonly<Record<ThingMetric, BillLine>> = {
  root_branch_bytes_month: 'storage',
  child_branch_bytes_month: 'storage',
  instant_restore_bytes_month: 'storage',
  snapshot_storage_bytes_month: 'storage',
  public_network_transfer_bytes: 'transfer',
  private_network_transfer_bytes: 'transfer',
  extra_branches_month: 'branches',
};

/** Adds up what cost lines come to by the line of the bill; absent where the bill is for nothing that is metered. */
type SumBillLines = (lines: readonly CostLine[]) => readonly LineCost[];

export function billLinesOf({ plans }: PriceBook): SumBillLines | undefined {
  const things = plans.flatMap(({ name: plan, metered = [] }) =>
    metered.map(({ name, metric }) => [`${plan}\n${name}`, meteredLines[metric]] as const),
  );
  if (things.length === 0) return undefined;
  const byThing = new Map(things);
  const lineOf = ({ kind, plan, name }: CostLine): BillLine => {
    if (kind === 'usage') return 'compute';
    return kind === 'metered' ? (byThing.get(`${plan}\n${name}`) ?? 'line') : kind;
  };
  return lines =>
    [...sumLinesBy(lines, lineOf)].map(([line, { amount }]) => ({ line, cost: amountNumber(amount) }));
}
