import * as v from 'valibot';
import { calendarMonths } from '../../../cost/calendar/billing-name.ts';
import { type ReportPeriod, zoneCalendar } from '../../../cost/calendar/calendar.ts';
import { pairPeriod } from '../../../cost/calendar/period-before.ts';
import { cutIntoSteps, type Step, type StepUnit, stepsAfter } from '../../../cost/calendar/step.ts';
import { type PriceTier, tiersAt } from '../../../cost/price/price-lookup.ts';
import { reportSteps } from '../../../report/kind.ts';
import type { MadeReport } from '../../../report/maker.ts';
import type { ReportOptions } from '../../../report/parameter.ts';
import { dayMs } from '../../../resources/duration.ts';
import { compact } from '../../../resources/field.ts';
import { writeInstant, writeStep } from '../../answer-value.ts';
import { choosePeriod, nameBefore } from '../../chosen-period.ts';
import type { ConsoleConfig } from '../../console-config.ts';
import { maybeChoice, period, text } from '../../parameter.ts';
import type { ReportQuestion } from '../../report-cache/report-set.ts';
import { writePeriod, writeReport } from '../../report-field.ts';
import { readRows, readTotals } from '../../report-row.ts';
import { refuseManySteps } from '../../step-bound.ts';
import type { CostStack } from './cost-answer.ts';
import {
  amountsOf,
  type CostAxis,
  costAxes,
  isOthers,
  stackUp,
  type UseKind,
  type UseRow,
} from './cost-series.ts';

export const costQuery = v.object({
  period: period('billing'),
  by: maybeChoice(costAxes),
  grouping: text(),
  account: text(),
  step: maybeChoice(reportSteps),
});
export type CostQuery = v.InferOutput<typeof costQuery>;

/** Rows that have a figure of their own; one more has all others. */
const mostSeries = 20;
/** The dearest now need not have been the dearest before. */
const mostBefore = 10 * mostSeries;
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
  const usual = config.groupings.length > 0 ? 'group' : 'project';
  // Without prices there is no bill that could have lines.
  const by = query.by === 'line' && config.pricing === undefined ? usual : (query.by ?? usual);
  return { by, step };
}

/** Dearest projects, beside what is asked for. */
const mostProjects = 5;

/**
 * The reports of cost by day, week or month and by what was asked for, of the whole period, of the same part of the one
 * before, and of the dearest projects; of use where there are no prices.
 */
export function askStack(
  config: ConsoleConfig,
  { period, account, grouping }: CostQuery,
  { by, step }: StackCut,
): readonly ReportQuestion[] {
  const kind = config.pricing === undefined ? 'usage' : 'cost';
  const of = compact({ account: account || undefined });
  const axis: ReportOptions = {
    ...{ ...of, by },
    ...(by === 'group' && grouping !== '' && { grouping }),
  };
  const top = (most: number) => (by === 'line' ? {} : { top: most });
  return [
    { kind, options: { ...axis, ...top(mostSeries), period, step } },
    { kind, options: { ...axis, ...top(mostSeries), period } },
    { kind, options: { ...axis, ...top(mostBefore), period: `before:${period}` } },
    // By project the second has them.
    ...(by === 'project'
      ? []
      : [{ kind, options: { ...of, period, by: 'project', top: mostProjects } } as const]),
  ];
}

/** The reports of {@link askStack} as the page shows them; null where there are none. */
export function writeStack(
  config: ConsoleConfig,
  query: CostQuery,
  { by, step }: StackCut,
  [report, whole, before, projects = whole]: readonly MadeReport[],
): CostStack | null {
  if (!report || !whole || !before || !projects) return null;
  // A report that was made before a billing period began is of the one before.
  const reported = choosePeriod(config, query.period, report.generatedAt);
  const { whole: wholePeriod } = pairPeriod(reported, config.pricing?.billingPeriod ?? calendarMonths);
  const steps = cutIntoSteps(step, reported);
  return {
    ...writeReport(report),
    ...{ by, step, period_before: nameBefore(config, reported, report.generatedAt) },
    grouping: by === 'group' ? query.grouping || (config.groupings[0]?.name ?? null) : null,
    known_from: writeKnownFrom(report),
    ...amountsOf(isKnown(report) ? readTotals<UseKind>(report) : undefined),
    ...stackUp({ report, whole, before }, by, steps, isWholeStep(step, reported, report)),
    steps_to_come: stepsAfter(reported, step, wholePeriod.untilAt).map(writeStep),
    before: writeBefore(before, by),
    price_changes: findPriceChanges(config, reported),
    projects: readRows<UseKind>(projects).flatMap(writeProject).slice(0, mostProjects),
  };
}

function findPriceChanges(
  { pricing }: ConsoleConfig,
  { fromAt, untilAt }: ReportPeriod,
): CostStack['price_changes'] {
  return (pricing?.plans ?? []).flatMap(plan =>
    plan.prices.flatMap(({ fromAt: at }) => {
      const [[before], [now]] = [at - 1, at].map(each => tiersAt(plan, each)) as [PriceTier[], PriceTier[]];
      const isChange = before && now && before.price.discounted !== now.price.discounted;
      if (!isChange || at <= fromAt || at >= untilAt) return [];
      return {
        ...{ at: writeInstant(at), plan: plan.name, currency: plan.currency },
        ...{ price: now.price.list, before: before.price.list },
        ...{ discounted: now.price.discounted, discounted_before: before.price.discounted },
      };
    }),
  );
}

/** Whether anything of its period is known, or is in it: a total of nothing says that nothing was used. */
function isKnown({ knownFromAt = 0, period, rows }: MadeReport): boolean {
  return knownFromAt < period.untilAt || rows.length > 0;
}

function writeKnownFrom({ knownFromAt, period }: MadeReport): string | null {
  return knownFromAt === undefined || knownFromAt <= period.fromAt ? null : writeInstant(knownFromAt);
}

/** Whether a step is not cut by its period or by now, and known from its beginning on. */
function isWholeStep(unit: StepUnit, { zone }: ReportPeriod, { knownFromAt = 0 }: MadeReport) {
  const calendar = zoneCalendar(unit, zone);
  return ({ fromAt, untilAt }: Step) => {
    const whole = calendar(fromAt);
    return whole.fromAt === fromAt && whole.untilAt === untilAt && fromAt >= knownFromAt;
  };
}

function writeBefore(report: MadeReport, by: CostAxis): CostStack['before'] {
  const amounts = amountsOf(readTotals<UseKind>(report));
  if (report.rows.length === 0 || Object.values(amounts).every(each => each === null)) return null;
  const hasOthers = readRows<UseKind>(report).some(row => isOthers(row, by));
  return {
    period: writePeriod(report.period),
    ...{ ...amounts, missing: [...report.gaps], known_from: writeKnownFrom(report) },
    is_whole: report.gaps.length === 0 && !hasOthers,
  };
}

function writeProject(row: UseRow): CostStack['projects'] {
  const { project_id } = row;
  if (!project_id || project_id === '(others)') return [];
  return [
    {
      ...{ account: row.account ?? '', project_id, project_name: row.project_name ?? null },
      ...amountsOf(row),
    },
  ];
}

function stepFor({ fromAt, untilAt }: ReportPeriod): StepUnit {
  const days = (untilAt - fromAt) / dayMs;
  if (days <= mostDays) return 'day';
  return days <= mostDaysInWeeks ? 'week' : 'month';
}
