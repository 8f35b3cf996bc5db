import { declareFor } from '../family.ts';
import { projectLabels } from '../scope-label.ts';
import type { ProjectUsage } from './view.ts';

const { gauge } = declareFor<ProjectUsage>()(projectLabels);

/** Cost of a project, and how far its usage is beyond its habit. */
export const projectUsageFamilies = {
  periodCost: gauge(
    'dbpm_project_period_cost',
    'Cost of the project since the billing period began, without charges of the account; absent without a price book.',
    ['currency'],
    ({ cost, currency }, emit) => {
      if (currency !== undefined) emit(cost, currency);
    },
    { whenCompact: 'omit' },
  ),
  unusualComputeSeconds: gauge(
    'dbpm_project_unusual_compute_seconds',
    'Compute seconds the project used in the last day beyond its habit; absent while that is not unusually much.',
    [],
    ({ anomalyComputeSeconds }, emit) => emit(anomalyComputeSeconds),
  ),
};
