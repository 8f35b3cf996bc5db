import type { Step } from '../../../cost/calendar/step.ts';
import { type Amount, amountOf, compareAmounts, sumAmounts } from '../../../cost/money/money.ts';
import type { ReportAxis } from '../../../report/kind.ts';
import type { MadeReport } from '../../../report/maker.ts';
import type { ReadRow } from '../../../report/report-list.ts';
import type { DecimalText } from '../../../resources/price-book.ts';
import type { Amounts } from '../../answer-field.ts';
import { sumDecimals, writeStep } from '../../answer-value.ts';
import { sayReportedPrice } from '../../part/number.ts';
import { readRows } from '../../report-row.ts';
import type { CostSeries, CostStack } from './cost-answer.ts';

export const costAxes = [
  'group',
  'project',
  'region',
  'account',
  'line',
] as const satisfies readonly ReportAxis[];
export type CostAxis = (typeof costAxes)[number];

export type UseKind = 'cost' | 'usage';
export type UseRow = ReadRow<UseKind>;

/** Hours are named otherwise where they have a price. */
export function hoursOf(row: UseRow | undefined): DecimalText | null {
  return row?.used_hours ?? row?.compute_hours ?? null;
}

/** The cost and the hours of a row, or of a report's totals. */
export function amountsOf(row: UseRow | undefined): Amounts {
  return { cost: row?.cost ?? null, used_hours: hoursOf(row) };
}

/** Rows by their step, in the order of time. */
export function groupBySteps<Row extends UseRow>(rows: readonly Row[]) {
  return [...Map.groupBy(rows, row => row.step ?? '')]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([label, members]) => {
      const { step_from: from, step_until: until } = members[0] ?? {};
      return from && until ? [{ label, from, until, members }] : [];
    });
}

/** Reports by the same axis. */
interface StackedReports {
  /** The period by step. */
  readonly report: MadeReport;
  /** The whole period: sums of rounded steps may be off by a cent or two. */
  readonly whole: MadeReport;
  readonly before: MadeReport;
}

/** The rows of reports as series, with their steps and what they came to before. */
export function stackUp(
  { report, whole, before }: StackedReports,
  by: CostAxis,
  steps: readonly Step[],
  isWhole: (step: Step) => boolean,
): Pick<CostStack, 'steps' | 'series'> {
  const rows = readRows<UseKind>(report);
  const byStep = Map.groupBy(rows, row => row.step);
  const byKey = (each: MadeReport) => Map.groupBy(readRows<UseKind>(each), row => keyOf(row, by));
  const [ofReport, ofWhole, ofBefore] = [byKey(report), byKey(whole), byKey(before)];
  const othersBefore = readRows<UseKind>(before).filter(
    row => isOthers(row, by) || !(row.billing_period || ofReport.has(keyOf(row, by))),
  );
  // Steps of a closed period have more use than its bill, and beside it a row that takes that off.
  const rowsOfWhole = new Set(readRows<UseKind>(whole).map(row => rowKeyOf(row, by)));
  const isSame = rows.every(row => rowsOfWhole.has(rowKeyOf(row, by)));
  const series = [...ofReport].map(([key, members]) => {
    const sums = (isSame && ofWhole.get(key)) || members;
    const described = describeSeries(members, by, steps);
    const sumsBefore = described.kind === 'others' ? othersBefore : (ofBefore.get(key) ?? []);
    return {
      sum: sumOf(sums),
      shown: {
        ...described,
        ...sumRows(sums),
        before: sumsBefore.length === 0 ? null : sumRows(sumsBefore),
      },
    };
  });
  return {
    steps: steps.map(step => ({
      ...writeStep(step),
      ...sumRows(byStep.get(step.label) ?? []),
      is_whole: isWhole(step),
    })),
    series: series
      .toSorted((a, b) => rank(a.shown) - rank(b.shown) || compareAmounts(b.sum, a.sum))
      .map(({ shown }) => shown),
  };
}

function sumRows(rows: readonly UseRow[]): Amounts {
  return { cost: sumCosts(rows), used_hours: sumHours(rows) };
}

/** The sum of those without a row of their own comes last. */
function rank({ kind }: CostSeries): number {
  return kind === 'others' ? 1 : 0;
}

/** The columns that say what a row is for. */
const scopeKeys = {
  group: ['group'],
  project: ['account', 'project_id', 'project_name'],
  region: ['region_id'],
  account: ['account'],
  line: ['account', 'line', 'plan', 'tier', 'price'],
} as const satisfies Readonly<Record<CostAxis, readonly (keyof UseRow)[]>>;

/** The id or the name of what a row is for. */
function ownName(row: UseRow | undefined, by: CostAxis): string {
  return row?.[by === 'project' ? 'project_id' : scopeKeys[by][0]] ?? '';
}

/** Whether a row has the sum of all that have none of their own. */
export function isOthers(row: UseRow | undefined, by: CostAxis): boolean {
  return ownName(row, by) === '(others)';
}

function keyOf(row: UseRow, by: CostAxis): string {
  return JSON.stringify(scopeKeys[by].map(key => row[key] ?? ''));
}

/** The key of a row: no other row of its step has it. */
function rowKeyOf(row: UseRow, by: CostAxis): string {
  return `${keyOf(row, by)} ${row.billing_period ?? ''}`;
}

function describeSeries(
  members: readonly UseRow[],
  by: CostAxis,
  steps: readonly Step[],
): Omit<CostSeries, 'before' | keyof Amounts> {
  const [first] = members;
  const byStep = Map.groupBy(members, row => row.step);
  const isCharge = Boolean(first?.billing_period);
  const kind = isCharge ? 'charge' : isOthers(first, by) ? 'others' : 'scope';
  const isProject = by === 'project' && kind === 'scope';
  return {
    name:
      by === 'line' ? nameLine(members) : ((isProject ? first?.project_name : null) ?? ownName(first, by)),
    kind,
    account: by === 'project' || by === 'line' || by === 'account' ? (first?.account ?? null) : null,
    project_id: isProject ? (first?.project_id ?? null) : null,
    no_cost: sumCosts(members) === null ? (members.map(row => row.missing.cost).find(Boolean) ?? null) : null,
    cost_by_step: steps.map(({ label }) => sumCosts(byStep.get(label) ?? [])),
    hours_by_step: steps.map(({ label }) => sumHours(byStep.get(label) ?? [])),
  };
}

/** A line of a bill, such as `compute, scale, tier 2, $0.171`. */
function nameLine([first]: readonly UseRow[]): string {
  const { line, plan, tier, price } = first ?? {};
  const parts = [line, plan, tier && `tier ${tier}`, sayReportedPrice(price ?? '')];
  return parts.filter(part => part).join(', ');
}

/** What it is ranked by: money, or hours where nothing has a price. */
function sumOf(rows: readonly UseRow[]): Amount {
  const isPriced = rows.some(row => Boolean(row.cost));
  return sumAmounts(
    rows.map(row => amountOf((isPriced ? row.cost : isUsage(row) ? hoursOf(row) : null) ?? '0')),
  );
}

function sumCosts(rows: readonly UseRow[]): DecimalText | null {
  return sumDecimals(rows.map(row => row.cost ?? null));
}

function sumHours(rows: readonly UseRow[]): DecimalText | null {
  return sumDecimals(rows.map(hoursOf));
}

/** Whether a row is of the report of use, which has no money. */
function isUsage(row: UseRow): boolean {
  return Boolean(row.compute_hours);
}
