import type { CpuSourceSince } from '../history/usage/cpu-source-query.ts';
import type { ReportHistory } from '../history/usage/report-history.ts';
import type { ReportSpan } from './format/report.ts';
import { showInstant } from './format/shown-cell.ts';

/** Sentences on accounts whose compute in a period is not, or not all, counted from the list of projects. */
export function describeCpuSources(
  { accounts, cpuSources }: Pick<ReportHistory, 'accounts' | 'cpuSources'>,
  span: ReportSpan,
): readonly string[] {
  const isWithin = ({ fromAt, untilAt = Number.POSITIVE_INFINITY }: CpuSourceSince) =>
    fromAt < span.untilAt && untilAt > span.fromAt;
  const found = cpuSources.filter(each => accounts.includes(each.account) && isWithin(each));
  return found.map(({ account, fromAt, untilAt }) => {
    const show = (at: number) => showInstant(at, span.timezone);
    const until = untilAt === undefined ? '' : ` until ${show(untilAt)}`;
    return `From ${show(fromAt)}${until} the compute of account ${account} is counted from compute_time_seconds, which the service tells of each project, and not from cpu_used_sec in their list.`;
  });
}
