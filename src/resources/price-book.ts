import type { ProjectMatch } from './project-match.ts';

/** A decimal number as it is written, such as `0.16`: money never becomes a floating-point number on its way. */
export type DecimalText = string;

/** The price of a compute hour from one instant to another. */
export interface DatedPrice {
  /** Epoch milliseconds; a date of the price book is its midnight in UTC. */
  readonly fromAt: number;
  /** The first instant it does not apply to; absent while none is known. */
  readonly untilAt?: number;
  readonly perComputeHour: DecimalText;
  /** Off the price, 0 to 100. */
  readonly discountPercent: DecimalText;
}

/** How the projects that it matches are charged. */
export interface PricePlan {
  readonly name: string;
  readonly match: ProjectMatch;
  /** ISO 4217, of its prices and its minimum. */
  readonly currency: string;
  /** In order of time, none overlapping another. */
  readonly prices: readonly DatedPrice[];
  /** Compute hours of a billing period that cost nothing: of an account's projects together, or of each. */
  readonly included?: { readonly computeHours: DecimalText; readonly per: 'account' | 'project' };
  /** The least an account with projects of the plan is charged for a billing period. */
  readonly minimum?: DecimalText;
  /** The smallest auto-suspend delay that its endpoints can have; absent where none is said. */
  readonly smallestSuspendDelayMs?: number;
}

/** The value of one unit of a currency in the display currency, from an instant on. */
export interface ExchangeRate {
  readonly currency: string;
  readonly fromAt: number;
  readonly rate: DecimalText;
}

/**
 * Months of UTC that begin on a day (the last one of shorter months), or stretches of a fixed length from an instant
 * on.
 */
export type BillingPeriod =
  | { readonly kind: 'month'; readonly anchorDay: number }
  | { readonly kind: 'hours'; readonly hours: number; readonly anchorAt: number };

/** The plans by precedence: the first that matches a project is its plan. */
export interface PriceBook {
  readonly displayCurrency: string;
  readonly billingPeriod: BillingPeriod;
  readonly plans: readonly PricePlan[];
  /** By currency in order of time. */
  readonly exchangeRates: readonly ExchangeRate[];
}
