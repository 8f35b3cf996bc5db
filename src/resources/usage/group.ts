import { declareFor, groupLabels } from '../family.ts';
import { emitCost, emitLines } from './line-cost.ts';
import type { GroupUsage } from './view.ts';

const { gauge, gaugeBy } = declareFor<GroupUsage>()(groupLabels);

/** Usage and cost of each group of a grouping: they add up to those of the account. */
export const groupUsageFamilies = {
  periodComputeSeconds: gauge(
    'dbpm_group_period_compute_seconds',
    'Compute seconds the projects of the group used since the billing period began; the rest is in "ungrouped".',
    ({ computeSeconds }) => computeSeconds,
  ),
  periodCost: gaugeBy(
    'dbpm_group_period_cost',
    'Cost of the projects of the group since the billing period began, without charges of the account.',
    ['currency'],
    emitCost,
  ),
  periodLineCost: gaugeBy(
    'dbpm_group_period_line_cost',
    'Cost of the group in this billing period by line of the bill, without charges of the account.',
    ['currency', 'line'],
    emitLines,
    { isOptional: true },
  ),
};
