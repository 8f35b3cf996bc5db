import { type Period, zoneCalendar, zoneClockAt } from '../../../cost/calendar/calendar.ts';
import { cutIntoSteps } from '../../../cost/calendar/step.ts';
import type { MadeReport } from '../../../report/maker.ts';
import type { ReportOptions } from '../../../report/parameter.ts';
import type { ReadRow } from '../../../report/report-list.ts';
import { ungrouped } from '../../../resources/grouping.ts';
import { matchesProject } from '../../../resources/project-match.ts';
import type { SpendingBudget } from '../../../resources/spending-budget.ts';
import { sumDecimals, writeStep } from '../../answer-value.ts';
import type { ConsoleConfig } from '../../console-config.ts';
import type { ReportQuestion } from '../../report-cache/report-set.ts';
import { readRows } from '../../report-row.ts';
import type { CostBudget } from './cost-answer.ts';
import { groupBySteps } from './cost-series.ts';

/** Projects that have a row for each day, for budgets that name projects. */
const mostProjects = 500;

/** The report of what counts against a budget, by day; undefined where that is not told by day. */
export function askBudgetDays(
  budget: SpendingBudget,
  { usage, pricing }: Pick<ConsoleConfig, 'usage' | 'pricing'>,
  { now, projects }: { readonly now: number; readonly projects: number },
): ReportQuestion | undefined {
  const period = wordFor(budget, usage.timezone, now);
  const isTooMuch = budget.scope.kind === 'projects' && projects > mostProjects;
  if (pricing === undefined || period === undefined || isTooMuch) return undefined;
  return { kind: 'cost', options: { period, step: 'day', ...axisOf(budget) } };
}

/** The word for the period of a budget; a day has no days. */
function wordFor({ per }: SpendingBudget, zone: string, now: number): string | undefined {
  const dateOf = (at: number) => zoneClockAt(zone, at).toPlainDate().toString();
  switch (per) {
    case 'billing':
      return 'billing';
    case 'month':
      return 'this-month';
    case 'week': {
      const { fromAt, untilAt } = zoneCalendar('week', zone)(now);
      return `${dateOf(fromAt)}..${dateOf(untilAt)}`;
    }
    case 'day':
      return undefined;
  }
}

function axisOf({ scope }: SpendingBudget): Pick<ReportOptions, 'by' | 'grouping'> {
  switch (scope.kind) {
    case 'account':
      return { by: 'account' };
    case 'group':
      return { by: 'group', grouping: scope.grouping };
    case 'projects':
      return { by: 'project' };
  }
}

/** The part of a budget that was spent by the end of each day of its period. */
export function addUpDays(report: MadeReport, budget: SpendingBudget): NonNullable<CostBudget['by_day']> {
  const key = budget.limit.kind === 'compute' ? 'used_hours' : 'cost';
  const counted = readRows<'cost'>(report).filter(row => counts(row, budget));
  let spent: string | null = null;
  return groupBySteps(counted).flatMap(({ label: day, until, members }) => {
    spent = sumDecimals([spent, ...members.map(row => row[key] ?? null)]);
    return spent ? [{ day, until, spent }] : [];
  });
}

/** All days of the period of a budget, by the clocks that it is counted by. */
export function listBudgetDays({ per }: SpendingBudget, period: Period, timezone: string) {
  const zone = per === 'billing' ? 'UTC' : timezone;
  return cutIntoSteps('day', { ...period, zone, billedStretch: period }).map(writeStep);
}

/** Whether a row counts: charges count with their account, and with what has no group. */
function counts(row: ReadRow<'cost'>, { scope, limit }: SpendingBudget): boolean {
  const isCharge = Boolean(row.billing_period);
  switch (scope.kind) {
    case 'account':
      return row.account === scope.account;
    case 'group':
      if (isCharge) return scope.group === ungrouped && limit.kind === 'money';
      return row.group === scope.group;
    case 'projects':
      return !isCharge && matchesProject({ projects: scope.projects }, projectOf(row));
  }
}

function projectOf(row: ReadRow<'cost'>) {
  return {
    account: row.account ?? '',
    project_id: row.project_id ?? '',
    project_name: row.project_name ?? undefined,
  };
}
