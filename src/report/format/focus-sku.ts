import { sharedTime, timeOf } from '../../cost/price/dated.ts';
import type { CostLine } from '../../cost/rating/cost-line.ts';
import type { Dated, PriceBook, PricePlan } from '../../resources/price-book.ts';
import { dateOf } from '../../resources/utc-date.ts';

/** What is sold, in words. */
const meters = {
  usage: 'Compute Usage',
  base_fee: 'Base Fee',
  minimum: 'Minimum Charge',
} as const;

/** What was sold, and the price it was sold at. */
export interface Sku {
  readonly id: string;
  readonly meter: string | undefined;
  readonly priceId: string;
  /** An object of JSON. */
  readonly details?: string;
}

/** What was sold and at which of its prices: each price of a plan has an id of its own, by its date and tier. */
export function skuOf(line: CostLine, book: PriceBook): Sku {
  const { kind, name, plan, tier } = line;
  const known = kind === 'usage' || kind === 'base_fee' || kind === 'minimum';
  const id = kind === 'usage' ? 'compute' : known ? kind : `${kind}/${name}`;
  const from = priceDate(line, book);
  const parts = [id, plan, from, tier === undefined ? undefined : `tier-${tier}`];
  const details = { x_Plan: plan, x_PriceFrom: from, x_Tier: tier };
  return {
    ...{ id, meter: known ? meters[kind] : name },
    priceId: parts.filter(part => part !== undefined).join('/'),
    ...(plan !== undefined && { details: JSON.stringify(details) }),
  };
}

/** The day on which the price of a line began, by the dates of UTC: where a charge had several, the first of them. */
function priceDate(line: CostLine, { plans }: PriceBook): string | undefined {
  const { plan, fromAt, untilAt } = line;
  const priced = plans.find(
    each => each.name === plan && sharedTime([timeOf(each)], [{ fromAt, untilAt }])[0],
  );
  if (priced === undefined) return undefined;
  const price = datesOf(line, priced).find(each => sharedTime([timeOf(each)], [{ fromAt, untilAt }])[0]);
  return price && dateOf(price.fromAt);
}

type PriceDate = Dated & { readonly fromAt: number };

/** The prices that a line of a kind may have, in order of time; none where it has the same one at all times. */
function datesOf(
  { kind, name }: CostLine,
  { prices, metered = [], baseFee, minimum }: PricePlan,
): readonly PriceDate[] {
  switch (kind) {
    case 'usage':
      return prices;
    case 'metered':
      return metered
        .filter(thing => thing.name === name)
        .flatMap(({ prices: own }) => own)
        .flatMap(({ fromAt, untilAt }) =>
          fromAt === undefined ? [] : [{ fromAt, ...(untilAt !== undefined && { untilAt }) }],
        );
    case 'base_fee':
      return typeof baseFee === 'object' ? baseFee : [];
    case 'minimum':
      return typeof minimum === 'object' ? minimum : [];
    default:
      return [];
  }
}
