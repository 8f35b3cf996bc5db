import { addDecimals } from '../cost/money/decimal-sum.ts';
import { minuteMs, type Span } from '../resources/duration.ts';
import type { DecimalText } from '../resources/price-book.ts';
import type { ForecastBounds } from '../resources/usage/view.ts';

/** The sum of decimals with as many places as they have; null where there is none. */
export function sumDecimals(decimals: readonly (DecimalText | null)[]): DecimalText | null {
  return addDecimals(decimals.filter(each => each !== null)) ?? null;
}

/** Writes an instant for an answer. */
export function writeInstant(at: number): string {
  return new Date(at).toISOString();
}

/** Writes an instant that may not be known; null where it is not. */
export function writeMaybeInstant(at: number | null | undefined): string | null {
  return at === null || at === undefined ? null : writeInstant(at);
}

/** Writes the bounds of a forecast, each as its amount is written. */
export function writeBounds(
  { low80, high80, low95, high95 }: Omit<ForecastBounds, 'expected'>,
  write: (amount: number) => string,
) {
  return { low80: write(low80), high80: write(high80), low95: write(low95), high95: write(high95) };
}

/** Writes a stretch of time for an answer. */
export function writeSpan({ fromAt, untilAt }: Span) {
  return { from: writeInstant(fromAt), until: writeInstant(untilAt) };
}

/** Writes a step of a period for an answer. */
export function writeStep({ label, ...span }: Span & { readonly label: string }) {
  return { label, ...writeSpan(span) };
}

/** The end of the minute that an instant is in: a range until now ends there, or no answer would ever be the one before. */
export function endOfMinute(at: number): number {
  return Math.ceil(at / minuteMs) * minuteMs;
}
