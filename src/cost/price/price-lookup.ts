import Big from 'big.js';
import type { DecimalText, ExchangeRate, PriceBook, PricePlan } from '../../resources/price-book.ts';
import { type Amount, amountOf, timesRate } from '../money/money.ts';

/** The price of one compute hour in the currency of the plan, without and with the discount. */
export interface UnitPrice {
  readonly list: DecimalText;
  readonly discounted: DecimalText;
}

/** The price of a plan at an instant; no `price` while the plan has none. */
export function priceAt({ prices }: PricePlan, at: number): { readonly price?: UnitPrice } {
  const dated = prices.find(({ fromAt, untilAt }) => fromAt <= at && (untilAt === undefined || at < untilAt));
  if (dated === undefined) return {};
  const paid = Big(100).minus(dated.discountPercent).times('0.01');
  const discounted = paid.times(dated.perComputeHour).toFixed();
  return { price: { list: dated.perComputeHour, discounted } };
}

/**
 * The exchange rate from the currency of a plan to the display currency at an instant: the latest one until then. No
 * `rate` while there is none.
 */
export function rateAt(book: PriceBook, plan: PricePlan, at: number): { readonly rate?: DecimalText } {
  if (plan.currency === book.displayCurrency) return { rate: '1' };
  const rate = ratesOf(book, plan).findLast(({ fromAt }) => fromAt <= at)?.rate;
  return rate === undefined ? {} : { rate };
}

/** The dated exchange rates of a plan's currency; none where it is the display currency. */
export function ratesOf(
  { exchangeRates, displayCurrency }: PriceBook,
  { currency }: PricePlan,
): readonly ExchangeRate[] {
  return currency === displayCurrency ? [] : exchangeRates.filter(rate => rate.currency === currency);
}

/**
 * The discounted price of one more compute hour at an instant in the display currency, once the included hours are used
 * up; undefined while there is no price or no exchange rate.
 */
export function hourPrice(book: PriceBook, plan: PricePlan, at: number): Amount | undefined {
  const { price } = priceAt(plan, at);
  const { rate } = rateAt(book, plan, at);
  return price === undefined || rate === undefined ? undefined : timesRate(amountOf(price.discounted), rate);
}
