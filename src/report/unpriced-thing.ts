import { addAmounts, amountOfUse, noAmount, showAmount } from '../cost/money/money.ts';
import { unitOf } from '../cost/price/metered-tariff.ts';
import type { Costing } from '../cost/rating/costing.ts';
import { type PriceBook, thingMetrics, thingNames } from '../resources/price-book.ts';
import type { UsageProject } from '../resources/usage/ledger.ts';
import type { ReportRequest } from './request.ts';

const decimals = 3;

/** A sentence on what was metered in a period and has no price, so that no cost has it; none where there is nothing of that. */
export function describeUnpricedThings(
  costing: Pick<Costing, 'unpricedThings'>,
  { span }: Pick<ReportRequest, 'span'>,
  book: PriceBook,
  isMeant?: (project: UsageProject) => boolean,
): string[] {
  const unpriced = Map.groupBy(costing.unpricedThings(span, isMeant), ({ metric }) => metric);
  const said = thingMetrics.flatMap(metric => {
    const { name, parts: size } = unitOf(metric, book.meter);
    const amounts = (unpriced.get(metric) ?? []).map(({ parts }) => amountOfUse(parts, '1', size));
    const shown = showAmount(amounts.reduce(addAmounts, noAmount), decimals);
    return Number(shown) === 0 ? [] : [`${thingNames[metric]} (${shown} ${name})`];
  });
  return said.length === 0
    ? []
    : [`Metered, but without a price, so that the cost is without it: ${said.join(', ')}.`];
}
