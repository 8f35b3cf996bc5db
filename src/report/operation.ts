import type { EndedOperation } from '../history/usage/operation-query.ts';
import { hasFailed } from '../resources/operation.ts';
import { isInReport } from './chosen-project.ts';
import { type ReportContent, type ReportSubject, titleOf } from './content.ts';
import { column, type TypedColumn, tabulate } from './format/report.ts';
import { showInstant } from './format/shown-cell.ts';
import { noScope, type RowScope, type ScopedRow, unattributed } from './row/scope.ts';

/** Operations of a row, with what they come to. */
interface OperationRow extends ScopedRow {
  readonly action: string;
  readonly operations: readonly EndedOperation[];
  readonly failed: number;
  /** Milliseconds, the shortest first. */
  readonly durations: readonly number[];
}

const columns = [
  column('action', 'text', 'What they do.', row => row.action),
  column('operations', 'count', 'How many operations ended.', row => row.operations.length),
  column('statuses', 'text', 'How many ended in each status.', ({ operations }) => countStatuses(operations)),
  column('failed', 'count', 'How many of them failed.', row => row.failed),
  {
    ...{ key: 'failure_percent', kind: 'decimal', title: 'failed %', about: 'The part that failed.' },
    of: ({ failed, operations }) =>
      operations.length === 0 ? undefined : ((100 * failed) / operations.length).toFixed(1),
  },
  column('failed_attempts', 'count', 'How many attempts at them failed.', ({ operations }) =>
    operations.reduce((sum, { failures_count }) => sum + failures_count, 0),
  ),
  {
    ...{ key: 'duration_p50_seconds', kind: 'decimal', title: 'p50 s' },
    about: 'The seconds that half of them did not exceed.',
    of: ({ durations }) => secondsAt(durations, 0.5),
  },
  {
    ...{ key: 'duration_p95_seconds', kind: 'decimal', title: 'p95 s' },
    about: 'The seconds that nineteen in twenty of them did not exceed.',
    of: ({ durations }) => secondsAt(durations, 0.95),
  },
] satisfies readonly TypedColumn<OperationRow>[];
/** The service's words; only where it sends any. */
const errorColumn = {
  key: 'error',
  kind: 'sentence',
  about: 'What the service said most often of operations that went wrong.',
  // The totals have none.
  of: ({ action, operations }) => (action === '' ? undefined : mostFrequentError(operations)),
} satisfies TypedColumn<OperationRow>;

/** The columns of operations. */
export const operationColumns = [...columns, errorColumn];

/** The report of operations that ended in the period, by action: their number, failures and durations. */
export function reportOperations(subject: ReportSubject): ReportContent {
  const { history, request, rule } = subject;
  const { fromAt, untilAt } = request.span;
  const byRow = new Map<string, { scope: RowScope; action: string; operations: EndedOperation[] }>();
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
    .map(({ scope, action, operations }) => sumUp(scope, action, operations))
    .sort(
      (a, b) =>
        b.failed - a.failed ||
        b.operations.length - a.operations.length ||
        compareTexts(a.scope.key, b.scope.key) ||
        compareTexts(a.action, b.action),
    );
  const all = rows.flatMap(({ operations }) => operations);
  const hasErrors = all.some(({ error }) => error !== null);
  return {
    title: titleOf('Operations', request),
    ...tabulate(
      [...rule.columns, ...columns, ...(hasErrors ? [errorColumn] : [])],
      rows,
      sumUp(noScope, '', all),
    ),
    notes: [
      'Durations are from creation to the last change; half and 95 % of the operations took no longer.',
      ...(hasErrors
        ? ['The words below a row are what the service said most often of its failed operations.']
        : []),
    ],
    gaps: describeGaps(subject, unread),
  };
}

function compareTexts(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}

function sumUp(scope: RowScope, action: string, operations: readonly EndedOperation[]): OperationRow {
  const durations = operations.flatMap(({ durationMs }) => durationMs ?? []).sort((a, b) => a - b);
  const failed = operations.filter(({ status }) => hasFailed(status)).length;
  return { scope, action, operations, failed, durations };
}

/** Such as `finished 12, failed 1`. */
function countStatuses(operations: readonly EndedOperation[]): string {
  return [...Map.groupBy(operations, ({ status }) => status)]
    .sort(([one, a], [other, b]) => b.length - a.length || compareTexts(one, other))
    .map(([status, members]) => `${status} ${members.length}`)
    .join(', ');
}

/** The service's words on most of the operations that have any; of several as frequent, those said first. */
function mostFrequentError(operations: readonly EndedOperation[]): string | undefined {
  const counts = Map.groupBy(
    operations.flatMap(({ error }) => error ?? []),
    error => error,
  );
  return [...counts].sort(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

/** The quantile of durations, in seconds: this part of them is no longer. */
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
