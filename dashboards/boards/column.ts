import { rowToProject } from './link.ts';
import type { LabelColumn } from './table.ts';

/** Projects in a table: names lead to the board of the project, ids distinguish projects of the same name. */
export const projectColumns: readonly LabelColumn[] = [
  { label: 'project_name', title: 'Project', link: rowToProject },
  { label: 'account', title: 'Account', width: 100 },
  { label: 'project_id', title: 'Project id', width: 225 },
];

/** The same in a table of a third of the board. */
export const narrowProjectColumns: readonly LabelColumn[] = projectColumns.map(column =>
  column.label === 'project_id' ? { ...column, isHidden: true } : column,
);

/** Endpoints in a table: they have no names, so the name of their project stands first. */
export const endpointColumns: readonly LabelColumn[] = [
  { label: 'project_name', title: 'Project', link: rowToProject },
  { label: 'endpoint_id', title: 'Endpoint', width: 250 },
  { label: 'account', title: 'Account', width: 100 },
  { label: 'project_id', title: 'Project id', isHidden: true },
];

/** Amounts in a table: all rows of an exporter have the same. */
export const currencyColumn = {
  label: 'currency',
  title: 'Currency',
  width: 100,
} as const satisfies LabelColumn;
