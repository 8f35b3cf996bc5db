import { showHourTotal } from '../format/hour-text.ts';
import type { Column, ReportRow } from '../format/report.ts';
import { nameCause, severalEndpoints } from './cause-text.ts';
import type { ShownCause, ShownDifference } from './shown-cause.ts';

export const causeColumns: readonly Column[] = [
  { key: 'level', kind: 'count', isForPrograms: true },
  { key: 'kind', kind: 'text', isForPrograms: true },
  { key: 'cause', kind: 'text' },
  { key: 'account', kind: 'text', isForPrograms: true },
  { key: 'project_id', kind: 'text', isForPrograms: true },
  { key: 'project_name', kind: 'text', isForPrograms: true },
  { key: 'endpoint_id', kind: 'text', isForPrograms: true },
  { key: 'difference', kind: 'decimal' },
  { key: 'compute_hours', kind: 'decimal', title: 'hours' },
  { key: 'awake_hours', kind: 'decimal' },
  { key: 'since', kind: 'instant' },
  { key: 'until', kind: 'instant' },
  { key: 'evidence', kind: 'sentence' },
];

/** Rows of all levels. */
export function causeRows(shown: readonly ShownCause[]): ReportRow[] {
  const several = severalEndpoints(shown.map(({ cause }) => cause));
  const rowsOf = (own: readonly ShownCause[], place: Place): ReportRow[] =>
    own.flatMap(each => {
      const isNamed = several.has(each.cause.project?.project_ref);
      const isUnpriced = each.cause.isUnpriced ?? place.isUnpriced;
      const row = describeRow(each, { ...place, isUnpriced, isNamed });
      return [row, ...rowsOf(each.children, { level: place.level + 1, isUnpriced })];
    });
  return rowsOf(shown, { level: 1, isUnpriced: false });
}

/** Where a row is in the tree. */
interface Place {
  readonly level: number;
  readonly isUnpriced: boolean;
}

/** The last row. */
export function totalCells({ difference, hours }: ShownDifference): ReportRow {
  const cells: Readonly<Record<string, string>> = { cause: 'total', difference, compute_hours: hours };
  return causeColumns.map(({ key }) => cells[key]);
}

function describeRow(
  { cause, difference, hours }: ShownCause,
  { level, isUnpriced, isNamed }: Place & { readonly isNamed: boolean },
): ReportRow {
  const { kind, account, project, endpoint_id, cuMs, awakeMs, sinceAt, endedAt, evidence } = cause;
  const text = nameCause(cause);
  const which = isNamed && endpoint_id !== undefined ? ` (${endpoint_id})` : '';
  return [
    level,
    kind,
    { text, words: `${'· '.repeat(level - 1)}${text}${which}` },
    account,
    project?.project_id,
    project?.project_name,
    endpoint_id,
    isUnpriced ? { missing: 'unpriced' } : difference,
    cuMs === undefined ? undefined : hours,
    awakeMs === undefined ? undefined : showHourTotal([awakeMs]),
    sinceAt,
    endedAt,
    evidence,
  ];
}
