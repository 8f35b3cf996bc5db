import type { EndedOperation } from '../../../history/usage/operation-query.ts';
import { hasFailed } from '../../../resources/operation.ts';
import { dayColumns, type PlacedRow, placeOf, projectColumns, projectsOf } from './lake-day.ts';
import { lakeTable } from './lake-table.ts';

interface OperationRow extends PlacedRow {
  readonly ended: EndedOperation;
}

/** The operations that ended in a day. */
export const operations = lakeTable<OperationRow>({
  name: 'operations',
  about: 'An operation that ended in the day.',
  columns: [
    ...dayColumns,
    ...projectColumns,
    { key: 'operation_id', kind: 'text', about: 'The operation.', of: row => row.ended.operation_id },
    {
      ...{ key: 'endpoint_id', kind: 'text', about: 'Its endpoint.' },
      of: ({ ended }) => ended.endpoint_id ?? undefined,
    },
    { key: 'branch_id', kind: 'text', about: 'Its branch.', of: ({ ended }) => ended.branch_id ?? undefined },
    { key: 'action', kind: 'text', about: 'What it did.', of: row => row.ended.action },
    { key: 'status', kind: 'text', about: 'How it ended.', of: row => row.ended.status },
    { key: 'failed', kind: 'flag', about: 'Whether it failed.', of: ({ ended }) => hasFailed(ended.status) },
    {
      ...{ key: 'failed_attempts', kind: 'count', about: 'How many attempts at it failed.' },
      of: row => row.ended.failures_count,
    },
    {
      ...{ key: 'created_at', kind: 'instant', about: 'When it was created.' },
      of: ({ ended }) => ended.createdAt ?? undefined,
    },
    { key: 'ended_at', kind: 'instant', about: 'When it ended.', of: row => row.ended.endedAt },
    {
      ...{ key: 'duration_seconds', kind: 'seconds', about: 'How long it took.' },
      of: ({ ended }) => ended.durationMs ?? undefined,
    },
    {
      ...{ key: 'error', kind: 'text', about: 'What the service said went wrong.' },
      of: ({ ended }) => ended.error ?? undefined,
    },
  ],
  keptFromAt: ({ history }) => history.keptFromAt.operations,
  *rows(day) {
    for (const project of projectsOf(day).filter(({ project_ref }) => project_ref >= 0)) {
      const all = day.ended(project.project_ref);
      if (all.length === 0) continue;
      const place = placeOf(day, project);
      for (const ended of all) yield { place, ended };
    }
  },
});
