import type { Period } from '../cost/calendar/calendar.ts';
import { amountOfUse, showAmount, sumAmounts } from '../cost/money/money.ts';
import { cutAtGaps, findAcceptedGap } from '../cost/price/accepted-gap.ts';
import { unitOf } from '../cost/price/metered-tariff.ts';
import type { CostSum } from '../cost/rating/cost-line.ts';
import type { Costing } from '../cost/rating/costing.ts';
import { type PriceBook, thingMetrics, thingNames } from '../resources/price-book.ts';
import type { UsageProject } from '../resources/usage/ledger.ts';
import { isInReport } from './chosen-project.ts';
import type { PricedSubject, ReportContent, ReportSubject } from './content.ts';
import { describeEstimatedShares } from './estimated-share.ts';
import { describeUnknown } from './format/cost-text.ts';
import { showHourTotal } from './format/hour-text.ts';
import { describeLedgers } from './ledger-note.ts';
import { describeUnreadMinimums } from './minimum-note.ts';
import type { ReportRequest } from './request.ts';
import { priceUse } from './row/scoped-cost.ts';

/** What is said of the money in any report of cost: what compute is by, and what has no price. */
export function describeMoney(
  subject: ReportSubject,
  book: PriceBook,
  costing: Costing,
  sums: readonly CostSum[],
): Pick<ReportContent, 'notes' | 'gaps'> {
  const { request } = subject;
  const accepted = findAcceptedUse(subject, book);
  const isOfProjects = request.by !== 'account' && request.by !== 'line' && request.format !== 'focus';
  return {
    notes: [
      ...describeLedgers(subject, book),
      ...describeUnpricedThings(costing, request, book),
      ...(isOfProjects ? describeEstimatedShares(subject, book, costing) : []),
      ...accepted.notes,
    ],
    gaps: [
      ...describeUnknown(sums, accepted.cuMs),
      ...(request.project === undefined ? describeUnreadMinimums(subject, book) : []),
    ],
  };
}

/** Unpriced use that somebody accepted: no gap in a report. */
interface AcceptedUse {
  readonly cuMs: number;
  /** A sentence for each of the accepted gaps that there is use in. */
  readonly notes: readonly string[];
}

/**
 * Finds the unpriced use that lies in the accepted gaps of a price book.
 *
 * @param stretches the report's period, where there are no others.
 */
export function findAcceptedUse(
  subject: PricedSubject,
  book: PriceBook,
  isMeant: (project: UsageProject) => boolean = project => isInReport(subject.request, project),
  stretches: readonly Period[] = [subject.request.span],
): AcceptedUse {
  if (book.acceptedGaps === undefined) return { cuMs: 0, notes: [] };
  const costing = priceUse(subject, book);
  const byReason = new Map<string, number>();
  for (const stretch of stretches.flatMap(each => cutAtGaps(book, each))) {
    for (const { project, plan, unpricedCuMs } of costing.usageLines(stretch, isMeant)) {
      if (project === undefined || unpricedCuMs === 0) continue;
      const gap = findAcceptedGap(book, { project, plan, ...stretch }, subject.groups.groupsOf);
      if (gap !== undefined) byReason.set(gap.why, (byReason.get(gap.why) ?? 0) + unpricedCuMs);
    }
  }
  const accepted = [...byReason];
  return {
    cuMs: accepted.reduce((sum, [, cuMs]) => sum + cuMs, 0),
    notes: accepted.map(
      ([why, cuMs]) => `${showHourTotal([cuMs])} compute hours are unpriced, which is accepted: ${why}.`,
    ),
  };
}

const decimals = 3;

/** A sentence on what was metered in a period and has no price, so that no cost has it; none where there is nothing of that. */
export function describeUnpricedThings(
  costing: Pick<Costing, 'unpricedThings'>,
  { span }: Pick<ReportRequest, 'span'>,
  book: PriceBook,
  isMeant?: (project: UsageProject) => boolean,
): string[] {
  const unpriced = Map.groupBy(costing.unpricedThings(span, isMeant), ({ metric }) => metric);
  const said = thingMetrics.flatMap(metric => {
    const { name, parts: size } = unitOf(metric, book.meter);
    const amounts = (unpriced.get(metric) ?? []).map(({ parts }) => amountOfUse(parts, '1', size));
    const shown = showAmount(sumAmounts(amounts), decimals);
    return Number(shown) === 0 ? [] : [`${thingNames[metric]} (${shown} ${name})`];
  });
  return said.length === 0
    ? []
    : [`Metered, but without a price, so that the cost is without it: ${said.join(', ')}.`];
}
