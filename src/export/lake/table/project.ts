import { instant } from './column.ts';
import { dayCells, dayColumns, projectCells, projectColumns, projectsOf } from './lake-day.ts';
import type { LakeTable } from './lake-table.ts';

/** The projects that were there in a day, with names and groups as they are when it is written. */
export const projects: LakeTable = {
  name: 'projects',
  columns: [...dayColumns, ...projectColumns, { name: 'gone_at', type: instant }],
  keptFromAt: () => 0,
  *rows(day) {
    for (const project of projectsOf(day)) {
      const { created_at = 0, gone_at } = project;
      if (created_at >= day.untilAt || (gone_at ?? day.untilAt) <= day.fromAt) continue;
      // One that is gone by now was there on this day.
      const goneAt = gone_at !== undefined && gone_at < day.untilAt ? gone_at : undefined;
      yield [...dayCells(day), ...projectCells(day, project), goneAt];
    }
  },
};
