import type { Step } from '../../../cost/calendar/step.ts';
import { type Amount, addAmounts, amountOf, compareAmounts, noAmount } from '../../../cost/money/money.ts';
import type { ReportAxis } from '../../../report/kind.ts';
import type { MadeReport } from '../../../report/maker.ts';
import type { DecimalText } from '../../../resources/price-book.ts';
import { sumDecimals, writeInstant } from '../../answer-field.ts';
import { type KeyedRow, keyRows } from '../../report-row.ts';
import type { CostSeries, CostStack } from './cost-answer.ts';

export const costAxes = [
  'group',
  'project',
  'region',
  'account',
  'line',
] as const satisfies readonly ReportAxis[];
export type CostAxis = (typeof costAxes)[number];

/** Hours are named otherwise where they have a price. */
export function hoursOf(row: KeyedRow | undefined): DecimalText | null {
  return row?.decimal('used_hours') ?? row?.decimal('compute_hours') ?? null;
}

/** The rows of a report as series, with their steps and what they came to before. */
export function stackUp(
  report: MadeReport,
  before: MadeReport,
  by: CostAxis,
  steps: readonly Step[],
): Pick<CostStack, 'steps' | 'series'> {
  const rows = keyRows(report);
  const byStep = Map.groupBy(rows, row => row.text('step'));
  const rowsBefore = Map.groupBy(keyRows(before), row => keyOf(row, by));
  const series = [...Map.groupBy(rows, row => keyOf(row, by))].map(([key, members]) => ({
    sum: sumOf(members),
    shown: { ...describeSeries(members, by, steps), before: sumBefore(rowsBefore.get(key)) },
  }));
  return {
    steps: steps.map(({ label, fromAt, untilAt }) => ({
      label,
      from: writeInstant(fromAt),
      until: writeInstant(untilAt),
      cost: sumCosts(byStep.get(label) ?? []),
      used_hours: sumHours(byStep.get(label) ?? []),
    })),
    series: series
      .toSorted((a, b) => rank(a.shown) - rank(b.shown) || compareAmounts(b.sum, a.sum))
      .map(({ shown }) => shown),
  };
}

function sumBefore(rows: readonly KeyedRow[] | undefined): CostSeries['before'] {
  return rows === undefined ? null : { cost: sumCosts(rows), used_hours: sumHours(rows) };
}

/** The sum of those without a row of their own comes last. */
function rank({ kind }: CostSeries): number {
  return kind === 'others' ? 1 : 0;
}

/** The columns that say what a row is for. */
export const scopeKeys: Readonly<Record<CostAxis, readonly string[]>> = {
  group: ['group'],
  project: ['account', 'project_id', 'project_name'],
  region: ['region_id'],
  account: ['account'],
  line: ['account', 'line', 'plan', 'tier', 'price'],
};

function keyOf(row: KeyedRow, by: CostAxis): string {
  return JSON.stringify(scopeKeys[by].map(key => row.text(key) ?? row.count(key) ?? ''));
}

function describeSeries(
  members: readonly KeyedRow[],
  by: CostAxis,
  steps: readonly Step[],
): Omit<CostSeries, 'before'> {
  const [first] = members;
  const byStep = Map.groupBy(members, row => row.text('step'));
  const text = (key: string) => first?.text(key) || null;
  const isCharge = text('billing_period') !== null;
  const ownName = scopeKeys[by].at(by === 'project' ? 1 : 0) ?? '';
  const isOthers = text(ownName) === '(others)';
  const isProject = by === 'project' && !isCharge && !isOthers;
  const cost = sumCosts(members);
  return {
    name:
      by === 'line' ? nameLine(members) : ((isProject ? text('project_name') : null) ?? text(ownName) ?? ''),
    kind: isCharge ? 'charge' : isOthers ? 'others' : 'scope',
    account: by === 'project' || by === 'line' || by === 'account' ? text('account') : null,
    project_id: isProject ? text('project_id') : null,
    cost,
    no_cost: cost === null ? (members.map(row => row.reason('cost') ?? null).find(Boolean) ?? null) : null,
    used_hours: sumHours(members),
    cost_by_step: steps.map(({ label }) => sumCosts(byStep.get(label) ?? [])),
    hours_by_step: steps.map(({ label }) => sumHours(byStep.get(label) ?? [])),
  };
}

/** A line of a bill, such as `compute, scale, tier 2`. */
function nameLine([first]: readonly KeyedRow[]): string {
  const tier = first?.count('tier');
  const parts = [first?.text('line'), first?.text('plan'), tier && `tier ${tier}`, first?.text('price')];
  return parts.filter(part => part).join(', ');
}

/** What it is ranked by: money, or hours where nothing has a price. */
function sumOf(rows: readonly KeyedRow[]): Amount {
  const isPriced = rows.some(row => row.decimal('cost') !== null);
  return rows
    .map(row => amountOf((isPriced ? row.decimal('cost') : isUsage(row) ? hoursOf(row) : null) ?? '0'))
    .reduce(addAmounts, noAmount);
}

function sumCosts(rows: readonly KeyedRow[]): DecimalText | null {
  return sumDecimals(rows.map(row => row.decimal('cost')));
}

function sumHours(rows: readonly KeyedRow[]): DecimalText | null {
  return sumDecimals(rows.map(hoursOf));
}

/** Whether a row is of the report of use, which has no money. */
function isUsage(row: KeyedRow): boolean {
  return row.decimal('compute_hours') !== null;
}
