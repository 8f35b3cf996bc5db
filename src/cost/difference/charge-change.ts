import {
  type Amount,
  addAmounts,
  amountOf,
  isNothing,
  noAmount,
  showAmount,
  subtractAmounts,
} from '../money/money.ts';
import { timesAmountRatio } from '../money/ratio.ts';
import type { CostLine } from '../rating/cost-line.ts';
import type { Cause } from './cause.ts';

/** Money in the display currency that another exchange rate of a currency makes. */
export interface RateEffect {
  readonly currency: string;
  readonly amount: Amount;
}

/** The part of a difference that a charge makes, and the part that the exchange rate of its currency makes. */
export interface ChargeChange {
  readonly cause: Cause;
  readonly rate: RateEffect;
}

/** Compares the charges of two bills, each with that of the same kind, account, plan and name. */
export function compareCharges(before: readonly CostLine[], after: readonly CostLine[]): ChargeChange[] {
  return pairLines(before, after, keyOf).map(({ line, ...lines }) => {
    const [old, now] = [sumCharges(lines.before), sumCharges(lines.after)];
    const isComparable = !isNothing(old.own) && !isNothing(now.own);
    const atOldRate = isComparable ? timesAmountRatio(now.own, old.shown, old.own) : now.shown;
    const isOther = old.quantity !== now.quantity && old.quantity !== '' && now.quantity !== '';
    return {
      cause: {
        kind: 'charge',
        account: line.account,
        name: nameCharge(line),
        amount: subtractAmounts(atOldRate, old.shown),
        ...(isOther && { evidence: `${now.quantity} instead of ${old.quantity}` }),
        children: [],
      },
      rate: { currency: line.charge?.currency ?? '', amount: subtractAmounts(now.shown, atOldRate) },
    };
  });
}

/** Lines of two bills that are for the same. */
interface LinePair {
  /** One of them. */
  readonly line: CostLine;
  readonly before: readonly CostLine[];
  readonly after: readonly CostLine[];
}

/** Pairs the lines of two bills by a key, in the order in which keys first appear. */
export function pairLines<Key>(
  before: readonly CostLine[],
  after: readonly CostLine[],
  keyOf: (line: CostLine) => Key,
): LinePair[] {
  const [old, now] = [Map.groupBy(before, keyOf), Map.groupBy(after, keyOf)];
  const examples = new Map([...before, ...after].map(line => [keyOf(line), line]));
  return [...examples].map(([key, line]) => {
    return { line, before: old.get(key) ?? [], after: now.get(key) ?? [] };
  });
}

/** Such as `minimum (scale)`. */
export function nameCharge({ kind, name = kind.replaceAll('_', ' '), plan }: CostLine): string {
  return plan === undefined ? name : `${name} (${plan})`;
}

/** Such as `15.98 projects`. */
export function sayQuantity(quantity: Amount, unit: string): string {
  return `${Number(showAmount(quantity, 2))} ${unit}`;
}

/** Money of the same charges in a period, in their currency and converted, and how much they are for. */
function sumCharges(lines: readonly CostLine[]) {
  const sum = (of: (line: CostLine) => Amount | undefined) =>
    lines.reduce((total, line) => addAmounts(total, of(line) ?? noAmount), noAmount);
  const quantities = lines.flatMap(({ quantity }) => quantity ?? []);
  return {
    own: sum(({ charge }) => charge?.amount),
    shown: sum(({ charge }) => charge?.displayAmount),
    quantity: quantities.map(({ value, unit }) => sayQuantity(amountOf(value), unit)).join(' and '),
  };
}

function keyOf({ kind, account, plan, name, charge }: CostLine): string {
  return JSON.stringify([kind, account, plan, name, charge?.currency]);
}
