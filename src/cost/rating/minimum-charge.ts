import type { PriceBook } from '../../resources/price-book.ts';
import type { UsageLedger } from '../../resources/usage/ledger.ts';
import type { Period } from '../calendar/calendar.ts';
import {
  addAmounts,
  amountOf,
  compareAmounts,
  noAmount,
  subtractAmounts,
  timesRate,
} from '../money/money.ts';
import type { PlanAssignment } from '../price/plan-assignment.ts';
import { rateAt } from '../price/price-lookup.ts';
import { priceSegments } from '../price/price-segment.ts';
import type { CostLine } from './cost-line.ts';

export interface MinimumCase {
  readonly book: PriceBook;
  readonly ledger: UsageLedger;
  readonly assignment: PlanAssignment;
  /** A billing period, over by now. */
  readonly period: Period;
  /** All usage lines of the assignment's projects in the period. */
  readonly useLines: () => readonly CostLine[];
}

/**
 * The line that charges up to the minimum of a plan: one, or none where enough was charged, the plan had no price, or
 * no project of it existed while usage was recorded.
 */
export function minimumLines({ book, ledger, assignment, period, useLines }: MinimumCase): CostLine[] {
  const { account, plan } = assignment;
  const isPriced = priceSegments(book, plan, period).some(({ price }) => price !== undefined);
  if (plan.minimum === undefined || !isPriced || !isKnownOf(ledger, assignment, period)) return [];
  const charged = useLines().reduce(
    (sum, { charge }) => addAmounts(sum, charge?.amount ?? noAmount),
    noAmount,
  );
  const amount = subtractAmounts(amountOf(plan.minimum), charged);
  if (compareAmounts(amount, noAmount) <= 0) return [];
  const { rate } = rateAt(book, plan, period.untilAt - 1);
  const displayed = rate === undefined ? {} : { displayAmount: timesRate(amount, rate) };
  return [
    {
      kind: 'minimum',
      account,
      plan: plan.name,
      ...period,
      usedCuMs: 0,
      includedCuMs: 0,
      billedCuMs: 0,
      unpricedCuMs: 0,
      charge: { currency: plan.currency, amount, ...displayed },
    },
  ];
}

function isKnownOf(ledger: UsageLedger, { account, projects }: PlanAssignment, period: Period): boolean {
  const knownFromAt = ledger.knownFrom(account);
  if (knownFromAt === undefined || knownFromAt >= period.untilAt) return false;
  return projects.some(
    ({ created_at = knownFromAt, gone_at }) =>
      created_at < period.untilAt && (gone_at === undefined || gone_at > period.fromAt),
  );
}
