import type { ForecastBounds } from '../../resources/usage/view.ts';
import type { Period } from '../calendar/calendar.ts';
import { type Amount, amountNumber, compareAmounts } from '../money/money.ts';

/** Forecast spending in a stretch of time to come, in the unit of the limit. */
export interface SpendingStretch extends Period {
  readonly amount: number;
}

/** What is expected to be spent in a stretch of time to come, in the unit of the limit. */
export interface ExpectedSpending {
  /** In order of time. */
  readonly expected: readonly SpendingStretch[];
  /** Of the sum. */
  readonly bounds: SpendingBounds;
}

export type SpendingBounds = Omit<ForecastBounds, 'expected'>;

export interface SpendingForecast {
  /** Spent by the end of the period. */
  readonly projected: number;
  readonly projectedBounds: SpendingBounds;
  /** Epoch milliseconds; now when the limit is reached already, absent when it will not be. */
  readonly reachedAt?: number;
}

/** Adds what is expected to the amount spent; within a stretch spending is even. */
export function forecastSpending(
  spent: Amount,
  limit: Amount,
  now: number,
  { expected, bounds }: ExpectedSpending,
): SpendingForecast {
  const most = amountNumber(limit);
  const already = amountNumber(spent);
  let projected = already;
  let reachedAt = compareAmounts(spent, limit) >= 0 ? now : undefined;
  for (const { fromAt, untilAt, amount } of expected) {
    if (reachedAt === undefined && amount > 0 && projected + amount >= most) {
      reachedAt = fromAt + Math.round(((untilAt - fromAt) * (most - projected)) / amount);
    }
    projected += amount;
  }
  const projectedBounds = {
    low80: already + bounds.low80,
    high80: already + bounds.high80,
    low95: already + bounds.low95,
    high95: already + bounds.high95,
  };
  return { projected, projectedBounds, ...(reachedAt !== undefined && { reachedAt }) };
}
