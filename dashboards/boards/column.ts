import { rowToProject } from './link.ts';
import type { LabelColumn } from './table.ts';

/** Projects in a table: names lead to the board of the project, ids distinguish projects of the same name. */
export const projectColumns: readonly LabelColumn[] = [
  { label: 'project_name', title: 'Project', link: rowToProject },
  { label: 'account', title: 'Account', width: 110 },
  { label: 'project_id', title: 'Project id' },
];

/** Endpoints in a table: they have no names, so the name of their project stands first. */
export const endpointColumns: readonly LabelColumn[] = [
  { label: 'project_name', title: 'Project', link: rowToProject },
  { label: 'endpoint_id', title: 'Endpoint' },
  { label: 'account', title: 'Account', width: 110 },
  { label: 'project_id', title: 'Project id' },
];
