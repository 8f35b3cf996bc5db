import { cutAtGaps, findAcceptedGap } from '../cost/price/accepted-gap.ts';
import type { PriceBook } from '../resources/price-book.ts';
import type { UsageProject } from '../resources/usage/ledger.ts';
import { isInReport } from './chosen-project.ts';
import type { ReportSubject } from './content.ts';
import { showHourTotal } from './format/hour-text.ts';
import { priceUse } from './row/scoped-cost.ts';

/** Unpriced use that somebody accepted: no gap in a report. */
interface AcceptedUse {
  readonly cuMs: number;
  /** A sentence for each of the accepted gaps that there is use in. */
  readonly notes: readonly string[];
}

/** Finds the unpriced use of a report's period that lies in the accepted gaps of a price book. */
export function findAcceptedUse(
  subject: Pick<ReportSubject, 'history' | 'request' | 'groups'>,
  book: PriceBook,
  isMeant: (project: UsageProject) => boolean = project => isInReport(subject.request, project),
): AcceptedUse {
  if (book.acceptedGaps === undefined) return { cuMs: 0, notes: [] };
  const costing = priceUse(subject, book);
  const byReason = new Map<string, number>();
  for (const stretch of cutAtGaps(book, subject.request.span)) {
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
