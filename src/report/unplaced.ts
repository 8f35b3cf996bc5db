import type { UnplacedUse } from '../history/usage/placed-usage-query.ts';
import type { ReportHistory } from '../history/usage/report-history.ts';
import { largest } from '../resources/extreme.ts';
import { type CountedLedger, isMetered } from './counted-ledger.ts';
import { showHourTotal } from './format/hour-text.ts';
import type { ReportSpan } from './format/report.ts';
import { showInstant } from './format/shown-cell.ts';

/**
 * Sentences on use that is left out of a period, as nothing tells when it was: one for each account whose operations
 * are still being imported, or of which some projects' never told. What is by the meter is known.
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
      ? `The operations of ${left} of ${count(projects, 'project')} of account ${account} are still to be imported: ${amount}, with its cost and findings, is left out until it is known when that was.`
      : `Of account ${account} ${amount}, is left out with its cost and findings: nothing tells when that was.`;
  });
}

function describeAmount(unplaced: readonly UnplacedUse[], { timezone }: ReportSpan): string {
  const untilAt = largest(unplaced.map(use => use.untilAt));
  const hours = showHourTotal(unplaced.map(({ cuMs }) => cuMs));
  return `what ${count(unplaced.length, 'project')} had used before ${showInstant(untilAt, timezone)}, ${hours} compute hours`;
}

function count(value: number, noun: string): string {
  return `${value} ${noun}${value === 1 ? '' : 's'}`;
}
