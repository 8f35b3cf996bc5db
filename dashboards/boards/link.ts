import { localConsole } from '../rules/console-link.ts';
import type { CatalogLabel } from './scope.ts';
import { labelValue } from './series.ts';

const kept = ['$' + '{__url_time_range}', '$' + '{datasource:queryparam}'];
const keptVariables = ['job', 'instance', 'account'].map(name => `\${${name}:queryparam}`);

/** A drill-down link of a panel: where it leads and what it is called. */
export interface DrillDown {
  readonly title: string;
  readonly url: string;
}

/** Leads from a row of a table to the board of its project; time range and variables stay. */
const rowToProject = toProject(label => `\${__data.fields.${label}}`);

/** Leads from a row of a table to the page of its project in the console. */
const rowToConsole: DrillDown = {
  title: 'Open in the console',
  url: `${localConsole}/projects/\${__data.fields.account}/\${__data.fields.project_id}`,
};

/** Where a row of a project leads. */
export const projectLinks: readonly DrillDown[] = [rowToProject, rowToConsole];

/** Leads from a series to the board of its project; time range and variables stay. */
export const seriesToProject = toProject(labelValue);

/** Leads from a board of many projects to another; time range and variables stay. */
export function toBoard(uid: string, title: string): DrillDown {
  const variables = [...keptVariables, '$' + '{project:queryparam}'];
  return { title, url: `/d/${uid}?${[...kept, ...variables].join('&')}` };
}

function toProject(read: (label: CatalogLabel) => string): DrillDown {
  const variables = [...keptVariables, `var-project=${read('project_id')}`];
  return { title: 'Open the project', url: `/d/dbpm-project?${[...kept, ...variables].join('&')}` };
}
