import { zoneClockAt } from '../../../cost/calendar/zone-clock.ts';
import type { ReportOptions } from '../../../report/kind.ts';
import type { MadeReport } from '../../../report/maker.ts';
import { ungrouped } from '../../../resources/grouping.ts';
import { matchesProject } from '../../../resources/project-match.ts';
import type { SpendingBudget } from '../../../resources/spending-budget.ts';
import type { BudgetUsage } from '../../../resources/usage/view.ts';
import { writeInstant } from '../../answer-field.ts';
import { askSoon } from '../../desk/ready-report.ts';
import type { ConsoleSources } from '../../page.ts';
import { type KeyedRow, keyRows } from '../../report-row.ts';
import type { CostBudget } from './cost-answer.ts';
import { sumDecimals } from './cost-stack.ts';

/** Projects of which each has a row by day, for budgets that name projects. */
const mostProjects = 500;

/** The part of a budget that was spent by the end of each day of its period; null where that is not told by day. */
export async function readBudgetDays(
  { reports, config }: Pick<ConsoleSources, 'reports' | 'config'>,
  budget: SpendingBudget,
  standing: BudgetUsage,
  projects: number,
): Promise<CostBudget['by_day']> {
  const period = wordFor(budget, standing, config.usage.timezone);
  if (period === undefined || (budget.scope.kind === 'projects' && projects > mostProjects)) return null;
  const report = await askSoon(reports, 'cost', { period, step: 'day', ...axisOf(budget) });
  return report === undefined ? null : addUp(report, budget);
}

/** The word for the period of a budget; a day has no days. */
function wordFor({ per }: SpendingBudget, { period }: BudgetUsage, zone: string): string | undefined {
  const dateOf = (at: number) => zoneClockAt(zone, at).toPlainDate().toString();
  switch (per) {
    case 'billing':
      return 'billing';
    case 'month':
      return 'this-month';
    case 'week':
      return `${dateOf(period.fromAt)}..${dateOf(period.untilAt)}`;
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

function addUp(report: MadeReport, budget: SpendingBudget): NonNullable<CostBudget['by_day']> {
  const key = budget.limit.kind === 'compute' ? 'used_hours' : 'cost';
  const counted = keyRows(report).filter(row => counts(row, budget));
  const days = Map.groupBy(counted, row => row.text('step') ?? '');
  let spent: string | null = null;
  return [...days]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([day, rows]) => {
      spent = sumDecimals([spent, ...rows.map(row => row.decimal(key))]);
      const untilAt = rows[0]?.count('step_until');
      return spent === null || untilAt === null || untilAt === undefined
        ? []
        : [{ day, until: writeInstant(untilAt), spent }];
    });
}

/** Whether a row counts: charges count with their account, and with what has no group. */
function counts(row: KeyedRow, { scope, limit }: SpendingBudget): boolean {
  const isCharge = Boolean(row.text('billing_period'));
  switch (scope.kind) {
    case 'account':
      return row.text('account') === scope.account;
    case 'group':
      if (isCharge) return scope.group === ungrouped && limit.kind === 'money';
      return row.text('group') === scope.group;
    case 'projects':
      return !isCharge && matchesProject({ projects: scope.projects }, projectOf(row));
  }
}

function projectOf(row: KeyedRow) {
  return {
    account: row.text('account') ?? '',
    project_id: row.text('project_id') ?? '',
    project_name: row.text('project_name') || undefined,
  };
}
