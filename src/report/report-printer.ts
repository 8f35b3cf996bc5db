import { Failure } from '../cli/failure.ts';
import type { Io } from '../cli/io.ts';
import { showProgress } from '../cli/progress.ts';
import type { Config } from '../config/config.ts';
import { shareByGroup } from '../cost/rating/group-share.ts';
import { type ReportHistory, readReportHistory } from '../history/usage/report-history.ts';
import type { ReportContent, ReportSubject } from './content.ts';
import { reportCost } from './cost-report.ts';
import { describeCoverage } from './coverage.ts';
import { reportFindings } from './finding-report.ts';
import { reportFocus } from './focus-report.ts';
import { renderCsv } from './format/csv.ts';
import { renderJson } from './format/json.ts';
import { renderMarkdown } from './format/markdown.ts';
import type { Report } from './format/report.ts';
import { onOneLine } from './format/shown-cell.ts';
import { renderTable } from './format/table.ts';
import { reportKeys } from './key-report.ts';
import type { ReportFlags, ReportKind } from './kind.ts';
import { reportOperations } from './operation-report.ts';
import { type ReportRequest, readRequest } from './request.ts';
import { scopeRule } from './scope.ts';
import { requirePricing } from './scoped-cost.ts';
import { reportUsage } from './usage-report.ts';

interface Asked {
  readonly kind: ReportKind;
  readonly flags: ReportFlags;
  readonly config: Config;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Prints a report. Throws `Failure` when it cannot be made, or with exit code 3 when it is on partial data. */
export async function printReport(io: Io, { kind, flags, config, now }: Asked): Promise<void> {
  const request = await readRequest(kind, flags, config, { io, now });
  if (kind === 'cost') requirePricing({ request });
  const { file } = config.history;
  const progress = showProgress(io, 'reading the history');
  const report = readReportHistory(
    file,
    known => chooseAccounts(request, known, file),
    history => makeReport(request, history, progress.show),
  );
  progress.end();
  if (report === undefined) {
    throw new Failure(
      `there is no history at ${file} yet: run the daemon on it, or name another with --history.file`,
    );
  }
  io.stdout(render(report, request));
  if (!report.partial) return;
  for (const gap of report.gaps) io.stderr(`partial: ${onOneLine(gap)}\n`);
  throw new Failure('the report is not of all that was asked for', 3);
}

function chooseAccounts(
  { account, config }: ReportRequest,
  known: readonly string[],
  file: string,
): readonly string[] {
  if (account !== undefined) {
    if (known.includes(account)) return [account];
    const there = known.length === 0 ? 'it has none yet' : `it has ${known.join(', ')}`;
    throw new Failure(`--account: there is no account "${account}" in ${file}: ${there}`, 2);
  }
  return config.accounts.length > 0 ? config.accounts.map(({ name }) => name) : known;
}

const makers: Readonly<Record<ReportKind, (subject: ReportSubject) => ReportContent>> = {
  usage: reportUsage,
  cost: reportCost,
  keys: reportKeys,
  operations: reportOperations,
  findings: reportFindings,
};

/** What findings are made from is the time before the end of the period. */
const findingWindowMs = 28 * 86_400_000;

function makeReport(
  asked: ReportRequest,
  history: ReportHistory,
  onProgress: ReportSubject['onProgress'],
): Report & { readonly gaps: readonly string[] } {
  const isFindings = asked.kind === 'findings';
  const span = isFindings ? { ...asked.span, fromAt: asked.span.untilAt - findingWindowMs } : asked.span;
  const request = { ...asked, span };
  const groups = shareByGroup(request.config.groupings);
  const rule = scopeRule(request.by, request.grouping, groups);
  const subject = { request, history, groups, rule, onProgress };
  const make = request.format === 'focus' ? reportFocus : makers[request.kind];
  const { gaps: own, notes: ownNotes, ...content } = make(subject);
  const isOfUse = request.kind === 'usage' || request.kind === 'cost' || isFindings;
  const { gaps, notes } = isOfUse ? describeCoverage(history, span, request.now) : { gaps: [], notes: [] };
  const allGaps = [...gaps, ...own];
  return {
    ...content,
    period: span,
    notes: [...allGaps, ...notes, ...ownNotes],
    gaps: allGaps,
    partial: allGaps.length > 0,
  };
}

function render(report: Report, { format }: ReportRequest): string {
  switch (format) {
    case 'table':
      return renderTable(report);
    case 'markdown':
      return renderMarkdown(report);
    case 'json':
      return renderJson(report);
    case 'csv':
    case 'focus':
      return renderCsv(report);
  }
}
