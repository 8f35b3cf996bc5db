import type { EndedOperation } from '../history/usage/operation-query.ts';
import { hasFailed } from '../resources/operation.ts';
import { sumOf } from '../resources/sum.ts';
import type { UsageProject } from '../resources/usage/ledger.ts';
import { isInReport } from './chosen-project.ts';
import { type ReportContent, type ReportSubject, titleOf } from './content.ts';
import { column, type TypedColumn, tabulate } from './format/report.ts';
import { showInstant } from './format/shown-cell.ts';
import type { ReportRequest } from './request.ts';
import { noScope, type RowScope, type ScopedRow, unattributed } from './row/scope.ts';

/** Counts of the operations of a row. */
interface OperationRow extends ScopedRow {
  readonly action: string;
  /** How many ended in each status. */
  readonly statuses: Map<string, number>;
  /** How often the service said what of those that went wrong. */
  readonly errors: Map<string, number>;
  /** Milliseconds. */
  readonly durations: number[];
  failedAttempts: number;
}

const columns = [
  column('action', 'text', 'What they do.', row => row.action),
  column('operations', 'count', 'How many operations ended.', countOf),
  column('statuses', 'text', 'How many ended in each status.', ({ statuses }) => listStatuses(statuses)),
  column('failed', 'count', 'How many of them failed.', countFailed),
  {
    ...{ key: 'failure_percent', kind: 'decimal', title: 'failed %', about: 'The part that failed.' },
    of: row => (countOf(row) === 0 ? undefined : ((100 * countFailed(row)) / countOf(row)).toFixed(1)),
  },
  column('failed_attempts', 'count', 'How many attempts at them failed.', row => row.failedAttempts),
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
  of: ({ action, errors }) => (action === '' ? undefined : mostFrequent(errors)),
} satisfies TypedColumn<OperationRow>;

/** The columns of operations. */
export const operationColumns = [...columns, errorColumn];

/** The report of operations that ended in the period, by action: their number, failures and durations. */
export function reportOperations(subject: ReportSubject): ReportContent {
  const { request, rule } = subject;
  const byRow = new Map<string, OperationRow>();
  const all = emptyRow(noScope, '');
  const unread = readOperations(subject, subject.history.operations.ended, (operation, project) => {
    const scope = rule.scopeOf(project, operation.endpoint_id ?? unattributed);
    const key = `${operation.action} ${scope.key}`;
    const row = byRow.get(key) ?? emptyRow(scope, operation.action);
    byRow.set(key, row);
    addOperation(row, operation);
    addOperation(all, operation);
  });
  const rows = [...byRow.values()].sort(
    (a, b) =>
      countFailed(b) - countFailed(a) ||
      countOf(b) - countOf(a) ||
      compareTexts(a.scope.key, b.scope.key) ||
      compareTexts(a.action, b.action),
  );
  const hasErrors = all.errors.size > 0;
  return {
    title: titleOf(nounOf(request), request),
    ...tabulate([...rule.columns, ...columns, ...(hasErrors ? [errorColumn] : [])], rows, all),
    notes: [
      'Durations are from creation to the last change; half and 95% of the operations took no longer.',
      ...(hasErrors
        ? ['The words below a row are what the service said most often of its failed operations.']
        : []),
    ],
    gaps: describeOperationGaps(subject, unread),
  };
}

/** Noun of the report, for titles. */
export function nounOf({ isFailed }: Pick<ReportRequest, 'isFailed'>): string {
  return isFailed ? 'Failed operations' : 'Operations';
}

/**
 * Reads operations that ended in the period.
 *
 * @returns how many projects have some that are still to be read.
 */
export function readOperations<Read extends EndedOperation>(
  { history, request, onProgress }: ReportSubject,
  ended: (project_ref: number, fromAt: number, untilAt: number) => readonly Read[],
  add: (operation: Read, project: UsageProject) => void,
): number {
  const { fromAt, untilAt } = request.span;
  let unread = 0;
  const projects = history.usage.projects.filter(project => isInReport(request, project));
  for (const [index, project] of projects.entries()) {
    if (history.operations.isUnread(project.project_ref) && project.gone_at === undefined) unread += 1;
    for (const operation of ended(project.project_ref, fromAt, untilAt)) {
      if (!request.isFailed || hasFailed(operation.status)) add(operation, project);
    }
    onProgress((index + 1) / projects.length);
  }
  return unread;
}

function emptyRow(scope: RowScope, action: string): OperationRow {
  return { scope, action, statuses: new Map(), errors: new Map(), durations: [], failedAttempts: 0 };
}

function addOperation(
  row: OperationRow,
  { status, error, durationMs, failures_count }: EndedOperation,
): void {
  row.statuses.set(status, (row.statuses.get(status) ?? 0) + 1);
  if (error !== null) row.errors.set(error, (row.errors.get(error) ?? 0) + 1);
  if (durationMs !== null) row.durations.push(durationMs);
  row.failedAttempts += failures_count;
}

function countOf({ statuses }: OperationRow): number {
  return sumOf(statuses.values());
}

function countFailed({ statuses }: OperationRow): number {
  return statuses.entries().reduce((sum, [status, count]) => sum + (hasFailed(status) ? count : 0), 0);
}

function compareTexts(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}

/** Such as `finished 12, failed 1`. */
function listStatuses(statuses: ReadonlyMap<string, number>): string {
  return [...statuses]
    .sort(([one, a], [other, b]) => b - a || compareTexts(one, other))
    .map(([status, count]) => `${status} ${count}`)
    .join(', ');
}

/** The most frequent words of the service; of several as frequent, the first. */
function mostFrequent(errors: ReadonlyMap<string, number>): string | undefined {
  return [...errors].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** The quantile of durations, in seconds: this part of them is no longer. */
function secondsAt(durations: readonly number[], part: number): string | undefined {
  const sorted = durations.toSorted((a, b) => a - b);
  const ms = sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)];
  return ms === undefined ? undefined : (ms / 1000).toFixed(1);
}

/** @param unread how many projects have operations that are still to be read. */
export function describeOperationGaps({ history, request }: ReportSubject, unread: number): string[] {
  const { fromAt, timezone } = request.span;
  const keptAt = history.keptFromAt.operations;
  return [
    ...(fromAt < keptAt ? [`Operations are kept only from ${showInstant(keptAt, timezone)} on.`] : []),
    ...(unread > 0
      ? [`Of ${unread} ${unread === 1 ? 'project' : 'projects'} not all operations were read yet.`]
      : []),
  ];
}
