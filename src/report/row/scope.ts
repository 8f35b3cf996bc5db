import { labelBilling } from '../../cost/calendar/billing-name.ts';
import type { CostKind, CostLine } from '../../cost/rating/cost-line.ts';
import type { GroupShare } from '../../cost/rating/group-share.ts';
import { ownerOf } from '../../resources/grouping.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { Cell, RowColumn, TypedColumn } from '../format/report.ts';
import type { ReportAxis } from '../kind.ts';

/** The cells of the project, endpoint, group, region or account that a row is for. */
type ScopeCells = Readonly<Partial<Record<ScopeKey, Cell>>>;

/** What a row is for. Two with the same key are one. */
export interface RowScope {
  readonly key: string;
  readonly cells: ScopeCells;
  /** The billing period that the row of a charge is for. */
  readonly billingPeriod?: string;
  /** The day, week or month that the row is of, where there are such: its rows add up to it as it is shown. */
  readonly step?: string;
  /** The key of the row without steps, where there are such. */
  readonly wholeKey?: string;
  /** Epoch milliseconds, where there is a step. */
  readonly stepFromAt?: number;
  readonly stepUntilAt?: number;
}

/** A row that is for something. */
export interface ScopedRow {
  readonly scope: RowScope;
}

/** The scope of totals. */
export const noScope: RowScope = { key: '', cells: {} };

/** The rule by which use and cost of projects fall into rows. */
export interface ScopeRule {
  readonly columns: readonly RowColumn<ScopedRow>[];
  /** @param endpoint_id `unattributed` where it is not known. */
  readonly scopeOf: (project: UsageProject, endpoint_id?: string) => RowScope;
  /** The row of a charge, which is for no project: one for each billing period but where rows are for accounts. */
  readonly chargeOf: (line: CostLine) => RowScope;
  /** The row as one of its step, where there are steps. */
  readonly inStep: (scope: RowScope) => RowScope;
  /** The row of what has none of its own. */
  readonly others: RowScope;
  /** The column of `billingPeriod`, where there are rows for charges. */
  readonly billingColumns: readonly RowColumn<ScopedRow>[];
}

/** What stands in place of a project where a row is for a charge without a name; people read its billing period, too. */
const chargeWords: Readonly<Partial<Record<CostKind, string>>> = {
  base_fee: 'base fee',
  minimum: 'minimum charge',
};
/** The cell in place of an endpoint for use that no endpoint is known to have had. */
export const unattributed = '(not told)';
/** The cell in place of all that has no row of its own. */
const others = '(others)';

/** What a row can be for. */
const scopeColumns = {
  account: text('account', 'account', 'The account.'),
  project_id: text('project_id', 'project', 'The id of the project; of a charge its name, in parentheses.'),
  project_name: text('project_name', 'name', 'The name of the project as it was last read.'),
  endpoint_id: text('endpoint_id', 'endpoint', `The endpoint; ${unattributed} for what no endpoint used.`),
  group: text('group', 'group', 'The group that the project is in; of a charge its name, in parentheses.'),
  group_path: {
    ...text('group_path', 'group', 'The group with its grouping, such as `team/web`; empty of a charge.'),
    isForPrograms: true,
  },
  region_id: text('region_id', 'region', 'The region of the project; of a charge its name, in parentheses.'),
  owner: text('owner', 'owner', 'Whose project it is; of a charge its name, in parentheses.'),
} as const;
type ScopeKey = keyof typeof scopeColumns;

/** The column of `billingPeriod`. */
export const billingPeriodColumn = {
  key: 'billing_period',
  kind: 'text',
  about: 'The billing period that the row of a charge is for, by its dates.',
  // People read it in the words of the row.
  isForPrograms: true,
  isBillingPeriod: true,
  of: row => row.scope.billingPeriod,
} satisfies TypedColumn<ScopedRow>;

/** The columns of all axes. */
export const allScopeColumns = Object.values(scopeColumns);

function text<Key extends Lowercase<string>>(
  key: Key,
  title: string,
  about: string,
): TypedColumn<ScopedRow, Key, 'text'> {
  return { key, kind: 'text', title, about, of: ({ scope }) => scope.cells[key as ScopeKey] ?? '' };
}

/** What rows are for on an axis. */
interface Axis {
  readonly keys: readonly ScopeKey[];
  /** The column that names what a row is for where that is no project. */
  readonly name: ScopeKey;
  readonly cellsOf: (project: UsageProject, endpoint_id?: string) => ScopeCells;
}

/** @param grouping the one whose groups rows are for, where the axis is `group`. */
export function scopeRule(axis: ReportAxis, grouping: string, groups: GroupShare): ScopeRule {
  const { keys, name, cellsOf } = axisOf(axis, grouping, groups);
  const named = (cell: Cell, account: string): ScopeCells =>
    Object.fromEntries(keys.map(key => [key, key === name ? cell : key === 'account' ? account : '']));
  const isOfAccounts = name === 'account';
  return {
    columns: keys.map(key => scopeColumns[key]),
    scopeOf: (project, endpoint_id) => scope(cellsOf(project, endpoint_id)),
    chargeOf: line =>
      isOfAccounts
        ? scope({ account: line.account })
        : chargeScope(line, charge => named(charge, line.account)),
    inStep: row => row,
    others: scope(named(others, '')),
    billingColumns: isOfAccounts ? [] : [billingPeriodColumn],
  };
}

function axisOf(axis: ReportAxis, grouping: string, groups: GroupShare): Axis {
  const keys = ['account', 'project_id', 'project_name'] as const;
  switch (axis) {
    case 'project':
      return { keys, name: 'project_id', cellsOf };
    case 'endpoint':
      return {
        ...{ keys: [...keys, 'endpoint_id'], name: 'project_id' },
        cellsOf: (project, endpoint_id = unattributed) => ({ ...cellsOf(project), endpoint_id }),
      };
    case 'group':
      return {
        ...{ keys: ['group', 'group_path'], name: 'group' },
        cellsOf(project) {
          const group = groups.groupOf(grouping, project);
          return { group, group_path: `${grouping}/${group}` };
        },
      };
    case 'region':
      return oneColumn('region_id', ({ region_id }) => region_id ?? '(unknown)');
    case 'owner':
      return oneColumn('owner', project => ownerOf(project, 'owner') ?? '(unknown)');
    case 'line':
    case 'operation':
    case 'account':
      return oneColumn('account', ({ account }) => account);
  }
}

function oneColumn(name: ScopeKey, cellOf: (project: UsageProject) => string): Axis {
  return { keys: [name], name, cellsOf: project => ({ [name]: cellOf(project) }) };
}

function cellsOf({ account, project_id, project_name }: UsageProject): ScopeCells {
  return { account, project_id, project_name: project_name ?? '' };
}

/** The name that the price book gives a charge, or words for its kind. */
export function nameCharge({ name, kind }: CostLine): string {
  return name ?? chargeWords[kind] ?? kind;
}

function chargeScope(line: CostLine, cellsOf: (charge: Cell) => ScopeCells): RowScope {
  const billingPeriod = labelBilling(line);
  const charge = nameCharge(line);
  const words = line.foundOf === undefined ? `(${charge} ${billingPeriod})` : `(${charge})`;
  const cell = { text: `(${charge})`, words };
  return { ...scope(cellsOf(cell)), billingPeriod };
}

/** @param cells in the order of their columns. */
function scope(cells: ScopeCells): RowScope {
  return { key: JSON.stringify(Object.values(cells)), cells };
}

/** The subject of a report with rows of their own for these scopes, and one for all others. */
export function keepRows<Subject extends { readonly rule: ScopeRule }>(
  subject: Subject,
  rows: readonly { readonly scope: RowScope }[],
): Subject {
  const kept = new Set(rows.map(({ scope }) => scope.key));
  const { rule } = subject;
  const scopeOf: ScopeRule['scopeOf'] = (project, endpoint_id) => {
    const scope = rule.scopeOf(project, endpoint_id);
    return kept.has(scope.key) ? scope : rule.others;
  };
  return { ...subject, rule: { ...rule, scopeOf } };
}
