import type { UnattributedUse } from '../history/usage/attributed-usage-query.ts';
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
export function describeUnattributed(
  { accounts, usage }: Pick<ReportHistory, 'accounts' | 'usage'>,
  span: ReportSpan,
  ledger: CountedLedger = 'reported',
  isMeant: (use: UnattributedUse) => boolean = () => true,
): readonly string[] {
  return accounts.flatMap(account => {
    const isInReport = (untilAt: number) => {
      const stretch = { fromAt: span.fromAt, untilAt: Math.min(untilAt, span.untilAt) };
      return untilAt > span.fromAt && !isMetered({ usage }, ledger, account, stretch);
    };
    const unattributed = usage.unattributed(account).filter(use => isMeant(use) && isInReport(use.untilAt));
    if (unattributed.length === 0) return [];
    const projects = usage.projects.filter(project => project.account === account).length;
    const left = usage.importsLeft(account);
    const amount = describeAmount(unattributed, span);
    return left > 0
      ? `Account ${account} is still being imported: the operations of ${left} of ${count(projects, 'project')} are left. ${amount} are left out until then, with their cost and findings.`
      : `Account ${account}: ${amount} are left out, with their cost and findings. It is not known when they were used.`;
  });
}

function describeAmount(unattributed: readonly UnattributedUse[], { timezone }: ReportSpan): string {
  const untilAt = maxOf(unattributed.map(use => use.untilAt));
  const hours = showHourTotal(unattributed.map(({ cuMs }) => cuMs));
  return `${separateThousands(hours)} compute hours that ${count(unattributed.length, 'project')} used before ${showInstant(untilAt, timezone)}`;
}

function count(value: number, noun: string): string {
  return `${value} ${noun}${value === 1 ? '' : 's'}`;
}
