import type { EndedOperation } from '../../../history/usage/operation-query.ts';
import { hasFailed } from '../../../resources/operation.ts';
import { type PlacedRow, placeOf, projectsOf } from './parquet-day.ts';
import { column, parquetTable } from './parquet-table.ts';

interface OperationRow extends PlacedRow {
  readonly ended: EndedOperation;
}

/** The operations that ended in a day. */
export const operations = parquetTable<OperationRow>({
  name: 'operations',
  about: 'An operation that ended in the day.',
  columns: [
    column('operation_id', 'text', 'The operation.', row => row.ended.operation_id),
    column('endpoint_id', 'text', 'Its endpoint.', ({ ended }) => ended.endpoint_id),
    column('branch_id', 'text', 'Its branch.', ({ ended }) => ended.branch_id),
    column('action', 'text', 'What it did.', row => row.ended.action),
    column('status', 'text', 'How it ended.', row => row.ended.status),
    column('failed', 'flag', 'Whether it failed.', ({ ended }) => hasFailed(ended.status)),
    column('failed_attempts', 'count', 'How many attempts at it failed.', row => row.ended.failures_count),
    column('created_at', 'instant', 'When it was created.', ({ ended }) => ended.createdAt),
    column('ended_at', 'instant', 'When it ended.', row => row.ended.endedAt),
    column('duration_seconds', 'seconds', 'How long it took.', ({ ended }) => ended.durationMs),
    column('error', 'text', 'What the service said went wrong.', ({ ended }) => ended.error),
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
