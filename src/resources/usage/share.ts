import { declareFor } from '../family.ts';
import { groupLabels, projectLabels } from '../scope-label.ts';
import type { GroupUse, ProjectUse } from './view.ts';

const ofGroup = declareFor<GroupUse>()(groupLabels);
const ofProject = declareFor<ProjectUse>()(projectLabels);

/** What the groups of each grouping used: they add up to what the account did. */
export const groupUseFamilies = {
  periodComputeSeconds: ofGroup.gauge(
    'dbpm_group_period_compute_seconds',
    'Compute seconds the projects of the group used since the billing period began; those of no other group are in "ungrouped".',
    [],
    ({ computeSeconds }, emit) => emit(computeSeconds),
  ),
  periodCost: ofGroup.gauge(
    'dbpm_group_period_cost',
    'Cost of the projects of the group since the billing period began; absent without a price book.',
    ['currency'],
    ({ cost, currency }, emit) => {
      if (currency !== undefined) emit(cost, currency);
    },
  ),
};

export const projectUseFamilies = {
  periodCost: ofProject.gauge(
    'dbpm_project_period_cost',
    'Cost of the project since the billing period began; absent without a price book.',
    ['currency'],
    ({ cost, currency }, emit) => {
      if (currency !== undefined) emit(cost, currency);
    },
    { whenCompact: 'omit' },
  ),
  unusualComputeSeconds: ofProject.gauge(
    'dbpm_project_unusual_compute_seconds',
    'Compute seconds the project used in the last day beyond its habit; absent while that is not unusually much.',
    [],
    ({ excessComputeSeconds }, emit) => emit(excessComputeSeconds),
  ),
};
