import type { Period } from '../../cost/calendar/calendar.ts';
import { type PeriodPair, pairPeriod } from '../../cost/calendar/period-before.ts';
import type { CostLine } from '../../cost/rating/cost-line.ts';
import type { Costing } from '../../cost/rating/costing.ts';
import type { PriceBook } from '../../resources/price-book.ts';
import type { ReportSubject } from '../content.ts';
import { knownCharges, priceUse, shareAmongProjects } from '../row/scoped-cost.ts';

/** Use and charges of projects in a period, and in the one before; charges are shared out. */
export interface PeriodCosts {
  readonly costing: Costing;
  readonly pair: PeriodPair;
  /** Whether the period goes on. */
  readonly isOpen: boolean;
  readonly used: readonly CostLine[];
  readonly charges: readonly CostLine[];
  readonly usedBefore: readonly CostLine[];
  readonly chargesBefore: readonly CostLine[];
  /** The use that `used` is to be compared with: where the period is open, that until the same time. */
  readonly usedByThen: readonly CostLine[];
  readonly comparedUntilAt: number;
}

/** Gathers what the projects of all groups cost in the period of a showback and in the one before. */
export function gatherPeriods(subject: ReportSubject, book: PriceBook): PeriodCosts {
  const { request } = subject;
  const { span, billedStretch } = request;
  const pair = pairPeriod({ ...span, zone: span.timezone, billedStretch }, book.billingPeriod);
  const { before, whole, billedBefore } = pair;
  const costing = priceUse(subject, book);
  const chargesIn = (stretch: Period, used: Period) =>
    shareAmongProjects(
      costing,
      knownCharges({ ...subject, request: { ...request, billedStretch: stretch } }, costing, [used]),
    );
  const isOpen = span.untilAt < whole.untilAt;
  const elapsed = span.untilAt - span.fromAt;
  const comparedUntilAt = isOpen ? Math.min(before.fromAt + elapsed, before.untilAt) : before.untilAt;
  const usedBefore = [...costing.usageLines(before)];
  return {
    ...{ costing, pair, isOpen, usedBefore, comparedUntilAt },
    used: [...costing.usageLines(span)],
    charges: chargesIn(billedStretch, span),
    chargesBefore: chargesIn(billedBefore, before),
    usedByThen: isOpen ? [...costing.usageLines({ ...before, untilAt: comparedUntilAt })] : usedBefore,
  };
}
