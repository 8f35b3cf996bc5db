import type { EndedOperation } from '../history/usage/operation-query.ts';
import { hasFailed } from '../resources/operation.ts';
import { isInReport } from './chosen-project.ts';
import { type ReportContent, type ReportSubject, titleOf } from './content.ts';
import type { Cell, Column } from './format/report.ts';
import { showInstant } from './format/shown-cell.ts';
import { type RowScope, unattributed } from './row/scope.ts';

const columns: readonly Column[] = [
  { key: 'action', kind: 'text' },
  { key: 'operations', kind: 'count' },
  { key: 'statuses', kind: 'text' },
  { key: 'failed', kind: 'count' },
  { key: 'failure_percent', kind: 'decimal', title: 'failed %' },
  { key: 'failed_attempts', kind: 'count' },
  { key: 'duration_p50_seconds', kind: 'decimal', title: 'p50 s' },
  { key: 'duration_p95_seconds', kind: 'decimal', title: 'p95 s' },
];
/** The service's words; only where it sends any. */
const errorColumn: Column = { key: 'error', kind: 'sentence' };

interface Ended {
  readonly scope: RowScope;
  readonly action: string;
  readonly operations: EndedOperation[];
}

/** The report of operations that ended in the period, by action: their number, failures and durations. */
export function reportOperations(subject: ReportSubject): ReportContent {
  const { history, request, rule } = subject;
  const { fromAt, untilAt } = request.span;
  const byRow = new Map<string, Ended>();
  let unread = 0;
  const projects = history.usage.projects.filter(project => isInReport(request, project));
  for (const [index, project] of projects.entries()) {
    if (history.operations.isUnread(project.project_ref) && project.gone_at === undefined) unread += 1;
    for (const operation of history.operations.ended(project.project_ref, fromAt, untilAt)) {
      const scope = rule.scopeOf(project, operation.endpoint_id ?? unattributed);
      const key = `${operation.action} ${scope.key}`;
      const row = byRow.get(key) ?? { scope, action: operation.action, operations: [] };
      byRow.set(key, row);
      row.operations.push(operation);
    }
    subject.onProgress((index + 1) / projects.length);
  }
  const rows = [...byRow.values()]
    .map(row => ({ ...row, failed: countFailed(row.operations) }))
    .sort(
      (a, b) =>
        b.failed - a.failed ||
        b.operations.length - a.operations.length ||
        compareTexts(a.scope.key, b.scope.key) ||
        compareTexts(a.action, b.action),
    );
  const all = rows.flatMap(({ operations }) => operations);
  const hasErrors = all.some(({ error }) => error !== null);
  const describe = (operations: readonly EndedOperation[], error?: string) => [
    ...describeOperations(operations),
    ...(hasErrors ? [error] : []),
  ];
  return {
    title: titleOf('Operations', request),
    columns: [...rule.columns, ...columns, ...(hasErrors ? [errorColumn] : [])],
    rows: rows.map(({ scope, action, operations }) => [
      ...scope.cells,
      action,
      ...describe(operations, mostFrequentError(operations)),
    ]),
    totals: [...rule.columns.map((_, index) => (index === 0 ? 'total' : '')), '', ...describe(all)],
    notes: [
      'Durations are from creation to the last change; half and 95 % of the operations took no longer.',
      ...(hasErrors
        ? [
            'The words below a row are those that the service said most often of its operations that went wrong.',
          ]
        : []),
    ],
    gaps: describeGaps(subject, unread),
  };
}

function compareTexts(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}

function describeOperations(operations: readonly EndedOperation[]): Cell[] {
  const statuses = Map.groupBy(operations, ({ status }) => status);
  const failed = countFailed(operations);
  const durations = operations.flatMap(({ durationMs }) => durationMs ?? []).sort((a, b) => a - b);
  return [
    operations.length,
    [...statuses]
      .sort(([one, a], [other, b]) => b.length - a.length || compareTexts(one, other))
      .map(([status, members]) => `${status} ${members.length}`)
      .join(', '),
    failed,
    operations.length === 0 ? undefined : ((100 * failed) / operations.length).toFixed(1),
    operations.reduce((sum, { failures_count }) => sum + failures_count, 0),
    secondsAt(durations, 0.5),
    secondsAt(durations, 0.95),
  ];
}

/** The service's words on most of the operations that have any; of several as frequent, those said first. */
function mostFrequentError(operations: readonly EndedOperation[]): string | undefined {
  const counts = Map.groupBy(
    operations.flatMap(({ error }) => error ?? []),
    error => error,
  );
  return [...counts].sort(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

function countFailed(operations: readonly EndedOperation[]): number {
  return operations.filter(({ status }) => hasFailed(status)).length;
}

/** The quantile of durations, in seconds: the shortest that so large a part of them does not exceed. */
function secondsAt(sorted: readonly number[], part: number): string | undefined {
  const ms = sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)];
  return ms === undefined ? undefined : (ms / 1000).toFixed(1);
}

function describeGaps({ history, request }: ReportSubject, unread: number): string[] {
  const { fromAt, timezone } = request.span;
  const keptAt = history.keptFromAt.operations;
  return [
    ...(fromAt < keptAt ? [`Operations are kept only from ${showInstant(keptAt, timezone)} on.`] : []),
    ...(unread > 0
      ? [`Of ${unread} ${unread === 1 ? 'project' : 'projects'} not all operations were read yet.`]
      : []),
  ];
}
