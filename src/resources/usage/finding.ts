import {
  accountLabels,
  declareFor,
  type Emit,
  endpointFindingLabels,
  projectFindingLabels,
} from '../family.ts';
import {
  findingKinds,
  type PricedFinding,
  type PricedProjectFinding,
  type ProjectFindingKind,
  type Saving,
} from '../finding.ts';
import type { AccountUsage } from './view.ts';

const secondsPerHour = 3600;
const sprawl: ProjectFindingKind = 'branch_sprawl';

const ofAccount = declareFor<AccountUsage>()(accountLabels);
const ofProjectFinding = declareFor<PricedProjectFinding>()(projectFindingLabels);
const ofFinding = declareFor<PricedFinding>()(endpointFindingLabels);

const bounds = ['likely', 'at_most'] as const;

/** How much could be saved, by the reason why it is spent. */
export const accountFindingFamilies = {
  findings: ofAccount.gaugeBy(
    'dbpm_account_findings',
    'Endpoints that use compute they might not need.',
    ['finding'],
    ({ findings }, emit) => emitByKind(findings, () => 1, emit),
  ),
  computeSecondsPerMonth: ofAccount.gaugeBy(
    'dbpm_account_findings_compute_seconds_per_month',
    'Compute seconds in 30 days that following the findings would likely save.',
    ['finding'],
    ({ findings }, emit) => emitByKind(findings, secondsOf('likely'), emit),
  ),
  computeSecondsBound: ofAccount.gaugeBy(
    'dbpm_account_findings_bound_compute_seconds_per_month',
    'Compute seconds in 30 days that following the findings would save, likely and at most.',
    ['finding', 'bound'],
    ({ findings }, emit) => {
      for (const bound of bounds) emitByKind(findings, secondsOf(bound), emit, bound);
    },
  ),
  costPerMonth: ofAccount.gaugeBy(
    'dbpm_account_findings_cost_per_month',
    'Money that following the findings would likely save in 30 days.',
    ['finding', 'currency'],
    ({ findings, branchFindings, currency }, emit) => {
      if (currency === undefined) return;
      emitByKind(findings, costOf('likely'), emit, currency);
      emit(costOfBranches(branchFindings, 'likely'), sprawl, currency);
    },
  ),
  costBound: ofAccount.gaugeBy(
    'dbpm_account_findings_bound_cost_per_month',
    'Money that following the findings would save in 30 days, likely and at most.',
    ['finding', 'currency', 'bound'],
    ({ findings, branchFindings, currency }, emit) => {
      if (currency === undefined) return;
      for (const bound of bounds) {
        emitByKind(findings, costOf(bound), emit, currency, bound);
        emit(costOfBranches(branchFindings, bound), sprawl, currency, bound);
      }
    },
  ),
};

/** What findings save whose cause is gone. */
export const doneFindingFamilies = {
  doneFindings: ofAccount.gaugeBy(
    'dbpm_account_findings_done',
    'Findings of the last weeks whose cause is gone.',
    ['finding'],
    ({ doneFindings }, emit) => emitByKind(doneFindings, () => 1, emit),
  ),
  doneComputeSecondsPerMonth: ofAccount.gaugeBy(
    'dbpm_account_findings_done_compute_seconds_per_month',
    'Compute seconds in 30 days that are saved since the cause of findings is gone.',
    ['finding'],
    ({ doneFindings }, emit) =>
      emitByKind(doneFindings, done => done.computeHoursPerMonth * secondsPerHour, emit),
  ),
  doneCostPerMonth: ofAccount.gaugeBy(
    'dbpm_account_findings_done_cost_per_month',
    'Money that is saved in 30 days since the cause of findings is gone.',
    ['finding', 'currency'],
    ({ doneFindings, currency }, emit) => {
      if (currency !== undefined)
        emitByKind(doneFindings, ({ costPerMonth = 0 }) => costPerMonth, emit, currency);
    },
  ),
};

export const endpointFindingFamilies = {
  computeSecondsPerMonth: ofFinding.gauge(
    'dbpm_endpoint_finding_compute_seconds_per_month',
    'Compute seconds in 30 days that following the finding would likely save.',
    ({ hoursPerMonth }) => inSeconds(boundOf(hoursPerMonth, 'likely')),
  ),
  computeSecondsBound: ofFinding.gaugeBy(
    'dbpm_endpoint_finding_bound_compute_seconds_per_month',
    'Compute seconds in 30 days that following the finding would save, likely and at most.',
    ['bound'],
    ({ hoursPerMonth }, emit) => {
      for (const bound of bounds) emit(inSeconds(boundOf(hoursPerMonth, bound)), bound);
    },
  ),
  costPerMonth: ofFinding.gaugeBy(
    'dbpm_endpoint_finding_cost_per_month',
    'Money that following the finding besides dearer ones would likely save in 30 days.',
    ['currency'],
    emitLikelyCost,
  ),
  costBound: ofFinding.gaugeBy(
    'dbpm_endpoint_finding_bound_cost_per_month',
    'Money that following the finding besides dearer ones would save in 30 days, likely and at most.',
    ['currency', 'bound'],
    emitCostBounds,
  ),
};

export const projectFindingFamilies = {
  branches: ofProjectFinding.gauge(
    'dbpm_project_finding_branches',
    'Branches of the project besides its root that are unused or have expired, once they are enough for a finding.',
    ({ unusedBranches }) => unusedBranches,
    { isOptional: true },
  ),
  costPerMonth: ofProjectFinding.gaugeBy(
    'dbpm_project_finding_cost_per_month',
    'Money that following the finding would likely save in 30 days.',
    ['currency'],
    emitLikelyCost,
    { isOptional: true },
  ),
  costBound: ofProjectFinding.gaugeBy(
    'dbpm_project_finding_bound_cost_per_month',
    'Money that following the finding would save in 30 days, likely and at most.',
    ['currency', 'bound'],
    emitCostBounds,
    { isOptional: true },
  ),
};

type Bound = (typeof bounds)[number];

function emitLikelyCost({ costPerMonth, currency }: PricedFinding | PricedProjectFinding, emit: Emit): void {
  if (currency !== undefined) emit(boundOf(costPerMonth, 'likely'), currency);
}

function emitCostBounds({ costPerMonth, currency }: PricedFinding | PricedProjectFinding, emit: Emit): void {
  if (currency === undefined) return;
  for (const bound of bounds) emit(boundOf(costPerMonth, bound), currency, bound);
}

function boundOf(saving: Saving | undefined, bound: Bound): number | undefined {
  return bound === 'likely' ? saving?.likely : saving?.most;
}

function inSeconds(hours: number | undefined): number | undefined {
  return hours === undefined ? undefined : hours * secondsPerHour;
}

/** The sum over the findings of each kind; undefined while they are not known. */
function emitByKind<Of extends { readonly kind: string }>(
  findings: readonly Of[] | undefined,
  amountOf: (finding: Of) => number,
  emit: Emit,
  ...labelValues: readonly string[]
): void {
  for (const kind of findingKinds) {
    const sum = findings?.reduce((total, each) => (each.kind === kind ? total + amountOf(each) : total), 0);
    emit(sum, kind, ...labelValues);
  }
}

function secondsOf(bound: Bound) {
  return ({ hoursPerMonth }: PricedFinding) => inSeconds(boundOf(hoursPerMonth, bound)) ?? 0;
}

/** Nothing while the price is not known: the compute seconds still show it. */
function costOf(bound: Bound) {
  return ({ costPerMonth }: PricedFinding) => boundOf(costPerMonth, bound) ?? 0;
}

/** Where there are findings, and the cost of none is known, that of all is not. */
function costOfBranches(
  findings: readonly PricedProjectFinding[] | undefined,
  bound: Bound,
): number | undefined {
  if (findings === undefined) return undefined;
  const known = findings.flatMap(({ costPerMonth }) => costPerMonth ?? []);
  if (known.length === 0 && findings.length > 0) return undefined;
  return known.reduce((sum, cost) => sum + (boundOf(cost, bound) ?? 0), 0);
}
