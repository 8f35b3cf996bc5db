import type { Config } from '../config/config.ts';
import type { Problem } from '../config/problem.ts';
import { shareByGroup } from '../cost/rating/group-share.ts';
import { type ReportHistory, readReportHistory } from '../history/usage/report-history.ts';
import { dayMs } from '../resources/duration.ts';
import { Failure } from '../resources/failure.ts';
import { chooseAccounts } from './chosen-account.ts';
import { describeClosed } from './closed-note.ts';
import type { ReportContent, ReportSubject } from './content.ts';
import { reportCost } from './cost.ts';
import { type Coverage, describeCoverage } from './coverage.ts';
import { reportDone } from './done-finding.ts';
import { reportFindings } from './finding.ts';
import { reportFocus } from './focus.ts';
import { describeGaps, writeGap } from './format/gap-text.ts';
import type { Report } from './format/report.ts';
import { onOneLine } from './format/shown-cell.ts';
import { findGaps } from './gap.ts';
import { reportKeys } from './key.ts';
import type { ReportKind, ReportOptions } from './kind.ts';
import { reportOperations } from './operation.ts';
import { type ReportRequest, readRequest } from './request.ts';
import { scopeRule } from './row/scope.ts';
import { requirePricing } from './row/scoped-cost.ts';
import { describeUnplaced } from './unplaced.ts';
import { reportUsage } from './usage.ts';
import { cutAlike } from './why/compared-span.ts';
import { reportWhy } from './why/why.ts';

/** A report to be made. */
export interface ReportOrder {
  readonly kind: ReportKind;
  readonly options: ReportOptions;
  readonly config: Config;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Listeners to the making of a report. */
export interface ReportListeners {
  /** Called with each thing in a what-if price book that deserves a second look. */
  readonly onWarning: (warning: Problem) => void;
  /** Called in the course of long work with the part that is done, 0 to 1. */
  readonly onProgress: (done: number) => void;
}

/** A report, and a sentence on one line for each thing missing in it that was asked for; they are among its notes, too. */
export interface MadeReport extends Report {
  readonly gaps: readonly string[];
}

/**
 * Makes a report from the history, which a daemon may be writing.
 *
 * @throws Failure when it cannot be made, ConfigFailure when a what-if price book has problems, HistoryError when the
 *   history cannot be read.
 */
export async function makeReport(
  { kind, options, config, now }: ReportOrder,
  { onWarning, onProgress }: ReportListeners,
): Promise<MadeReport> {
  const request = await readRequest(kind, options, config, { now, onWarning });
  if (kind === 'cost' || kind === 'why') requirePricing({ request });
  const { file } = config.history;
  const report = readReportHistory(
    file,
    known => chooseAccounts(request, known),
    history => fillReport(request, history, onProgress),
  );
  if (report !== undefined) return report;
  throw new Failure(
    `there is no history at ${file} yet: run the daemon on it, or name another with --history.file`,
  );
}

const makers: Readonly<Record<ReportKind, (subject: ReportSubject) => ReportContent>> = {
  usage: reportUsage,
  cost: reportCost,
  keys: reportKeys,
  operations: reportOperations,
  findings: reportFindings,
  why: reportWhy,
};

function makerOf({ format, isDone, kind }: ReportRequest) {
  if (format === 'focus') return reportFocus;
  return isDone ? reportDone : makers[kind];
}

/** Findings are made from so much time before the end of the period. */
const findingWindowMs = 28 * dayMs;

function fillReport(
  given: ReportRequest,
  history: ReportHistory,
  onProgress: ReportSubject['onProgress'],
): MadeReport {
  const asked = cutAlike(given, history);
  const isFindings = asked.kind === 'findings';
  const span = isFindings ? { ...asked.span, fromAt: asked.span.untilAt - findingWindowMs } : asked.span;
  const request = { ...asked, span };
  const groups = shareByGroup(request.config.groupings);
  const rule = scopeRule(request.by, request.grouping, groups);
  const subject = { request, history, groups, rule, onProgress };
  const make = makerOf(request);
  const { gaps: own, notes: ownNotes, ...content } = make(subject);
  const isOfUse = request.kind !== 'keys' && request.kind !== 'operations';
  const spans = isOfUse ? [...(request.against ? [request.against.span] : []), span] : [];
  const { gaps, notes } = joinCoverage(spans.map(each => describeCoverage(history, each, request.now)));
  const unknownUse = isOfUse
    ? spans.flatMap(each => findGaps({ ...subject, request: { ...request, span: each } }))
    : undefined;
  const unknown = describeGaps(unknownUse ?? [], span, content.currency);
  const { pricing } = request.config;
  const closed = request.kind === 'cost' && pricing !== undefined ? describeClosed(subject, pricing) : [];
  const allGaps = [
    ...gaps,
    ...new Set(spans.flatMap(each => describeUnplaced(history, each))),
    ...unknown.gaps,
    ...own,
  ];
  return {
    ...content,
    period: span,
    notes: [...allGaps, ...notes, ...unknown.notes, ...closed, ...ownNotes],
    ...(unknownUse && { unknownUse: unknownUse.map(gap => writeGap(gap, content.currency)) }),
    gaps: allGaps.map(onOneLine),
    partial: allGaps.length > 0,
  };
}

/** What is said of several periods, each sentence once. */
function joinCoverage(coverages: readonly Coverage[]): Coverage {
  const join = (of: (coverage: Coverage) => readonly string[]) => [...new Set(coverages.flatMap(of))];
  return { gaps: join(({ gaps }) => gaps), notes: join(({ notes }) => notes) };
}
