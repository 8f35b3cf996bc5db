import type { Finding, ProjectFinding } from '../../resources/finding.ts';
import type { TypedColumn } from '../format/report.ts';
import type { Found } from '../row/found.ts';
import type { ShownSaving } from '../row/saving-column.ts';
import { noScope, type RowScope } from '../row/scope.ts';

/** A finding, or all of one scope; without either it is a row of totals. */
export interface GatheredFindings {
  readonly scope: RowScope;
  readonly finding?: Finding | ProjectFinding;
  readonly members: readonly Found[];
}

export interface FindingRow extends GatheredFindings {
  readonly hours: ShownSaving | undefined;
  /** Absent where there are no prices. */
  readonly money: ShownSaving | undefined;
}

const textOf = <Key extends 'kind' | 'account' | 'project_id'>(
  key: Key,
  about: string,
): TypedColumn<FindingRow, Key, 'text'> => ({
  ...{ key, kind: 'text', about },
  of: ({ finding }) => finding?.[key] ?? '',
});
export const findingColumns = [
  textOf('kind', 'What was found.'),
  textOf('account', 'The account.'),
  textOf('project_id', 'The id of the project.'),
  {
    ...{ key: 'project_name', kind: 'text', about: 'The name of the project as it was last read.' },
    of: ({ finding }) => finding?.project_name ?? '',
  },
  {
    ...{ key: 'endpoint_id', kind: 'text', about: 'The endpoint; empty where it is of the whole project.' },
    of: ({ finding }) => (finding && 'endpoint_id' in finding ? finding.endpoint_id : ''),
  },
] satisfies readonly TypedColumn<FindingRow>[];
export const savedHourColumns = [
  {
    ...{ key: 'compute_hours_per_month', kind: 'decimal', title: 'likely hours' },
    about: 'Compute hours in 30 days that would likely have been saved.',
    of: row => row.hours?.likely,
  },
  {
    ...{ key: 'most_compute_hours_per_month', kind: 'decimal', title: 'hours at most' },
    about: 'Compute hours in 30 days that would have been saved at most.',
    of: row => row.hours?.most,
  },
] satisfies readonly TypedColumn<FindingRow>[];
export const savedMoneyColumns = [
  {
    ...{ key: 'cost_per_month', kind: 'decimal', title: 'likely cost' },
    about: 'Money in 30 days that would likely have been saved.',
    of: row => row.money?.likely,
  },
  {
    ...{ key: 'most_cost_per_month', kind: 'decimal', title: 'cost at most' },
    about: 'Money in 30 days that would have been saved at most.',
    of: row => row.money?.most,
  },
] satisfies readonly TypedColumn<FindingRow>[];
export const evidenceColumns = [
  {
    ...{ key: 'up_to', kind: 'flag', about: 'Whether nothing tells what it saves but at most.' },
    of: ({ finding, members: [found] }) => (finding && found ? isUpTo(found) : undefined),
  },
  {
    ...{ key: 'evidence', kind: 'sentence', about: 'What shows it.' },
    of: ({ finding }) => finding?.evidence ?? '',
  },
  { key: 'advice', kind: 'sentence', about: 'What to change.', of: ({ finding }) => finding?.advice ?? '' },
] satisfies readonly TypedColumn<FindingRow>[];
export const countColumns = [
  {
    ...{ key: 'findings', kind: 'count', about: 'How many findings there are.' },
    of: ({ scope, members }) => (scope === noScope ? '' : members.length),
  },
  {
    ...{ key: 'kinds', kind: 'text', about: 'What was found.' },
    of: ({ scope, members }) =>
      scope === noScope ? '' : [...new Set(members.map(({ finding }) => finding.kind))].join(', '),
  },
] satisfies readonly TypedColumn<FindingRow>[];

/** Whether it may save anything up to the most. */
function isUpTo({ hours, money }: Found): boolean {
  const saving = hours ?? money;
  return saving !== undefined && saving.likely === undefined;
}
