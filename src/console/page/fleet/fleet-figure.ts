import { currencyDecimals, noAmount, showAmount } from '../../../cost/money/money.ts';
import type { ReportOptions, TableKind } from '../../../report/kind.ts';
import type { MadeReport } from '../../../report/maker.ts';
import type { AccountStanding } from '../../../report/standing.ts';
import type { DecimalText } from '../../../resources/price-book.ts';
import type { ConsoleConfig } from '../../console-config.ts';
import { type KeyedRow, keyRows } from '../../report-row.ts';
import { rowKey } from './fleet-row.ts';
import { type FoundSaving, sumFindings } from './found-saving.ts';

/** The reports that figures of projects are from. */
export const figureNames = ['usage', 'cost', 'findings', 'forecast'] as const;
export type FigureName = (typeof figureNames)[number];

/** The order of each of these reports. */
export const figureReports: Readonly<
  Record<FigureName, { readonly kind: TableKind; readonly options: ReportOptions }>
> = {
  usage: { kind: 'usage', options: { period: 'billing', by: 'project' } },
  cost: { kind: 'cost', options: { period: 'billing', by: 'project' } },
  findings: { kind: 'findings', options: {} },
  forecast: { kind: 'forecast', options: { by: 'project' } },
};

/** The figures that there are: without prices there are no costs. */
export function figuresOf({ pricing }: Pick<ConsoleConfig, 'pricing'>): readonly FigureName[] {
  return figureNames.filter(name => (name !== 'cost' && name !== 'forecast') || pricing !== undefined);
}

/** The frame of a report: its period, its currency, and what is said of it. */
interface FigureFrame {
  readonly period: { readonly fromAt: number; readonly untilAt: number };
  readonly currency: string | null;
  readonly partial: boolean;
  readonly gaps: readonly string[];
  readonly notes: readonly string[];
}

/** A charge of an account, which is for no project. */
export interface Charge {
  readonly account: string;
  readonly charge: string;
  readonly billing_period: string;
  readonly cost: DecimalText | null;
}

export interface UsedFigure {
  readonly compute_hours: DecimalText | null;
  readonly starts: number | null;
}

export interface CostFigure {
  readonly cost: DecimalText | null;
  /** Why there is none, such as `unpriced`. */
  readonly missing: string | null;
}

/** By project, as `rowKey` names it. */
type Rows<Figure> = ReadonlyMap<string, Figure>;

/** The figures of reports by project, as far as there are any yet. */
export interface FleetFigures {
  readonly usage?: FigureFrame & {
    /** Whether the operations of the whole period are kept. */
    readonly areStartsKept: boolean;
    readonly rows: Rows<UsedFigure>;
  };
  readonly cost?: FigureFrame & {
    /** The cost of what used nothing. */
    readonly none: DecimalText | null;
    readonly charges: readonly Charge[];
    readonly rows: Rows<CostFigure>;
  };
  readonly findings?: FigureFrame & { readonly rows: Rows<FoundSaving> };
  /** The cost of the whole billing period as it is expected; null while too little is known. */
  readonly forecast?: FigureFrame & { readonly rows: Rows<DecimalText | null> };
}

/** The figures of one look at the history. */
export interface FleetLook {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly accounts: readonly AccountStanding[];
  /** Absent where what they rest on is not whole. */
  readonly figures?: FleetFigures | undefined;
  /** The figures that cannot be worked out, and why. */
  readonly failed: readonly { readonly name: FigureName; readonly message: string }[];
}

/** The part of a report that is told of projects. */
export function takeFigure(name: FigureName, report: MadeReport): FleetFigures {
  const frame = {
    period: { fromAt: report.period.fromAt, untilAt: report.period.untilAt },
    currency: report.currency ?? null,
    partial: report.partial,
    gaps: report.gaps,
    notes: report.notes,
  };
  if (name === 'usage') return { usage: { ...frame, ...takeUse(report) } };
  if (name === 'cost') return { cost: { ...frame, ...takeCost(report) } };
  if (name === 'findings') return { findings: { ...frame, rows: sumFindings(report) } };
  const rows = keyRows(report).map(row => [keyOf(row), row.decimal('expected_cost')] as const);
  return { forecast: { ...frame, rows: new Map(rows) } };
}

function takeUse(report: MadeReport) {
  const starts = report.columns.findIndex(({ key }) => key === 'starts');
  return {
    areStartsKept: report.totals?.[starts] !== undefined,
    rows: new Map(
      keyRows(report).map(row => {
        const use = { compute_hours: row.text('compute_hours') ?? null, starts: row.count('starts') ?? null };
        return [keyOf(row), use] as const;
      }),
    ),
  };
}

/** Rows of charges, which are for a billing period, are for no project. */
function takeCost(report: MadeReport) {
  const rows = keyRows(report).map(row => ({ row, billing_period: row.text('billing_period') }));
  return {
    none: report.currency === undefined ? null : showAmount(noAmount, currencyDecimals(report.currency)),
    charges: rows.flatMap(({ row, billing_period }) => {
      if (billing_period === undefined) return [];
      const charge = row.text('project_id') ?? '';
      return [{ account: row.text('account') ?? '', charge, billing_period, cost: row.text('cost') ?? null }];
    }),
    rows: new Map(
      rows.flatMap(({ row, billing_period }) => {
        const cost = { cost: row.text('cost') ?? null, missing: row.reason('cost') ?? null };
        return billing_period === undefined ? [[keyOf(row), cost] as const] : [];
      }),
    ),
  };
}

function keyOf(row: KeyedRow): string {
  return rowKey(row.text('account') ?? '', row.text('project_id') ?? '');
}

/** The frame of all figures: their instant, period, currency, charges and notes, and what they rest on. */
export interface FiguresSaid {
  /** Epoch milliseconds; null before they were worked out. */
  readonly at: number | null;
  readonly accounts: readonly AccountStanding[];
  readonly period: { readonly fromAt: number; readonly untilAt: number } | null;
  readonly currency: string | null;
  readonly partial: boolean;
  readonly notes: readonly string[];
  readonly charges: readonly Charge[];
}

/** Says of figures together what their reports say of each. */
export function describeFigures(look?: FleetLook): FiguresSaid {
  const { usage, cost, findings, forecast } = look?.figures ?? {};
  const ready = [usage, cost, findings, forecast].filter(figure => figure !== undefined);
  return {
    at: look?.figures === undefined ? null : look.at,
    accounts: look?.accounts ?? [],
    period: usage?.period ?? cost?.period ?? null,
    currency: cost?.currency ?? findings?.currency ?? null,
    partial: ready.some(({ partial }) => partial),
    notes: [...new Set([...ready.flatMap(({ gaps }) => gaps), ...ready.flatMap(({ notes }) => notes)])],
    charges: cost?.charges ?? [],
  };
}
