import type { PriceBook } from '../../resources/price-book.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { Period } from '../calendar/calendar.ts';
import { type PricedUse, shareIncludedUsage } from '../price/included-usage.ts';
import type { PlanAssignment } from '../price/plan-assignment.ts';
import { type PriceSegment, priceSegments } from '../price/price-segment.ts';

/** Prices and included usage of a plan assignment in a billing period. */
export interface RatedPeriod {
  readonly segments: readonly PriceSegment[];
  readonly pricedUse: PricedUse;
  /** CU-milliseconds a project may use before it is billed. */
  readonly includedUsage: (project: UsageProject) => number;
}

/** CU-milliseconds a project, by its number, used before an instant. */
export type UsedUntil = (project_ref: number, at: number) => number;

/** Rates a billing period: finds its prices, and shares the included usage out among the projects of a plan. */
export function ratePeriod(
  book: PriceBook,
  assignment: PlanAssignment,
  period: Period,
  usedUntil: UsedUntil,
): RatedPeriod {
  const segments = priceSegments(book, assignment.plan, period);
  const priced = joinPriced(segments);
  const pricedUse: PricedUse = (project_ref, at) =>
    priced
      .filter(({ fromAt }) => fromAt < at)
      .reduce((use, { fromAt, untilAt }) => {
        return use + usedUntil(project_ref, Math.min(at, untilAt)) - usedUntil(project_ref, fromAt);
      }, 0);
  return { segments, pricedUse, includedUsage: shareIncludedUsage(assignment, period, pricedUse) };
}

/** The stretches with any price at all: fewer readings than one by one. */
function joinPriced(segments: readonly PriceSegment[]): Period[] {
  const joined: { fromAt: number; untilAt: number }[] = [];
  for (const { fromAt, untilAt, price } of segments) {
    if (price === undefined) continue;
    const last = joined.at(-1);
    if (last?.untilAt === fromAt) last.untilAt = untilAt;
    else joined.push({ fromAt, untilAt });
  }
  return joined;
}
