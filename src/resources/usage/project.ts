import { declareFor, projectLabels } from '../family.ts';
import { emitEach, networks, storageKinds } from '../metered.ts';
import { emitCost, emitLines } from './line-cost.ts';
import type { ProjectUsage } from './view.ts';

const { gauge, gaugeBy } = declareFor<ProjectUsage>()(projectLabels);

/** Cost of a project, and how far its usage is beyond its habit. */
export const projectUsageFamilies = {
  periodCost: gaugeBy(
    'dbpm_project_period_cost',
    'Cost of the project since the billing period began, without charges of the account.',
    ['currency'],
    emitCost,
    { whenCompact: 'omit' },
  ),
  periodLineCost: gaugeBy(
    'dbpm_project_period_line_cost',
    'Cost of the project in this billing period by line of the bill, without charges of the account.',
    ['currency', 'line'],
    emitLines,
    { isOptional: true, whenCompact: 'omit' },
  ),
  unusualComputeSeconds: gauge(
    'dbpm_project_unusual_compute_seconds',
    'Compute seconds the project used in the last day beyond its habit; absent while that is not unusually much.',
    ({ anomalyComputeSeconds }) => anomalyComputeSeconds,
  ),
};

/** How far what the service meters of a project is beyond its habit. */
export const unusualMeterFamilies = {
  unusualTransferBytes: gaugeBy(
    'dbpm_project_unusual_transfer_bytes',
    'Bytes the project transferred beyond its habit, today or yesterday (UTC). Absent while that is usual.',
    ['network'],
    ({ anomalyMetered }, emit) => emitEach(networks, anomalyMetered, emit),
    { isOptional: true },
  ),
  unusualStorageGrowthBytes: gaugeBy(
    'dbpm_project_unusual_storage_growth_bytes',
    'Bytes by which storage of the project grew beyond its habit, today or yesterday (UTC). Absent while that is usual.',
    ['kind'],
    ({ anomalyMetered }, emit) => emitEach(storageKinds, anomalyMetered, emit),
    { isOptional: true },
  ),
  unusualExtraBranches: gauge(
    'dbpm_project_unusual_extra_branches',
    'Extra branches of the project beyond its habit, today or yesterday (UTC). Absent while that is usual.',
    ({ anomalyMetered }) => anomalyMetered?.extra_branches_month,
    { isOptional: true },
  ),
};
