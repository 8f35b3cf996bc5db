import { type PlacedRow, placeOf, projectsOf } from './parquet-day.ts';
import { column, parquetTable } from './parquet-table.ts';

interface ProjectRow extends PlacedRow {
  /** Epoch milliseconds; absent where it was still there at the end of the day. */
  readonly goneAt: number | undefined;
}

/** The projects that were there in a day, with names and groups as they are when it is written. */
export const projects = parquetTable<ProjectRow>({
  name: 'projects',
  about: 'A project that was there in the day.',
  columns: [column('gone_at', 'instant', 'When it was gone, where that was in the day.', row => row.goneAt)],
  keptFromAt: () => 0,
  *rows(day) {
    for (const project of projectsOf(day)) {
      const { created_at = 0, gone_at } = project;
      if (created_at >= day.untilAt || (gone_at ?? day.untilAt) <= day.fromAt) continue;
      // One that is gone by now was there on this day.
      const goneAt = gone_at !== undefined && gone_at < day.untilAt ? gone_at : undefined;
      yield { place: placeOf(day, project), goneAt };
    }
  },
});
