import { secondMs } from '../../resources/duration.ts';
import { column, type TypedColumn } from '../format/report.ts';
import type { FoundFinding, ShownSaving } from '../row/found-finding.ts';
import { noScope, type RowScope } from '../row/scope.ts';

/** A finding, or all of one scope; without either it is a row of totals. */
export interface GatheredFindings {
  readonly scope: RowScope;
  readonly finding?: FoundFinding['finding'];
  readonly members: readonly FoundFinding[];
}

export interface FindingRow extends GatheredFindings {
  readonly hours: ShownSaving | undefined;
  /** Absent where there are no prices. */
  readonly money: ShownSaving | undefined;
}

/** A row of a finding, open or done; a row of totals has none. */
interface NamedRow {
  readonly finding?: Pick<FoundFinding['finding'], NamingKey>;
}

type NamingKey = 'kind' | 'account' | 'project_id' | 'project_name' | 'endpoint_id';

const textOf = <Key extends NamingKey>(key: Key, about: string): TypedColumn<NamedRow, Key, 'text'> => ({
  ...{ key, kind: 'text', about },
  of: ({ finding }) => finding?.[key] ?? '',
});
/** What was found, and where. */
export const findingColumns = [
  { ...textOf('kind', 'What was found.'), kind: 'word' },
  textOf('account', 'The account.'),
  textOf('project_id', 'The id of the project.'),
  textOf('project_name', 'The name of the project as it was last read.'),
  textOf('endpoint_id', 'The endpoint; empty where it is of the whole project.'),
] satisfies readonly TypedColumn<NamedRow>[];
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
  column(
    'up_to',
    'flag',
    'Whether nothing tells what it saves but at most.',
    ({ finding }) => finding && isUpTo(finding),
  ),
  column('evidence', 'sentence', 'What shows it.', ({ finding }) => finding?.evidence ?? ''),
  column('advice', 'sentence', 'What to change.', ({ finding }) => finding?.advice ?? ''),
  {
    ...{ key: 'advised_delay_seconds', kind: 'count', title: 'advised delay s' },
    about: 'The auto-suspend delay that is advised.',
    of: ({ finding }) =>
      finding?.advisedDelayMs === undefined ? undefined : Math.round(finding.advisedDelayMs / secondMs),
  },
] satisfies readonly TypedColumn<FindingRow>[];
export const countColumns = [
  column('findings', 'count', 'How many findings there are.', ({ scope, members }) =>
    scope === noScope ? '' : members.length,
  ),
  column('kinds', 'word', 'What was found.', ({ scope, members }) =>
    scope === noScope ? '' : [...new Set(members.map(({ finding }) => finding.kind))].join(', '),
  ),
] satisfies readonly TypedColumn<FindingRow>[];

/** Whether it may save anything up to the most. */
function isUpTo({ hoursPerMonth, costPerMonth }: FoundFinding['finding']): boolean {
  const saving = hoursPerMonth ?? costPerMonth;
  return saving !== undefined && saving.likely === undefined;
}
