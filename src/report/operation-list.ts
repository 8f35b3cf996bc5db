import type { KnownOperation } from '../history/usage/operation-query.ts';
import { hasFailed, stuckAfterMs } from '../resources/operation.ts';
import type { ReportContent, ReportSubject } from './content.ts';
import { column, type TypedColumn, tabulate } from './format/report.ts';
import { describeOperationGaps, nounOf, readOperations } from './operation.ts';

/** How an operation stands; `unknown`: the service no longer has it, and its end was not read. */
export const operationOutcomes = ['succeeded', 'failed', 'in_progress', 'stuck', 'unknown'] as const;
type OperationOutcome = (typeof operationOutcomes)[number];

/** The columns of single operations. */
export const singleOperationColumns = [
  column('account', 'text', 'The account.', row => row.account),
  { ...column('project_id', 'text', 'The id of the project.', row => row.project_id), title: 'project' },
  {
    ...{ key: 'project_name', kind: 'text', title: 'name' },
    about: 'The name of the project as it was last read.',
    of: ({ project_name }) => project_name ?? '',
  },
  {
    ...{ key: 'region_id', kind: 'text', title: 'region', isForPrograms: true },
    about: 'The region of the project.',
    of: ({ region_id }) => region_id ?? '',
  },
  {
    ...{
      key: 'endpoint_id',
      kind: 'text',
      title: 'endpoint',
      about: 'The endpoint; empty where it has none.',
    },
    of: ({ endpoint_id }) => endpoint_id ?? '',
  },
  {
    ...{ key: 'branch_id', kind: 'text', isForPrograms: true, about: 'The branch; empty where it has none.' },
    of: ({ branch_id }) => branch_id ?? '',
  },
  { ...column('operation_id', 'text', 'The id.', row => row.operation_id), title: 'operation' },
  column('action', 'text', 'What it does.', row => row.action),
  column('status', 'text', 'Its status, in the word of the service.', row => row.status),
  {
    ...{ key: 'outcome', kind: 'word', isForPrograms: true },
    about: 'How it stands: succeeded, failed, in_progress, stuck, or unknown where its end was not read.',
    of: outcomeOf,
  },
  {
    ...{ key: 'failures_count', kind: 'count', title: 'failed attempts' },
    about: 'How many attempts at it failed.',
    of: ({ failures_count }) => failures_count,
  },
  column('created_at', 'instant', 'When it was created.', ({ created_at }) => created_at ?? undefined),
  column('ended_at', 'instant', 'When it ended.', ({ ended_at }) => ended_at ?? undefined),
  {
    ...{ key: 'duration_ms', kind: 'count', isForPrograms: true, about: 'The milliseconds it took.' },
    of: ({ durationMs }) => durationMs ?? undefined,
  },
  {
    ...{ key: 'duration_seconds', kind: 'seconds', title: 'took s', about: 'The seconds it took.' },
    of: ({ durationMs }) => durationMs ?? undefined,
  },
  {
    ...{ key: 'retry_at', kind: 'instant', isForPrograms: true, about: 'When the service tries it again.' },
    of: ({ retry_at }) => retry_at ?? undefined,
  },
  {
    ...{ key: 'worked_at', kind: 'instant' },
    about: 'Of one that failed: when the same next finished on its endpoint; empty where it did not.',
    of: ({ worked_at }) => worked_at ?? undefined,
  },
  column('error', 'sentence', 'What the service said went wrong.', ({ error }) => error ?? undefined),
] satisfies readonly TypedColumn<KnownOperation>[];

/** The report of operations that ended in the period, each in a row, in order of their ends. */
export function listOperations(subject: ReportSubject): ReportContent {
  const rows: KnownOperation[] = [];
  const unread = readOperations(subject, subject.history.operations.endedWhole, operation => {
    rows.push(operation);
  });
  rows.sort((a, b) => (a.ended_at ?? 0) - (b.ended_at ?? 0));
  return {
    title: nounOf(subject.request),
    ...tabulate(singleOperationColumns, rows),
    notes: rows.some(({ error }) => error !== null)
      ? ['The words below a row are what the service said went wrong.']
      : [],
    gaps: describeOperationGaps(subject, unread),
  };
}

function outcomeOf({ phase, status, readAt, created_at }: KnownOperation): OperationOutcome {
  if (phase === 'vanished') return 'unknown';
  if (phase === 'ended') return hasFailed(status) ? 'failed' : 'succeeded';
  const isStuck = readAt !== null && created_at !== null && readAt - created_at > stuckAfterMs;
  return isStuck ? 'stuck' : 'in_progress';
}
