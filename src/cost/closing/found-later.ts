import { labelBilling } from '../calendar/billing-name.ts';
import type { Period } from '../calendar/calendar.ts';
import { type Amount, addAmounts, compareAmounts, noAmount, subtractAmounts } from '../money/money.ts';
import type { CostLine } from '../rating/cost-line.ts';
import type { Costing } from '../rating/costing.ts';
import type { FrozenBill } from './frozen-bill.ts';

export interface LaterCase {
  /** All closed bills. */
  readonly bills: readonly FrozenBill[];
  /** Without regard to what is closed. */
  readonly costing: Costing;
}

/** The name of an adjustment for what was found of a closed billing period later. */
export function nameFoundLater(period: Period): string {
  return `found later for ${labelBilling(period)}`;
}

/**
 * Adjustments, one for each currency, by what a closed billing period would be charged more or less by what is known now:
 * the bill worked out anew, less the frozen one, less what later closed periods were adjusted by for it.
 *
 * @param open the billing period that they belong to.
 */
export function findLater(bill: FrozenBill, open: Period, { bills, costing }: LaterCase): CostLine[] {
  const { account, fromAt, untilAt } = bill;
  const adjusted = bills
    .filter(later => later.account === account)
    .flatMap(({ lines }) => lines.filter(({ foundOf }) => foundOf === fromAt));
  const charged = [...bill.lines.filter(({ foundOf }) => foundOf === undefined), ...adjusted];
  const now = sumByCurrency(costing.billLines(account, { fromAt, untilAt }, untilAt));
  const before = sumByCurrency(charged);
  return [...new Set([...now.keys(), ...before.keys()])].flatMap((currency): CostLine[] => {
    const [{ amount: more, displayAmount: moreShown }, { amount: less, displayAmount: lessShown }] = [
      now.get(currency) ?? nothing,
      before.get(currency) ?? nothing,
    ];
    const amount = subtractAmounts(more, less);
    if (compareAmounts(amount, noAmount) === 0) return [];
    const displayed = moreShown && lessShown && { displayAmount: subtractAmounts(moreShown, lessShown) };
    return [
      {
        ...{ kind: 'adjustment', account, name: nameFoundLater(bill), foundOf: fromAt },
        ...{ fromAt: open.fromAt, untilAt: open.untilAt, ...noUse },
        charge: { currency, amount, ...displayed },
      },
    ];
  });
}

const noUse = { usedCuMs: 0, includedCuMs: 0, billedCuMs: 0, unpricedCuMs: 0 };

interface CurrencySum {
  readonly amount: Amount;
  /** Absent where a part has none. */
  readonly displayAmount?: Amount;
}

const nothing: CurrencySum = { amount: noAmount, displayAmount: noAmount };

function sumByCurrency(lines: readonly CostLine[]): ReadonlyMap<string, CurrencySum> {
  const sums = new Map<string, CurrencySum>();
  for (const { charge } of lines) {
    if (charge === undefined) continue;
    const { amount, displayAmount } = sums.get(charge.currency) ?? nothing;
    const shown = displayAmount && charge.displayAmount && addAmounts(displayAmount, charge.displayAmount);
    sums.set(charge.currency, {
      amount: addAmounts(amount, charge.amount),
      ...(shown && { displayAmount: shown }),
    });
  }
  return sums;
}
