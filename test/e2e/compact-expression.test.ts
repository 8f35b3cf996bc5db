import { expect, test } from 'vitest';
import { listBoardExpressions } from '../../dashboards/boards/expression.ts';
import { describeExpressions } from './expression-suite.ts';

/** What a compact page leaves out, by the panel of which a line or a column is then empty. */
const leftOut = [
  ['Project', 'dbpm_project_cpu_used_resets_total'],
  ['Project', 'dbpm_project_branch_logical_size_limit'],
  ['Starts and suspends', 'dbpm_endpoint_suspends_total'],
  ['Compute units', 'dbpm_endpoint_autoscaling_limit_min_cu'],
  ['Endpoints', 'dbpm_endpoint_autoscaling_limit_min_cu'],
  ['Endpoints', 'dbpm_endpoint_pooler_enabled'],
  ['Endpoints', 'dbpm_endpoint_passwordless_access'],
  ['Endpoints', 'dbpm_endpoint_updated_timestamp_seconds'],
  ['Storage and dates', 'dbpm_project_history_retention_seconds'],
  ['Storage and dates', 'dbpm_project_quota_reset_timestamp_seconds'],
  ['Storage and dates', 'dbpm_project_compute_last_active_timestamp_seconds'],
  ['Storage and dates', 'dbpm_project_active_time_reported_seconds'],
  ['Storage and dates', 'dbpm_project_branch_logical_size_limit_bytes'],
  ['Endpoints by default', 'dbpm_project_default_autoscaling_limit_'],
  ['Projects by use', 'dbpm_project_period_cost'],
  ['This billing period', 'dbpm_project_period_cost'],
  ['By line of the bill', 'dbpm_project_period_line_cost'],
  ['Metered compute hours', 'dbpm_project_metered_compute_unit_seconds_total'],
  ['Metered storage and transfer', 'dbpm_project_metered_'],
  ['Metered extra branches', 'dbpm_project_metered_extra_branch_months_total'],
] as const;

/** Flags it has only where they are set: the column is empty and the panel says so until one is. */
const notSet = [
  ['Locked', 'dbpm_project_locked'],
  ['Endpoints', 'dbpm_endpoint_disabled'],
] as const;

const isOf =
  (rows: readonly (readonly [panel: string, metric: string])[]) =>
  ({ panel, expression }: { readonly panel: string; readonly expression: string }) =>
    rows.some(([title, metric]) => panel === title && expression.includes(metric));

const isEmpty = isOf([...leftOut, ...notSet]);
describeExpressions('compact', isEmpty);

test('no panel is empty for want of what a compact page leaves out', () => {
  const expressions = listBoardExpressions();
  const panels = Map.groupBy(expressions, ({ board, panel }) => `${board}: ${panel}`);
  expect(expressions.filter(isOf(leftOut))).toHaveLength(24);
  expect([...panels].filter(([, each]) => each.every(isOf(leftOut))).map(([name]) => name)).toEqual([]);
});
