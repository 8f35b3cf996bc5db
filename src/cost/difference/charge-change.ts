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
import type { CostLine, LineQuantity } from '../rating/cost-line.ts';
import type { Cause } from './cause.ts';

/** Money of the same charges in a period: in their currency and converted. */
interface ChargeSum {
  readonly own: Amount;
  readonly shown: Amount;
  /** By unit; a charge has one. */
  readonly quantities: readonly LineQuantity[];
}

/** What charges make of the difference, and what the exchange rates of their currencies do. */
export interface ChargeChange {
  readonly causes: readonly Cause[];
  readonly rates: readonly { readonly currency: string; readonly amount: Amount }[];
}

const nothing: ChargeSum = { own: noAmount, shown: noAmount, quantities: [] };

/** Compares the charges of two bills, each with that of the same kind, account, plan and name. */
export function compareCharges(before: readonly CostLine[], after: readonly CostLine[]): ChargeChange {
  const [sumsBefore, sumsAfter] = [before, after].map(sumCharges);
  const examples = new Map([...before, ...after].map(line => [keyOf(line), line]));
  const changes = [...examples].map(([key, line]) => {
    const [old = nothing, now = nothing] = [sumsBefore?.get(key), sumsAfter?.get(key)];
    const isComparable = !isNothing(old.own) && !isNothing(now.own);
    const atOldRate = isComparable ? timesAmountRatio(now.own, old.shown, old.own) : now.shown;
    return {
      currency: line.charge?.currency ?? '',
      rate: subtractAmounts(now.shown, atOldRate),
      cause: describeCharge(line, subtractAmounts(atOldRate, old.shown), old, now),
    };
  });
  return {
    causes: changes.map(({ cause }) => cause),
    rates: changes.map(({ currency, rate }) => ({ currency, amount: rate })),
  };
}

function describeCharge(
  { kind, name = kind.replaceAll('_', ' '), plan, account }: CostLine,
  amount: Amount,
  before: ChargeSum,
  after: ChargeSum,
): Cause {
  const [old, now] = [before, after].map(({ quantities }) => quantities.map(sayQuantity).join(' and '));
  const isOther = old !== now && old !== '' && now !== '';
  return {
    kind: 'charge',
    account,
    name: plan === undefined ? name : `${name} (${plan})`,
    amount,
    ...(isOther && { evidence: `${now} instead of ${old}` }),
    children: [],
  };
}

function sumCharges(lines: readonly CostLine[]): ReadonlyMap<string, ChargeSum> {
  const sums = new Map<string, ChargeSum>();
  for (const line of lines) {
    const { charge } = line;
    const sum = sums.get(keyOf(line)) ?? nothing;
    sums.set(keyOf(line), {
      own: addAmounts(sum.own, charge?.amount ?? noAmount),
      shown: addAmounts(sum.shown, charge?.displayAmount ?? noAmount),
      quantities: [...sum.quantities, ...(line.quantity ? [line.quantity] : [])],
    });
  }
  return sums;
}

/** Such as `15.98 projects`. */
function sayQuantity({ value, unit }: LineQuantity): string {
  return `${Number(showAmount(amountOf(value), 2))} ${unit}`;
}

function keyOf({ kind, account, plan, name, charge }: CostLine): string {
  return JSON.stringify([kind, account, plan, name, charge?.currency]);
}
