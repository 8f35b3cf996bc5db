import type { DecimalText, PriceBook } from '../../resources/price-book.ts';
import { holdsAt } from '../price/dated.ts';
import { tariffOf, unitOf } from '../price/metered-tariff.ts';
import { rateAt, tiersAt } from '../price/price-lookup.ts';
import type { CostLine } from '../rating/cost-line.ts';
import type { Costing } from '../rating/costing.ts';
import type { LineValues } from './valued-use.ts';

/** Looks up in a price book what lines rated by it do not say. */
export function lineValues(book: PriceBook, costing: Costing): LineValues {
  return {
    rateOf: (currency, at) => rateAt(book, { currency }, at).rate,
    firstPriceOf: line => {
      const { kind, project, fromAt, untilAt } = line;
      if (kind === 'metered') return firstThingPrice(book, line);
      if (project === undefined) return undefined;
      const [segment] = costing.segmentsOf(project, { fromAt, untilAt });
      return segment?.tiers[0]?.price.discounted;
    },
  };
}

/** The price of a metered thing in its first tier. */
function firstThingPrice(
  { plans, meter }: PriceBook,
  { plan: planName, name, fromAt }: CostLine,
): DecimalText | undefined {
  const plan = plans.find(each => each.name === planName);
  const thing = plan?.metered?.find(each => each.name === name && holdsAt(each, fromAt));
  if (plan === undefined || thing === undefined) return undefined;
  const [first] = tiersAt(tariffOf(plan, thing, unitOf(thing.metric, meter)), fromAt);
  return first?.price.discounted;
}
