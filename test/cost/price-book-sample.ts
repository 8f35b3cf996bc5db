import type { DatedPrice, PriceBook, PricePlan } from '../../src/resources/price-book.ts';

interface SamplePrice {
  readonly from?: string;
  readonly until?: string;
  readonly price: string;
  readonly discount?: string;
}

export function pricesOf(...samples: readonly SamplePrice[]): DatedPrice[] {
  return samples.map(({ from = '2020-01-01', until, price, discount = '0' }) => ({
    fromAt: Date.parse(from),
    ...(until === undefined ? {} : { untilAt: Date.parse(until) }),
    perComputeHour: price,
    discountPercent: discount,
  }));
}

/** For all projects at 0.16 USD an hour unless told otherwise. */
export function planWith(plan: Partial<PricePlan> = {}): PricePlan {
  return { name: 'standard', match: {}, currency: 'USD', prices: pricesOf({ price: '0.16' }), ...plan };
}

/** Of calendar months in USD. */
export function bookOf(plans: readonly PricePlan[], book: Partial<PriceBook> = {}): PriceBook {
  return {
    displayCurrency: 'USD',
    billingPeriod: { kind: 'month', anchorDay: 1 },
    plans,
    exchangeRates: [],
    ...book,
  };
}
