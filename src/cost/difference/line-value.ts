import type { PriceBook } from '../../resources/price-book.ts';
import { rateAt } from '../price/price-lookup.ts';
import type { Costing } from '../rating/costing.ts';
import type { LineValues } from './valued-use.ts';

/** Looks up in a price book what lines rated by it do not say. */
export function lineValues(book: PriceBook, costing: Costing): LineValues {
  return {
    rateOf: (currency, at) => rateAt(book, { currency }, at).rate,
    firstPriceOf: ({ project, fromAt, untilAt }) => {
      if (project === undefined) return undefined;
      const [segment] = costing.segmentsOf(project, { fromAt, untilAt });
      return segment?.tiers[0]?.price.discounted;
    },
  };
}
