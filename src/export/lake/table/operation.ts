import { hasFailed } from '../../../resources/operation.ts';
import { flag, instant, seconds, text, toSeconds, whole } from './column.ts';
import { dayCells, dayColumns, projectCells, projectColumns, projectsOf } from './lake-day.ts';
import type { LakeTable } from './lake-table.ts';

/** The operations that ended in a day. */
export const operations: LakeTable = {
  name: 'operations',
  columns: [
    ...dayColumns,
    ...projectColumns,
    { name: 'operation_id', type: text },
    { name: 'endpoint_id', type: text },
    { name: 'branch_id', type: text },
    { name: 'action', type: text },
    { name: 'status', type: text },
    { name: 'failed', type: flag },
    { name: 'failed_attempts', type: whole },
    { name: 'created_at', type: instant },
    { name: 'ended_at', type: instant },
    { name: 'duration_seconds', type: seconds },
    { name: 'error', type: text },
  ],
  keptFromAt: ({ history }) => history.keptFromAt.operations,
  *rows(day) {
    for (const project of projectsOf(day).filter(({ project_ref }) => project_ref >= 0)) {
      const ended = day.ended(project.project_ref);
      if (ended.length === 0) continue;
      const cells = [...dayCells(day), ...projectCells(day, project)];
      for (const each of ended) {
        const { durationMs } = each;
        yield [
          ...cells,
          ...[each.operation_id, each.endpoint_id ?? undefined, each.branch_id ?? undefined],
          ...[each.action, each.status, hasFailed(each.status), BigInt(each.failures_count)],
          ...[each.createdAt ?? undefined, each.endedAt],
          durationMs === null ? undefined : toSeconds(durationMs),
          each.error ?? undefined,
        ];
      }
    }
  },
};
