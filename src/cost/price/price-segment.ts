import Big from 'big.js';
import type { DecimalText, PriceBook, PricePlan } from '../../resources/price-book.ts';
import type { Period } from '../calendar/calendar.ts';
import { type Amount, amountOf, timesRate } from '../money/money.ts';
import type { UnitPrice } from '../rating/cost-line.ts';

/** A stretch of time with one price, or none, and one exchange rate, or none. */
export interface PriceSegment extends Period {
  readonly price?: UnitPrice;
  /** Of the currency of the plan to the display currency. */
  readonly rate?: DecimalText;
}

/** Cuts a period where the price of a plan or its exchange rate changes. */
export function priceSegments(book: PriceBook, plan: PricePlan, period: Period): PriceSegment[] {
  const changes = [
    ...plan.prices.flatMap(({ fromAt, untilAt }) => [fromAt, ...(untilAt === undefined ? [] : [untilAt])]),
    ...ratesOf(book, plan).map(({ fromAt }) => fromAt),
  ];
  const inside = changes.filter(at => at > period.fromAt && at < period.untilAt);
  const starts = [...new Set([period.fromAt, ...inside])].sort((a, b) => a - b);
  return starts.map((fromAt, index) => ({
    fromAt,
    untilAt: starts[index + 1] ?? period.untilAt,
    ...priceAt(plan, fromAt),
    ...rateAt(book, plan, fromAt),
  }));
}

/**
 * What one more compute hour costs at an instant in the display currency, once the included hours are used up; undefined
 * while there is no price or no exchange rate.
 */
export function hourPrice(book: PriceBook, plan: PricePlan, at: number): Amount | undefined {
  const { price } = priceAt(plan, at);
  const { rate } = rateAt(book, plan, at);
  return price === undefined || rate === undefined ? undefined : timesRate(amountOf(price.discounted), rate);
}

function priceAt({ prices }: PricePlan, at: number): { readonly price?: UnitPrice } {
  const dated = prices.find(({ fromAt, untilAt }) => fromAt <= at && (untilAt === undefined || at < untilAt));
  if (dated === undefined) return {};
  const paid = Big(100).minus(dated.discountPercent).times('0.01');
  const discounted = paid.times(dated.perComputeHour).toFixed();
  return { price: { list: dated.perComputeHour, discounted } };
}

/** An exchange rate holds until the next one of its currency. */
export function rateAt(book: PriceBook, plan: PricePlan, at: number): { readonly rate?: DecimalText } {
  if (plan.currency === book.displayCurrency) return { rate: '1' };
  const rate = ratesOf(book, plan).findLast(({ fromAt }) => fromAt <= at)?.rate;
  return rate === undefined ? {} : { rate };
}

function ratesOf({ exchangeRates, displayCurrency }: PriceBook, { currency }: PricePlan) {
  return currency === displayCurrency ? [] : exchangeRates.filter(rate => rate.currency === currency);
}
