import { accountLabels, declareFor, projectLabels } from '../family.ts';
import {
  type AccountUsage,
  type AwakeDrift,
  awakeLikelyWrong,
  type LedgerDrift,
  likelyWrong,
  type Reconstruction,
} from './view.ts';

const inAccount = declareFor<AccountUsage>()(accountLabels);

/** Whether the service's meter agrees with the counters it reports, and both with the time endpoints were awake. */
export const accountLedgerFamilies = {
  ledgerComputeSeconds: inAccount.gaugeBy(
    'dbpm_account_ledger_compute_seconds',
    'Compute seconds in the last whole day of UTC by each ledger: the meter of the service, and the counters it reports.',
    ['ledger'],
    ({ ledgers }, emit) => {
      emit(ledgers?.meteredComputeSeconds, 'metered');
      emit(ledgers?.reportedComputeSeconds, 'reported');
    },
    { isOptional: true, fedBy: ['consumption'] },
  ),
  ledgerDriftProjects: inAccount.gaugeBy(
    'dbpm_account_ledger_drift_projects',
    'Projects whose ledgers are more than a tenth and an hour apart in the same day, by the ledger that is likely wrong.',
    ['likely_wrong'],
    ({ ledgers, awakeDrifts }, emit) => {
      const count = (drifts: readonly { readonly likelyWrong: string }[] | undefined, wrong: string) =>
        emit(drifts?.filter(drift => drift.likelyWrong === wrong).length, wrong);
      for (const wrong of likelyWrong) count(ledgers?.drifting, wrong);
      for (const wrong of awakeLikelyWrong) count(awakeDrifts, wrong);
    },
    { isOptional: true, fedBy: ['consumption', 'endpoints'] },
  ),
};

const inProject = declareFor<LedgerDrift>()(projectLabels);

/** By how much the two are apart, of projects where that is much. */
export const projectLedgerFamilies = {
  ledgerDriftComputeSeconds: inProject.gaugeBy(
    'dbpm_project_ledger_drift_compute_seconds',
    'Reported minus metered compute seconds, in the last day of UTC. Absent while they agree.',
    ['likely_wrong'],
    ({ driftComputeSeconds, likelyWrong: wrong }, emit) => emit(driftComputeSeconds, wrong),
    { isOptional: true },
  ),
};

const inAwakeProject = declareFor<AwakeDrift>()(projectLabels);

/** By how much the awake times are apart, of projects where that is much. */
export const projectAwakeFamilies = {
  ledgerDriftAwakeSeconds: inAwakeProject.gaugeBy(
    'dbpm_project_ledger_drift_awake_seconds',
    'Awake time by active_time minus awake time by endpoints and operations, in the last day. Absent while they agree.',
    ['likely_wrong'],
    ({ driftSeconds, likelyWrong: wrong }, emit) => emit(driftSeconds, wrong),
    { isOptional: true },
  ),
};

const { gauge, gaugeBy } = declareFor<AccountUsage>()(accountLabels);

/** Whether the two ledgers of use agree: what the counters say, and what endpoints were awake for. */
export const reconstructionFamilies = {
  reportedComputeSeconds: gauge(
    'dbpm_account_reported_compute_seconds',
    'Compute seconds by the counters of the service, in the last day that is known of all endpoints.',
    ({ reconstruction }) => reconstruction?.reportedComputeSeconds,
  ),
  reconstructedComputeSeconds: gaugeBy(
    'dbpm_account_reconstructed_compute_seconds',
    'The least (lower) and the most (upper) compute seconds endpoints can have used in the same day, by when they were awake and their sizes.',
    ['bound'],
    ({ reconstruction }, emit) => {
      emit(reconstruction?.lowerComputeSeconds, 'lower');
      emit(reconstruction?.upperComputeSeconds, 'upper');
    },
  ),
  driftRatio: gauge(
    'dbpm_account_usage_drift_ratio',
    'Reported compute seconds over the nearest bound of what can have been used: 1 within the bounds, more where too much is reported, less where too little is.',
    ({ reconstruction }) => reconstruction && findDrift(reconstruction),
  ),
};

/** Undefined where something is reported although nothing was awake: it is no multiple of nothing. */
function findDrift(found: Reconstruction): number | undefined {
  const { reportedComputeSeconds, lowerComputeSeconds, upperComputeSeconds } = found;
  if (reportedComputeSeconds > upperComputeSeconds)
    return upperComputeSeconds > 0 ? reportedComputeSeconds / upperComputeSeconds : undefined;
  return reportedComputeSeconds < lowerComputeSeconds ? reportedComputeSeconds / lowerComputeSeconds : 1;
}
