import type { DecimalText, PriceBook, Tariff } from '../../resources/price-book.ts';
import type { Period } from '../calendar/calendar.ts';
import { type PriceTier, rateAt, ratesOf, tiersAt } from './price-lookup.ts';

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
    ...tariff.prices.flatMap(({ fromAt, untilAt }) => [fromAt, ...(untilAt === undefined ? [] : [untilAt])]),
    ...ratesOf(book, tariff).map(({ fromAt }) => fromAt),
  ];
  const inside = changes.filter(at => at > period.fromAt && at < period.untilAt);
  const starts = [...new Set([period.fromAt, ...inside])].sort((a, b) => a - b);
  return starts.map((fromAt, index) => ({
    fromAt,
    untilAt: starts[index + 1] ?? period.untilAt,
    tiers: tiersAt(tariff, fromAt),
    ...rateAt(book, tariff, fromAt),
  }));
}
