import type { Period } from '../calendar/calendar.ts';
import { type Amount, amountNumber, compareAmounts } from '../money/money.ts';

/** Forecast spending in a stretch of time to come, in the unit of the limit. */
export interface SpendingStretch extends Period {
  readonly amount: number;
}

export interface SpendingForecast {
  /** Spent by the end of the period. */
  readonly projected: number;
  /** Epoch milliseconds; now when the limit is reached already, absent when it will not be. */
  readonly reachedAt?: number;
}

/** Adds the forecast of the stretches to come to the amount spent; within a stretch spending is even. */
export function forecastSpending(
  spent: Amount,
  limit: Amount,
  now: number,
  expected: readonly SpendingStretch[],
): SpendingForecast {
  const most = amountNumber(limit);
  let projected = amountNumber(spent);
  let reachedAt = compareAmounts(spent, limit) >= 0 ? now : undefined;
  for (const { fromAt, untilAt, amount } of expected) {
    if (reachedAt === undefined && amount > 0 && projected + amount >= most) {
      reachedAt = fromAt + Math.round(((untilAt - fromAt) * (most - projected)) / amount);
    }
    projected += amount;
  }
  return reachedAt === undefined ? { projected } : { projected, reachedAt };
}
