import type { UnplacedUse } from '../history/usage/placed-usage-query.ts';
import type { ReportHistory } from '../history/usage/report-history.ts';
import { maxOf } from '../resources/min-max.ts';
import { type CountedLedger, isMetered } from './counted-ledger.ts';
import { showHourTotal } from './format/hour-text.ts';
import type { ReportSpan } from './format/report.ts';
import { separateThousands, showInstant } from './format/shown-cell.ts';

/**
 * Sentences on use that is left out of a period, as nothing tells when it was: one for each account whose operations
 * are still being imported, or whose operations never told. What is by the meter is known.
 */
export function describeUnplaced(
  { accounts, usage }: Pick<ReportHistory, 'accounts' | 'usage'>,
  span: ReportSpan,
  ledger: CountedLedger = 'reported',
  isMeant: (use: UnplacedUse) => boolean = () => true,
): readonly string[] {
  return accounts.flatMap(account => {
    const isInReport = (untilAt: number) => {
      const stretch = { fromAt: span.fromAt, untilAt: Math.min(untilAt, span.untilAt) };
      return untilAt > span.fromAt && !isMetered({ usage }, ledger, account, stretch);
    };
    const unplaced = usage.unplaced(account).filter(use => isMeant(use) && isInReport(use.untilAt));
    if (unplaced.length === 0) return [];
    const projects = usage.projects.filter(project => project.account === account).length;
    const left = usage.importsLeft(account);
    const amount = describeAmount(unplaced, span);
    return left > 0
      ? `Account ${account} is still being imported: the operations of ${left} of ${count(projects, 'project')} are left. ${amount} are left out until then, with their cost and findings.`
      : `Account ${account}: ${amount} are left out, with their cost and findings. It is not known when they were used.`;
  });
}

function describeAmount(unplaced: readonly UnplacedUse[], { timezone }: ReportSpan): string {
  const untilAt = maxOf(unplaced.map(use => use.untilAt));
  const hours = showHourTotal(unplaced.map(({ cuMs }) => cuMs));
  return `${separateThousands(hours)} compute hours that ${count(unplaced.length, 'project')} used before ${showInstant(untilAt, timezone)}`;
}

function count(value: number, noun: string): string {
  return `${value} ${noun}${value === 1 ? '' : 's'}`;
}
