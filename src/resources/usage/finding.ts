import { declareFor } from '../family.ts';
import { findingKinds, type ProjectFindingKind } from '../finding.ts';
import { accountLabels, endpointFindingLabels, projectFindingLabels } from '../scope-label.ts';
import type { AccountUsage, PricedBranchFinding, PricedDoneFinding, PricedFinding } from './view.ts';

const secondsPerHour = 3600;
const sprawl: ProjectFindingKind = 'branch_sprawl';

const ofAccount = declareFor<AccountUsage>()(accountLabels);
const ofProjectFinding = declareFor<PricedBranchFinding>()(projectFindingLabels);
const ofFinding = declareFor<PricedFinding>()(endpointFindingLabels);

/** How much could be saved, by the reason why it is spent. */
export const accountFindingFamilies = {
  findings: ofAccount.gauge(
    'dbpm_account_findings',
    'Endpoints that use compute they might not need, by the reason.',
    ['finding'],
    ({ findings }, emit) => {
      for (const kind of findingKinds) emit(findings?.filter(finding => finding.kind === kind).length, kind);
    },
  ),
  computeSecondsPerMonth: ofAccount.gauge(
    'dbpm_account_findings_compute_seconds_per_month',
    'Compute seconds in 30 days that following the findings would save, by the reason.',
    ['finding'],
    ({ findings }, emit) => {
      for (const kind of findingKinds) emit(addUp(findings, kind, computeSecondsOf), kind);
    },
  ),
  costPerMonth: ofAccount.gauge(
    'dbpm_account_findings_cost_per_month',
    'Money that following the findings would save in 30 days at the price of now, beyond included hours and minimums, by the reason; absent without a price book.',
    ['finding', 'currency'],
    ({ findings, branchFindings, currency }, emit) => {
      if (currency === undefined) return;
      for (const kind of findingKinds) emit(addUp(findings, kind, costOf), kind, currency);
      emit(costOfBranches(branchFindings), sprawl, currency);
    },
  ),
};

/** What findings save whose cause is gone. */
export const doneFindingFamilies = {
  doneFindings: ofAccount.gauge(
    'dbpm_account_findings_done',
    'Findings of the last weeks whose cause is gone, by the reason.',
    ['finding'],
    ({ doneFindings }, emit) => {
      for (const kind of findingKinds) emit(doneFindings?.filter(done => done.kind === kind).length, kind);
    },
  ),
  doneComputeSecondsPerMonth: ofAccount.gauge(
    'dbpm_account_findings_done_compute_seconds_per_month',
    'Compute seconds in 30 days that are saved since the cause of findings is gone: use before less use since, by the reason.',
    ['finding'],
    ({ doneFindings }, emit) => {
      for (const kind of findingKinds) emit(addUp(doneFindings, kind, computeSecondsOf), kind);
    },
  ),
  doneCostPerMonth: ofAccount.gauge(
    'dbpm_account_findings_done_cost_per_month',
    'Money that is saved in 30 days since the cause of findings is gone, at the price of now, beyond included hours and minimums, by the reason; absent without a price book.',
    ['finding', 'currency'],
    ({ doneFindings, currency }, emit) => {
      if (currency === undefined) return;
      for (const kind of findingKinds) emit(addUp(doneFindings, kind, costOf), kind, currency);
    },
  ),
};

export const endpointFindingFamilies = {
  computeSecondsPerMonth: ofFinding.gauge(
    'dbpm_endpoint_finding_compute_seconds_per_month',
    'Compute seconds in 30 days that following the finding would save.',
    [],
    (finding, emit) => emit(computeSecondsOf(finding)),
  ),
  costPerMonth: ofFinding.gauge(
    'dbpm_endpoint_finding_cost_per_month',
    'Money that following the finding besides dearer ones would save in 30 days at the price of now, beyond included hours and minimums; absent while that is not known.',
    ['currency'],
    ({ costPerMonth, currency }, emit) => {
      if (currency !== undefined) emit(costPerMonth, currency);
    },
  ),
};

export const projectFindingFamilies = {
  branches: ofProjectFinding.gauge(
    'dbpm_project_finding_branches',
    'Branches of the project besides its root that nobody uses, or that have expired, where they are so many that they are a finding.',
    [],
    ({ unusedBranches }, emit) => emit(unusedBranches),
    { isOptional: true },
  ),
  costPerMonth: ofProjectFinding.gauge(
    'dbpm_project_finding_cost_per_month',
    'Money that following the finding would save in 30 days at the price of now, beyond what is included; absent while that is not known.',
    ['currency'],
    ({ costPerMonth, currency }, emit) => {
      if (currency !== undefined) emit(costPerMonth, currency);
    },
    { isOptional: true },
  ),
};

type AnyFinding = PricedFinding | PricedDoneFinding;

function addUp(
  findings: readonly AnyFinding[] | undefined,
  kind: string,
  amountOf: (finding: AnyFinding) => number,
): number | undefined {
  return findings?.reduce((sum, finding) => (finding.kind === kind ? sum + amountOf(finding) : sum), 0);
}

function computeSecondsOf({ computeHoursPerMonth }: AnyFinding): number {
  return computeHoursPerMonth * secondsPerHour;
}

/** Nothing while the price is not known: the compute seconds still show it. */
function costOf({ costPerMonth = 0 }: AnyFinding): number {
  return costPerMonth;
}

/** Where there are findings, and the cost of none is known, that of all is not. */
function costOfBranches(findings: readonly PricedBranchFinding[] | undefined): number | undefined {
  if (findings === undefined) return undefined;
  const known = findings.flatMap(({ costPerMonth }) => costPerMonth ?? []);
  return known.length === 0 && findings.length > 0 ? undefined : known.reduce((sum, cost) => sum + cost, 0);
}
