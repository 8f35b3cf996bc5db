import type { PriceBook, PricePlan } from '../../resources/price-book.ts';

/**
 * The terms of a price book, as they are written, that are for all projects of an account together: where there is one,
 * the costs of two parts of an account do not add up to its cost.
 */
export function findWholeCharges(book: PriceBook): readonly string[] {
  const { plans, lines = [], adjustments = [], rounding } = book;
  return [
    ...plans.flatMap(plan => planTerms(plan).map(term => `${term} of plan ${plan.name}`)),
    ...(lines.length > 0 ? ['lines'] : []),
    // A part of everything is that part of each part.
    ...(adjustments.some(({ kind }) => kind !== 'tax') ? ['adjustments'] : []),
    ...(rounding === undefined ? [] : ['rounding']),
  ];
}

function planTerms(plan: PricePlan): string[] {
  const { prices, included, baseFee, minimum, counted = [], metered = [] } = plan;
  const hasTiers = prices.some(hasMore) || metered.some(thing => thing.prices.some(hasMore));
  const isShared = [included, ...metered.map(thing => thing.included)].flat().some(isOfAccount);
  return [
    ...(hasTiers ? ['tiers'] : []),
    ...(isShared ? ['included'] : []),
    ...(baseFee === undefined ? [] : ['base_fee']),
    ...(minimum === undefined ? [] : ['minimum']),
    ...(counted.length > 0 ? ['counted'] : []),
  ];
}

const hasMore = ({ tiers = [] }: { readonly tiers?: readonly unknown[] }) => tiers.length > 0;

const isOfAccount = (each: { readonly per: string } | undefined) => each?.per === 'account';
