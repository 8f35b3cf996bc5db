import {
  type Amount,
  addAmounts,
  amountOf,
  amountOfUse,
  isNothing,
  negateAmount,
  noAmount,
  timesRate,
} from '../../../cost/money/money.ts';
import type { CostLine } from '../../../cost/rating/cost-line.ts';
import { compact } from '../../../resources/field.ts';
import type { InvoiceKind } from '../../../resources/invoice-rule.ts';
import type { DecimalText } from '../../../resources/price-book.ts';
import type { UsageProject } from '../../../resources/usage/ledger.ts';

/** Something that our bill charges, as an invoice would have it. */
export interface BillItem {
  readonly kind: InvoiceKind;
  readonly project?: UsageProject;
  readonly plan?: string;
  readonly name?: string;
  /** Compute hours, or how much of a metered or counted thing. */
  readonly quantity?: Amount;
  readonly price?: DecimalText;
  readonly amount: Amount;
}

/**
 * The items of a bill.
 *
 * @param isIncludedListed whether the invoice charges all hours and takes the included ones off in lines of their own.
 */
export function listItems(lines: readonly CostLine[], isIncludedListed: boolean): readonly BillItem[] {
  return lines.flatMap((line): readonly BillItem[] => {
    const { kind, project, plan, name, quantity, charge } = line;
    const common = {
      ...compact({ project, plan, name, price: charge?.price?.discounted }),
      amount: charge?.amount ?? noAmount,
    };
    if (kind === 'usage') {
      const { billedCuMs, unpricedCuMs, includedCuMs } = line;
      const billed = amountOfUse(billedCuMs + unpricedCuMs);
      return listUse(billed, amountOfUse(includedCuMs), { ...common, kind: 'compute' }, isIncludedListed);
    }
    const { value, included = '0' } = quantity ?? {};
    if (value === undefined) return [{ ...common, kind }];
    return listUse(amountOf(value), amountOf(included), { ...common, kind }, isIncludedListed);
  });
}

/** What was used, in units of its price. */
function listUse(
  billed: Amount,
  included: Amount,
  item: Omit<BillItem, 'quantity'>,
  isIncludedListed: boolean,
): readonly BillItem[] {
  const { price, amount } = item;
  if (!isIncludedListed || price === undefined || isNothing(included)) return [{ ...item, quantity: billed }];
  const free = timesRate(included, price);
  return [
    { ...item, quantity: addAmounts(billed, included), amount: addAmounts(amount, free) },
    { ...item, kind: 'included', quantity: negateAmount(included), amount: negateAmount(free) },
  ];
}
