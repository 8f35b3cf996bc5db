import { declareFor } from '../family.ts';
import { emitEach, networks, storageKinds } from '../metered.ts';
import { projectLabels } from '../scope-label.ts';
import { emitLines } from './line-cost.ts';
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
  periodLineCost: gauge(
    'dbpm_project_period_line_cost',
    'Cost of the project since the billing period began by the line of the bill, without charges of the account; absent where nothing that is metered has a price.',
    ['currency', 'line'],
    emitLines,
    { isOptional: true, whenCompact: 'omit' },
  ),
  unusualComputeSeconds: gauge(
    'dbpm_project_unusual_compute_seconds',
    'Compute seconds the project used in the last day beyond its habit; absent while that is not unusually much.',
    [],
    ({ anomalyComputeSeconds }, emit) => emit(anomalyComputeSeconds),
  ),
};

/** How far what the service meters of a project is beyond its habit. */
export const unusualMeterFamilies = {
  unusualTransferBytes: gauge(
    'dbpm_project_unusual_transfer_bytes',
    'Bytes the project transferred beyond its habit, in the day of UTC that is under way or the one before, by the meter of the service; absent while that is not unusually much.',
    ['network'],
    ({ anomalyMetered }, emit) => emitEach(networks, anomalyMetered, emit),
    { isOptional: true },
  ),
  unusualStorageGrowthBytes: gauge(
    'dbpm_project_unusual_storage_growth_bytes',
    'Bytes by which what the project stores grew beyond its habit, in the day of UTC that is under way or the one before, by the meter of the service; absent while that is not unusually much.',
    ['kind'],
    ({ anomalyMetered }, emit) => emitEach(storageKinds, anomalyMetered, emit),
    { isOptional: true },
  ),
  unusualExtraBranches: gauge(
    'dbpm_project_unusual_extra_branches',
    'Extra branches of the project beyond its habit, in the day of UTC that is under way or the one before, by the meter of the service; absent while these are not unusually many.',
    [],
    ({ anomalyMetered }, emit) => emit(anomalyMetered?.extra_branches_month),
    { isOptional: true },
  ),
};
