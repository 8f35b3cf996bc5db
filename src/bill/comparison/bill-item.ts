import {
  type Amount,
  addAmounts,
  amountOf,
  amountOfUse,
  noAmount,
  subtractAmounts,
} from '../../cost/money/money.ts';
import type { CostLine } from '../../cost/rating/cost-line.ts';
import type { InvoiceKind } from '../../resources/invoice-rule.ts';
import type { DecimalText } from '../../resources/price-book.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';

/** Something that our bill charges, as an invoice would have it. */
export interface BillItem {
  readonly kind: InvoiceKind;
  readonly project?: UsageProject;
  readonly plan?: string;
  readonly name?: string;
  /** Compute hours, or how many of a counted thing. */
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
    const price = charge?.price?.discounted;
    const common = {
      ...(project && { project }),
      ...(plan !== undefined && { plan }),
      ...(name !== undefined && { name }),
      ...(price !== undefined && { price }),
      amount: charge?.amount ?? noAmount,
    };
    if (kind === 'usage') return listUse(line, common, isIncludedListed);
    return [{ ...common, kind, ...(quantity && { quantity: amountOf(quantity.value) }) }];
  });
}

function listUse(
  { usedCuMs, includedCuMs, billedCuMs, unpricedCuMs }: CostLine,
  common: Omit<BillItem, 'kind'>,
  isIncludedListed: boolean,
): readonly BillItem[] {
  const { price, amount } = common;
  if (!isIncludedListed || price === undefined || includedCuMs === 0)
    return [{ ...common, kind: 'compute', quantity: amountOfUse(billedCuMs + unpricedCuMs) }];
  const included = amountOfUse(includedCuMs, price);
  return [
    { ...common, kind: 'compute', quantity: amountOfUse(usedCuMs), amount: addAmounts(amount, included) },
    {
      ...{ ...common, kind: 'included' },
      quantity: subtractAmounts(noAmount, amountOfUse(includedCuMs)),
      amount: subtractAmounts(noAmount, included),
    },
  ];
}
