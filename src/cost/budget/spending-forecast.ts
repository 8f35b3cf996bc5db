import type { ForecastBounds } from '../../resources/usage/view.ts';
import type { Period } from '../calendar/calendar.ts';
import { shiftBounds } from '../forecast/bound.ts';
import { type Amount, amountNumber, compareAmounts } from '../money/money.ts';

/** Forecast spending in a stretch of time to come, in the unit of the limit. */
export interface SpendingStretch extends Period {
  readonly amount: number;
}

/** What is expected to be spent in a stretch of time to come, in the unit of the limit. */
export interface ExpectedSpending {
  /** In order of time. */
  readonly stretches: readonly SpendingStretch[];
  readonly total: ForecastBounds;
}

export interface SpendingForecast {
  /** Spent by the end of the period. */
  readonly projected: number;
  readonly projectedBounds: Omit<ForecastBounds, 'expected'>;
  /** Epoch milliseconds; now when the limit is reached already, absent when it will not be. */
  readonly reachedAt?: number;
}

/** Adds what is expected to the amount spent; within a stretch spending is even. */
export function forecastSpending(
  spent: Amount,
  limit: Amount,
  now: number,
  { stretches, total }: ExpectedSpending,
): SpendingForecast {
  const most = amountNumber(limit);
  const already = amountNumber(spent);
  let projected = already;
  let reachedAt = compareAmounts(spent, limit) >= 0 ? now : undefined;
  for (const { fromAt, untilAt, amount } of stretches) {
    if (reachedAt === undefined && amount > 0 && projected + amount >= most) {
      reachedAt = fromAt + Math.round(((untilAt - fromAt) * (most - projected)) / amount);
    }
    projected += amount;
  }
  const { expected: _sum, ...projectedBounds } = shiftBounds(total, already);
  return { projected, projectedBounds, ...(reachedAt !== undefined && { reachedAt }) };
}
