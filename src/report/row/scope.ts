import type { GroupShare } from '../../cost/rating/group-share.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { Cell, Column } from '../format/report.ts';
import type { ReportAxis } from '../kind.ts';

/** The project, endpoint, group, region or account a row is for, as its first cells. Two with the same key are one. */
export interface RowScope {
  readonly key: string;
  readonly cells: readonly Cell[];
}

/** The rule by which use and cost of projects fall into rows. */
export interface ScopeRule {
  readonly columns: readonly Column[];
  /** @param endpoint_id `unattributed` where it is not known. */
  readonly scopeOf: (project: UsageProject, endpoint_id?: string) => RowScope;
  /** The row of a minimum charge, which is for no project. */
  readonly minimumOf: (account: string) => RowScope;
}

/** The cell in place of a project where a row is for a minimum charge. */
export const minimumChargeText = '(minimum charge)';
/** The cell in place of an endpoint for use that no endpoint is known to have had. */
export const unattributed = '(not told)';

const text = (key: string, title = key): Column => ({ key, kind: 'text', title });
const columnsOfProject = [text('account'), text('project_id', 'project'), text('project_name', 'name')];

/** @param grouping the one whose groups rows are for, where the axis is `group`. */
export function scopeRule(axis: ReportAxis, grouping: string, groups: GroupShare): ScopeRule {
  switch (axis) {
    case 'project':
      return {
        columns: columnsOfProject,
        scopeOf: project => scope(projectCells(project)),
        minimumOf: account => scope([account, minimumChargeText, '']),
      };
    case 'endpoint':
      return {
        columns: [...columnsOfProject, text('endpoint_id', 'endpoint')],
        scopeOf: (project, endpoint_id = unattributed) => scope([...projectCells(project), endpoint_id]),
        minimumOf: account => scope([account, minimumChargeText, '', '']),
      };
    case 'group':
      return oneColumn('group', 'group', project => groups.groupOf(grouping, project));
    case 'region':
      return oneColumn('region_id', 'region', ({ region_id }) => region_id ?? '(unknown)');
    case 'account':
      return {
        ...oneColumn('account', 'account', ({ account }) => account),
        minimumOf: account => scope([account]),
      };
  }
}

function oneColumn(key: string, title: string, cellOf: (project: UsageProject) => string): ScopeRule {
  return {
    columns: [text(key, title)],
    scopeOf: project => scope([cellOf(project)]),
    minimumOf: () => scope([minimumChargeText]),
  };
}

function projectCells({ account, project_id, project_name }: UsageProject): string[] {
  return [account, project_id, project_name ?? ''];
}

function scope(cells: readonly string[]): RowScope {
  return { key: JSON.stringify(cells), cells };
}
