import { labelBilling } from '../../cost/calendar/billing-name.ts';
import type { CostKind, CostLine } from '../../cost/rating/cost-line.ts';
import type { GroupShare } from '../../cost/rating/group-share.ts';
import { ownerOf } from '../../resources/grouping.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { Cell, Column } from '../format/report.ts';
import type { ReportAxis } from '../kind.ts';

/** The project, endpoint, group, region or account a row is for, as its first cells. Two with the same key are one. */
export interface RowScope {
  readonly key: string;
  readonly cells: readonly Cell[];
  /** The billing period that the row of a charge is for. */
  readonly billingPeriod?: string;
  /** The day, week or month that the row is of, where there are such: its rows add up to it as it is shown. */
  readonly step?: string;
}

/** The rule by which use and cost of projects fall into rows. */
export interface ScopeRule {
  readonly columns: readonly Column[];
  /** @param endpoint_id `unattributed` where it is not known. */
  readonly scopeOf: (project: UsageProject, endpoint_id?: string) => RowScope;
  /** The row of a charge, which is for no project: one for each billing period but where rows are for accounts. */
  readonly chargeOf: (line: CostLine) => RowScope;
  /** The row as one of its step, where there are steps. */
  readonly inStep: (scope: RowScope) => RowScope;
  /** The row of what has none of its own. */
  readonly others: RowScope;
  /** The column of `billingPeriod`, where there are rows for charges. */
  readonly billingColumns: readonly Column[];
}

type AxisRule = Omit<ScopeRule, 'inStep'>;

/** What stands in place of a project where a row is for a charge without a name; people read its billing period, too. */
const chargeWords: Readonly<Partial<Record<CostKind, string>>> = {
  base_fee: 'base fee',
  minimum: 'minimum charge',
};
/** The billing period of a charge: people read it in the words of its row. */
const billingPeriodColumn: Column = { key: 'billing_period', kind: 'text', isForPrograms: true };
/** The cell in place of an endpoint for use that no endpoint is known to have had. */
export const unattributed = '(not told)';
/** The cell in place of all that has no row of its own. */
const others = '(others)';

const text = (key: string, title = key): Column => ({ key, kind: 'text', title });
const columnsOfProject = [text('account'), text('project_id', 'project'), text('project_name', 'name')];

/** @param grouping the one whose groups rows are for, where the axis is `group`. */
export function scopeRule(axis: ReportAxis, grouping: string, groups: GroupShare): ScopeRule {
  return { ...axisRule(axis, grouping, groups), inStep: row => row };
}

function axisRule(axis: ReportAxis, grouping: string, groups: GroupShare): AxisRule {
  switch (axis) {
    case 'project':
      return {
        columns: columnsOfProject,
        scopeOf: project => scope(projectCells(project)),
        chargeOf: line => chargeScope(line, charge => [line.account, charge, '']),
        others: scope(['', others, '']),
        billingColumns: [billingPeriodColumn],
      };
    case 'endpoint':
      return {
        columns: [...columnsOfProject, text('endpoint_id', 'endpoint')],
        scopeOf: (project, endpoint_id = unattributed) => scope([...projectCells(project), endpoint_id]),
        chargeOf: line => chargeScope(line, charge => [line.account, charge, '', '']),
        others: scope(['', others, '', '']),
        billingColumns: [billingPeriodColumn],
      };
    case 'group':
      return oneColumn('group', 'group', project => groups.groupOf(grouping, project));
    case 'region':
      return oneColumn('region_id', 'region', ({ region_id }) => region_id ?? '(unknown)');
    case 'owner':
      return oneColumn('owner', 'owner', project => ownerOf(project, 'owner') ?? '(unknown)');
    case 'line':
    case 'account':
      return {
        ...oneColumn('account', 'account', ({ account }) => account),
        chargeOf: ({ account }) => scope([account]),
        billingColumns: [],
      };
  }
}

/** The cells of `billingColumns` in a row; those of a total are empty. */
export function billingCells({ billingColumns }: ScopeRule, row?: RowScope): readonly Cell[] {
  return billingColumns.map(() => row?.billingPeriod);
}

function oneColumn(key: string, title: string, cellOf: (project: UsageProject) => string): AxisRule {
  return {
    columns: [text(key, title)],
    scopeOf: project => scope([cellOf(project)]),
    chargeOf: line => chargeScope(line, charge => [charge]),
    others: scope([others]),
    billingColumns: [billingPeriodColumn],
  };
}

function projectCells({ account, project_id, project_name }: UsageProject): string[] {
  return [account, project_id, project_name ?? ''];
}

/** The name that the price book gives a charge, or words for its kind. */
export function nameCharge({ name, kind }: CostLine): string {
  return name ?? chargeWords[kind] ?? kind;
}

function chargeScope(line: CostLine, cellsOf: (charge: Cell) => readonly Cell[]): RowScope {
  const billingPeriod = labelBilling(line);
  const charge = nameCharge(line);
  const words = line.foundOf === undefined ? `(${charge} ${billingPeriod})` : `(${charge})`;
  const cell = { text: `(${charge})`, words };
  return { ...scope(cellsOf(cell)), billingPeriod };
}

function scope(cells: readonly Cell[]): RowScope {
  return { key: JSON.stringify(cells), cells };
}
