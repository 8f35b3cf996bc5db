import type { GroupShare } from '../cost/rating/group-share.ts';
import type { ReportHistory } from '../history/usage/report-history.ts';
import type { Report } from './format/report.ts';
import type { ReportRequest } from './request.ts';
import type { ScopeRule } from './row/scope.ts';
import type { WorkedOut } from './usage-view/calculator.ts';

/** The sources of a report. */
export interface ReportSubject {
  readonly request: ReportRequest;
  readonly history: ReportHistory;
  readonly groups: GroupShare;
  readonly rule: ScopeRule;
  /** Called in the course of long work with the part that is done, 0 to 1. */
  readonly onProgress: (done: number) => void;
  /** Budgets, forecasts and findings. */
  readonly worked: WorkedOut;
}

/** As far as prices need it. */
export type PricedSubject = Pick<ReportSubject, 'history' | 'request' | 'groups'>;

/** A report of one kind without its period, with `gaps`: sentences on what is missing in it that was asked for. */
export interface ReportContent
  extends Omit<
    Report,
    'period' | 'generatedAt' | 'billingPeriod' | 'fingerprint' | 'unknownUse' | 'partial'
  > {
  readonly gaps: readonly string[];
}

/** A title such as `Cost by project` or `Usage by group (team)`. */
export function titleOf(subject: string, { by, grouping }: ReportRequest): string {
  return `${subject} by ${by === 'group' ? `group (${grouping})` : by}`;
}
