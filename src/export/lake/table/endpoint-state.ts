import { instant, seconds, text, toSeconds } from './column.ts';
import { dayCells, dayColumns, presentProjects, projectCells, projectColumns } from './lake-day.ts';
import type { LakeTable } from './lake-table.ts';

/** The states of endpoints, cut at the ends of days. */
export const endpointStates: LakeTable = {
  name: 'endpoint_states',
  columns: [
    ...dayColumns,
    ...projectColumns,
    { name: 'endpoint_id', type: text },
    { name: 'branch_id', type: text },
    { name: 'state', type: text },
    { name: 'from_at', type: instant },
    { name: 'until_at', type: instant },
    { name: 'seconds', type: seconds },
  ],
  keptFromAt: ({ history }) => history.keptFromAt.samples,
  *rows(day) {
    const { activity } = day.history;
    for (const project of presentProjects(day)) {
      const cells = [...dayCells(day), ...projectCells(day, project)];
      for (const { endpoint_ref, endpoint_id, branch_id } of day.endpoints(project.project_ref)) {
        const own = [...cells, endpoint_id, branch_id ?? undefined];
        for (const { state, fromAt, untilAt } of activity.states(endpoint_ref, day.fromAt, day.untilAt))
          yield [...own, state, fromAt, untilAt, toSeconds(untilAt - fromAt)];
      }
    }
  },
};
