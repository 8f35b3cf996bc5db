import Big from 'big.js';
import type {
  DatedPrice,
  DecimalText,
  ExchangeRate,
  PriceBook,
  PricePlan,
  Tariff,
} from '../../resources/price-book.ts';
import type { Period } from '../calendar/calendar.ts';
import { type Amount, amountOf, timesRate, wholePart } from '../money/money.ts';
import { cutAt, holdsAt } from './dated.ts';

/** The price of one compute hour, or another unit, in the currency of the plan, without and with the discount. */
export interface UnitPrice {
  readonly list: DecimalText;
  readonly discounted: DecimalText;
}

/** A price of use beyond some of a billing period; the tiers of a price follow one another. */
export interface PriceTier {
  readonly price: UnitPrice;
  /** CU-milliseconds, or parts of another unit, billed to an account for the plan in the billing period; 0 in the first tier. */
  readonly beyondCuMs: number;
}

/** The tiers of a plan at an instant, one where the price has none; no tier while the plan has no price. */
export function tiersAt({ prices, partsOfUnit }: Tariff, at: number): readonly PriceTier[] {
  const dated = prices.find(price => holdsAt(price, at));
  return dated === undefined ? [] : tiersOf(dated, partsOfUnit);
}

function tiersOf(
  { perComputeHour, discountPercent, tiers = [] }: DatedPrice,
  partsOfUnit?: number,
): readonly PriceTier[] {
  const paid = Big(100).minus(discountPercent).times('0.01');
  const tier = (list: DecimalText, beyondCuMs: number): PriceTier => {
    return { price: { list, discounted: paid.times(list).toFixed() }, beyondCuMs };
  };
  const higher = tiers.map(each =>
    tier(each.perComputeHour, wholePart(amountOf(each.beyondHours), partsOfUnit)),
  );
  return [tier(perComputeHour, 0), ...higher];
}

/**
 * The exchange rate from a currency to the display currency at an instant: the latest one until then. No `rate` while
 * there is none.
 */
export function rateAt(
  book: PriceBook,
  of: { readonly currency: string },
  at: number,
): { readonly rate?: DecimalText } {
  if (of.currency === book.displayCurrency) return { rate: '1' };
  const rate = ratesOf(book, of).findLast(({ fromAt }) => fromAt <= at)?.rate;
  return rate === undefined ? {} : { rate };
}

/** The dated exchange rates of a currency; none where it is the display currency. */
function ratesOf(
  { exchangeRates, displayCurrency }: PriceBook,
  { currency }: { readonly currency: string },
): readonly ExchangeRate[] {
  return currency === displayCurrency ? [] : exchangeRates.filter(rate => rate.currency === currency);
}

/**
 * The discounted price of one more compute hour at an instant in the display currency, once the included hours are used
 * up; undefined while there is no price or no exchange rate.
 *
 * @param billedCuMs what was billed in the billing period so far: the tier follows from it.
 */
export function hourPrice(book: PriceBook, plan: PricePlan, at: number, billedCuMs = 0): Amount | undefined {
  const tier = tiersAt(plan, at).findLast(({ beyondCuMs }) => beyondCuMs <= billedCuMs);
  const { rate } = rateAt(book, plan, at);
  return tier && rate !== undefined ? timesRate(amountOf(tier.price.discounted), rate) : undefined;
}

/** A stretch of time with one price, or none, and one exchange rate, or none. */
export interface PriceSegment extends Period {
  /** None where there is no price. */
  readonly tiers: readonly PriceTier[];
  /** From the currency of the plan to the display currency. */
  readonly rate?: DecimalText;
}

/** Cuts a period where a price or its exchange rate changes. */
export function priceSegments(book: PriceBook, tariff: Tariff, period: Period): PriceSegment[] {
  const changes = [
    ...tariff.prices.flatMap(({ fromAt, untilAt = fromAt }) => [fromAt, untilAt]),
    ...ratesOf(book, tariff).map(({ fromAt }) => fromAt),
  ];
  return cutAt(period, changes).map(part => {
    return { ...part, tiers: tiersAt(tariff, part.fromAt), ...rateAt(book, tariff, part.fromAt) };
  });
}
