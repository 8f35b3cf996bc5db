import type { GroupShare } from '../../cost/rating/group-share.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { Cell, Column } from '../format/report.ts';
import type { ReportAxis } from '../kind.ts';

/** What a row is for: its first cells. Two with the same key are one. */
export interface RowScope {
  readonly key: string;
  readonly cells: readonly Cell[];
}

/** How what projects did is put into rows. */
export interface ScopeRule {
  readonly columns: readonly Column[];
  /** @param endpoint_id `notTold` where that is not known. */
  readonly scopeOf: (project: UsageProject, endpoint_id?: string) => RowScope;
  /** Of a minimum charge, which is for no project. */
  readonly minimumOf: (account: string) => RowScope;
}

export const minimumCharge = '(minimum charge)';
/** What a project used that none of its endpoints is known to have used. */
export const notTold = '(not told)';

const text = (key: string, title = key): Column => ({ key, kind: 'text', title });
const projectColumns = [text('account'), text('project_id', 'project'), text('project_name', 'name')];

export function scopeRule(axis: ReportAxis, grouping: string, groups: GroupShare): ScopeRule {
  switch (axis) {
    case 'project':
      return {
        columns: projectColumns,
        scopeOf: project => scope(projectCells(project)),
        minimumOf: account => scope([account, minimumCharge, '']),
      };
    case 'endpoint':
      return {
        columns: [...projectColumns, text('endpoint_id', 'endpoint')],
        scopeOf: (project, endpoint_id = notTold) => scope([...projectCells(project), endpoint_id]),
        minimumOf: account => scope([account, minimumCharge, '', '']),
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
    minimumOf: () => scope([minimumCharge]),
  };
}

function projectCells({ account, project_id, project_name }: UsageProject): string[] {
  return [account, project_id, project_name ?? ''];
}

function scope(cells: readonly string[]): RowScope {
  return { key: JSON.stringify(cells), cells };
}
