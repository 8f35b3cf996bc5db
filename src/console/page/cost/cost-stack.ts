import type { ReportPeriod } from '../../../cost/calendar/report-period.ts';
import { cutIntoSteps, type Step } from '../../../cost/calendar/step.ts';
import { type Amount, addAmounts, amountOf, compareAmounts, noAmount } from '../../../cost/money/money.ts';
import type { ReportAxis, ReportOptions, reportSteps } from '../../../report/kind.ts';
import type { MadeReport } from '../../../report/maker.ts';
import { dayMs } from '../../../resources/duration.ts';
import { compact } from '../../../resources/field.ts';
import type { DecimalText } from '../../../resources/price-book.ts';
import { sumDecimals, writeInstant } from '../../answer-field.ts';
import { choosePeriod, nameBefore } from '../../chosen-period.ts';
import type { ConsoleConfig } from '../../console-config.ts';
import type { ReportQuestion } from '../../desk/report-set.ts';
import { writeReport } from '../../report-field.ts';
import { type KeyedRow, keyRows, keyTotals } from '../../report-row.ts';
import { refuseManySteps } from '../../step-bound.ts';
import type { CostSeries, CostStack } from './cost-answer.ts';

type StepUnit = (typeof reportSteps)[number];

/** The query of the page. */
export interface CostQuery {
  readonly period: string;
  readonly by?: CostAxis | undefined;
  readonly grouping: string;
  readonly account: string;
  readonly step?: StepUnit | undefined;
}
export const costAxes = [
  'group',
  'project',
  'region',
  'account',
  'line',
] as const satisfies readonly ReportAxis[];
export type CostAxis = (typeof costAxes)[number];

/** Rows that have a figure of their own; one more has all others. */
const mostSeries = 20;
/** Longer periods are in weeks, and longer ones in months. */
const mostDays = 62;
const mostDaysInWeeks = 400;

/** How a stack is cut. */
interface StackCut {
  readonly by: CostAxis;
  readonly step: StepUnit;
}

/** @throws PageProblem where there is no such period, or it has too many steps. */
export function cutStack(config: ConsoleConfig, query: CostQuery, now: number): StackCut {
  const period = choosePeriod(config, query.period, now);
  const step = query.step ?? stepFor(period);
  refuseManySteps(step, period);
  return { by: query.by ?? (config.groupings.length > 0 ? 'group' : 'project'), step };
}

/** The report of cost by day, week or month, and by what was asked for. */
export function askStack({ period, account, grouping }: CostQuery, { by, step }: StackCut): ReportQuestion {
  const options: ReportOptions = {
    ...{ period, by, step },
    ...compact({ account: account || undefined }),
    ...(by === 'group' && grouping !== '' && { grouping }),
    ...(by !== 'line' && { top: mostSeries }),
  };
  return { kind: 'cost', options };
}

/** The report as the page shows it. */
export function writeStack(
  config: ConsoleConfig,
  query: CostQuery,
  { by, step }: StackCut,
  report: MadeReport,
): CostStack {
  const total = keyTotals(report);
  // A report that was made before a billing period began is of the one before.
  const reported = choosePeriod(config, query.period, report.generatedAt);
  const steps = cutIntoSteps(step, reported);
  return {
    ...writeReport(report),
    ...{ by, step, period_before: nameBefore(config, reported, report.generatedAt) },
    grouping: by === 'group' ? query.grouping || (config.groupings[0]?.name ?? null) : null,
    cost: total?.decimal('cost') ?? null,
    used_hours: total?.decimal('used_hours') ?? null,
    ...stackUp(report, by, steps),
  };
}

function stepFor({ fromAt, untilAt }: ReportPeriod): StepUnit {
  const days = (untilAt - fromAt) / dayMs;
  if (days <= mostDays) return 'day';
  return days <= mostDaysInWeeks ? 'week' : 'month';
}

function stackUp(
  report: MadeReport,
  by: CostAxis,
  steps: readonly Step[],
): Pick<CostStack, 'steps' | 'series'> {
  const rows = keyRows(report);
  const byStep = Map.groupBy(rows, row => row.text('step'));
  const series = [...Map.groupBy(rows, row => keyOf(row, by)).values()].map(members => ({
    sum: sumOf(members),
    shown: describeSeries(members, by, steps),
  }));
  return {
    steps: steps.map(({ label, fromAt, untilAt }) => ({
      label,
      from: writeInstant(fromAt),
      until: writeInstant(untilAt),
      cost: sumCosts(byStep.get(label) ?? []),
    })),
    series: series
      .toSorted((a, b) => rank(a.shown) - rank(b.shown) || compareAmounts(b.sum, a.sum))
      .map(({ shown }) => shown),
  };
}

/** The sum of those without a row of their own comes last. */
function rank({ kind }: CostSeries): number {
  return kind === 'others' ? 1 : 0;
}

/** The columns that say what a row is for. */
const scopeKeys: Readonly<Record<CostAxis, readonly string[]>> = {
  group: ['group'],
  project: ['account', 'project_id', 'project_name'],
  region: ['region_id'],
  account: ['account'],
  line: ['account', 'line', 'plan', 'tier', 'price'],
};

function keyOf(row: KeyedRow, by: CostAxis): string {
  return JSON.stringify(scopeKeys[by].map(key => row.text(key) ?? row.count(key) ?? ''));
}

function describeSeries(members: readonly KeyedRow[], by: CostAxis, steps: readonly Step[]): CostSeries {
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
    used_hours: sumDecimals(members.map(row => row.decimal('used_hours'))),
    cost_by_step: steps.map(({ label }) => sumCosts(byStep.get(label) ?? [])),
  };
}

/** A line of a bill, such as `compute, scale, tier 2`. */
function nameLine([first]: readonly KeyedRow[]): string {
  const tier = first?.count('tier');
  const parts = [first?.text('line'), first?.text('plan'), tier && `tier ${tier}`, first?.text('price')];
  return parts.filter(part => part).join(', ');
}

function sumOf(rows: readonly KeyedRow[]): Amount {
  return rows.map(row => amountOf(row.decimal('cost') ?? '0')).reduce(addAmounts, noAmount);
}

function sumCosts(rows: readonly KeyedRow[]): DecimalText | null {
  return sumDecimals(rows.map(row => row.decimal('cost')));
}
