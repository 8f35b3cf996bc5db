import type { PriceBook } from '../../resources/price-book.ts';
import { calendarMonths } from '../calendar/billing-name.ts';

/** Price book where none is configured: billing periods are months of UTC all the same. */
export const emptyPriceBook: PriceBook = {
  displayCurrency: 'XXX',
  billingPeriod: calendarMonths,
  plans: [],
  exchangeRates: [],
};

/** Price book by which what use costs is its compute hours as the service reported them: one unit of no currency each. */
export const hourPriceBook: PriceBook = {
  ...emptyPriceBook,
  ledger: 'reported',
  plans: [
    {
      ...{ name: '', match: {}, currency: emptyPriceBook.displayCurrency },
      prices: [{ fromAt: 0, perComputeHour: '1', discountPercent: '0' }],
    },
  ],
};
