import { accountLabels, declareFor, type Emit, projectLabels, seconds } from './family.ts';
import type { MeterAmounts, MeterMetric } from './meter.ts';

/** Anything with amounts of the service's meter, since the earliest timeframe it ever told of. */
export interface HasMeter {
  /** Absent until it was read. */
  readonly metered?: MeterAmounts;
}

/** An account, as far as the service meters it. */
export interface MeteredAccount extends HasMeter {
  /** The end of the last whole timeframe that was read, in epoch milliseconds by the service's clock. */
  readonly meteredUntilAt?: number;
}

/** The label `kind` of what is stored. */
export const storageKinds: Readonly<Record<string, MeterMetric>> = {
  root_branch: 'root_branch_bytes_month',
  child_branch: 'child_branch_bytes_month',
  instant_restore: 'instant_restore_bytes_month',
  snapshot: 'snapshot_storage_bytes_month',
};

/** The label `network` of what is transferred. */
export const networks: Readonly<Record<string, MeterMetric>> = {
  public: 'public_network_transfer_bytes',
  private: 'private_network_transfer_bytes',
};

/** A sample for each label that there is an amount for. */
export function emitEach(
  byLabel: Readonly<Record<string, MeterMetric>>,
  amounts: MeterAmounts | undefined,
  emit: Emit,
): void {
  for (const [label, metric] of Object.entries(byLabel)) emit(amounts?.[metric], label);
}

const inProject = declareFor<HasMeter>()(projectLabels);

/** Metered amounts of a project; of these compact mode has the sums over the account alone. */
export const projectMeterFamilies = {
  computeUnitSeconds: inProject.counter(
    'dbpm_project_metered_compute_unit_seconds_total',
    'Compute of the project by the meter of the service, in CU-seconds (polled).',
    ({ metered }) => metered?.compute_unit_seconds,
    { isOptional: true, whenCompact: 'omit' },
  ),
  storageByteMonths: inProject.counterBy(
    'dbpm_project_metered_storage_byte_months_total',
    'Storage of the project by the meter of the service, in byte-months (polled).',
    ['kind'],
    ({ metered }, emit) => emitEach(storageKinds, metered, emit),
    { isOptional: true, whenCompact: 'omit' },
  ),
  transferBytes: inProject.counterBy(
    'dbpm_project_metered_transfer_bytes_total',
    'Network transfer of the project by the meter of the service, in bytes (polled).',
    ['network'],
    ({ metered }, emit) => emitEach(networks, metered, emit),
    { isOptional: true, whenCompact: 'omit' },
  ),
  extraBranchMonths: inProject.counter(
    'dbpm_project_metered_extra_branch_months_total',
    'Branches of the project beyond its plan by the meter of the service, in branch-months (polled).',
    ({ metered }) => metered?.extra_branches_month,
    { isOptional: true, whenCompact: 'omit' },
  ),
};

const inAccount = declareFor<MeteredAccount>()(accountLabels);

/** Metered amounts of all projects of an account that the service ever told of; one that is deleted does not lower them. */
export const accountMeterFamilies = {
  computeUnitSeconds: inAccount.counter(
    'dbpm_account_metered_compute_unit_seconds_total',
    'Compute of the account by the meter of the service, in CU-seconds, deleted projects included (polled).',
    ({ metered }) => metered?.compute_unit_seconds,
    { isOptional: true },
  ),
  storageByteMonths: inAccount.counterBy(
    'dbpm_account_metered_storage_byte_months_total',
    'Storage of the account by the meter of the service, in byte-months, deleted projects included (polled).',
    ['kind'],
    ({ metered }, emit) => emitEach(storageKinds, metered, emit),
    { isOptional: true },
  ),
  transferBytes: inAccount.counterBy(
    'dbpm_account_metered_transfer_bytes_total',
    'Network transfer of the account by the meter of the service, in bytes, deleted projects included (polled).',
    ['network'],
    ({ metered }, emit) => emitEach(networks, metered, emit),
    { isOptional: true },
  ),
  extraBranchMonths: inAccount.counter(
    'dbpm_account_metered_extra_branch_months_total',
    'Branches of the account beyond the plans by the meter of the service, in branch-months, deleted projects included (polled).',
    ({ metered }) => metered?.extra_branches_month,
    { isOptional: true },
  ),
  meteredUntilTimestamp: inAccount.gauge(
    'dbpm_account_metered_until_timestamp_seconds',
    'The end of the last whole timeframe that the meter of the service told of; absent until it was read (polled).',
    ({ meteredUntilAt }) => seconds(meteredUntilAt),
    { isOptional: true },
  ),
};
