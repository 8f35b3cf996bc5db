import type { Adjustment, ChargeTime } from '../../resources/price-book.ts';
import type { Period } from '../calendar/calendar.ts';
import {
  type Amount,
  amountOf,
  compareAmounts,
  isNothing,
  negateAmount,
  noAmount,
  partOfAmount,
  timesRate,
} from '../money/money.ts';
import { holdsAt, lengthOf, sharedTime, timeOf } from '../price/dated.ts';
import { type BillCase, chargeLine, sumCharged } from './bill-case.ts';
import type { CostLine } from './cost-line.ts';
import { showQuantity } from './counted-line.ts';

/** Lines for what the service does not tell, such as storage. */
export function freeLines(bill: BillCase): CostLine[] {
  return ofAccount(bill, bill.book.lines).flatMap(line => {
    const { name, currency, sharedBy, quantity: all, time } = line;
    const quantity = inPeriod(amountOf(all ?? line.amount), time, bill.period);
    const amount = all === undefined ? quantity : timesRate(quantity, line.price);
    if (isNothing(amount)) return [];
    const counted = all !== undefined && {
      quantity: { value: showQuantity(quantity), unit: line.unit },
      price: { list: line.price, discounted: line.price },
    };
    const shared = sharedBy && { sharedBy };
    return [chargeLine(bill, { kind: 'line', name, currency, amount, ...counted, ...shared })];
  });
}

/** Amounts that are added to an invoice, then credits, which take off at most what is charged. */
export function adjustmentLines(bill: BillCase, charged: () => readonly CostLine[]): CostLine[] {
  const lines: CostLine[] = [];
  for (const kind of ['adjustment', 'credit'] as const) {
    for (const adjustment of ofAccount(bill, bill.book.adjustments)) {
      if (adjustment.kind !== kind) continue;
      const { name, currency, time } = adjustment;
      const written = inPeriod(amountOf(adjustment.amount), time, bill.period);
      const amount =
        kind === 'credit' && !isNothing(written)
          ? takenOff(written, sumCharged([...charged(), ...lines], currency))
          : written;
      if (!isNothing(amount)) lines.push(chargeLine(bill, { kind, name, currency, amount }));
    }
  }
  return lines;
}

/** The taxes of a billing period: those that hold at its last instant. */
export function taxesOf(bill: BillCase): readonly (Adjustment & { readonly kind: 'tax' })[] {
  const isDue = (each: Adjustment) => each.kind === 'tax' && holdsAt(each, bill.period.untilAt - 1);
  return ofAccount(bill, bill.book.adjustments).filter(
    (each): each is Adjustment & { readonly kind: 'tax' } => isDue(each),
  );
}

function ofAccount<Charge extends { readonly account?: string }>(
  bill: BillCase,
  charges: readonly Charge[] = [],
): readonly Charge[] {
  return charges.filter(({ account = bill.account }) => account === bill.account);
}

/** The part of an amount for the time in which it holds, or all of it in the period of its day. */
function inPeriod(amount: Amount, { onAt, ...dated }: ChargeTime, period: Period): Amount {
  const { fromAt, untilAt } = period;
  if (onAt !== undefined) return fromAt <= onAt && onAt < untilAt ? amount : noAmount;
  return partOfAmount(amount, lengthOf(sharedTime([timeOf(dated)], [period])), untilAt - fromAt);
}

function takenOff(credit: Amount, charged: Amount): Amount {
  if (compareAmounts(charged, noAmount) <= 0) return noAmount;
  return negateAmount(compareAmounts(credit, charged) < 0 ? credit : charged);
}
