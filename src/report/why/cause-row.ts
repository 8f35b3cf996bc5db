import { type Cause, sumCauses } from '../../cost/difference/cause.ts';
import { amountOfUse, shareOut, showAmount } from '../../cost/money/money.ts';
import type { DecimalText } from '../../resources/price-book.ts';
import type { Column, ReportRow } from '../format/report.ts';
import { nameCause, severalEndpoints } from './cause-text.ts';

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

/** Causes of a difference with their own, each level rounded so that it adds up to what is above it. */
export interface ShownCauses {
  /** Money and compute hours they come to. */
  readonly difference: DecimalText;
  readonly hours: DecimalText;
}

const hourDecimals = 2;

/** Rows of all levels. @param totals what the causes come to, as it is shown. */
export function causeRows(causes: readonly Cause[], totals: ShownCauses, decimals: number): ReportRow[] {
  const several = severalEndpoints(causes);
  const rowsOf = (own: readonly Cause[], whole: ShownCauses, place: Place): ReportRow[] => {
    const shown = showParts(own, whole, decimals);
    return own.flatMap((cause, index) => {
      const parts = shown[index] ?? whole;
      const isNamed = several.has(cause.project?.project_ref);
      const isUnpriced = cause.isUnpriced ?? place.isUnpriced;
      const row = describeRow(cause, parts, { ...place, isUnpriced, isNamed });
      return [row, ...rowsOf(cause.children, parts, { level: place.level + 1, isUnpriced })];
    });
  };
  return rowsOf(causes, totals, { level: 1, isUnpriced: false });
}

/** Where a row is in the tree. */
interface Place {
  readonly level: number;
  readonly isUnpriced: boolean;
}

function showParts(
  causes: readonly Cause[],
  { difference, hours }: ShownCauses,
  decimals: number,
): ShownCauses[] {
  const amounts = shareOut(
    causes.map(({ amount }) => amount),
    decimals,
    difference,
  );
  const uses = shareOut(
    causes.map(({ cuMs = 0 }) => amountOfUse(cuMs)),
    hourDecimals,
    hours,
  );
  return causes.map((_, index) => ({ difference: amounts[index] ?? '', hours: uses[index] ?? '' }));
}

/** What causes come to, as it is shown. */
export function showTotals(causes: readonly Cause[], decimals: number): ShownCauses {
  const cuMs = causes.reduce((sum, each) => sum + (each.cuMs ?? 0), 0);
  return {
    difference: showAmount(sumCauses(causes), decimals),
    hours: showAmount(amountOfUse(cuMs), hourDecimals),
  };
}

/** The last row. */
export function totalCells({ difference, hours }: ShownCauses): ReportRow {
  const cells: Readonly<Record<string, string>> = { cause: 'total', difference, compute_hours: hours };
  return causeColumns.map(({ key }) => cells[key]);
}

function describeRow(
  cause: Cause,
  shown: ShownCauses,
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
    isUnpriced ? { missing: 'unpriced' } : shown.difference,
    cuMs === undefined ? undefined : shown.hours,
    awakeMs === undefined ? undefined : showAmount(amountOfUse(Math.round(awakeMs)), hourDecimals),
    sinceAt,
    endedAt,
    evidence,
  ];
}
