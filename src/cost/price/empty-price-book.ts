import type { PriceBook } from '../../resources/price-book.ts';
import { calendarMonths } from '../calendar/billing-name.ts';

/** Price book where none is configured: billing periods are months of UTC all the same. */
export const emptyPriceBook: PriceBook = {
  displayCurrency: 'XXX',
  billingPeriod: calendarMonths,
  plans: [],
  exchangeRates: [],
};
