import { declareFor } from '../family.ts';
import { accountLabels, projectLabels } from '../scope-label.ts';
import {
  type AccountUsage,
  type AwakeDrift,
  awakeLikelyWrong,
  type LedgerDrift,
  likelyWrong,
} from './view.ts';

const inAccount = declareFor<AccountUsage>()(accountLabels);

/** Whether the service's meter agrees with the counters it reports, and both with the time endpoints were awake. */
export const accountLedgerFamilies = {
  ledgerComputeSeconds: inAccount.gauge(
    'dbpm_account_ledger_compute_seconds',
    'Compute seconds by each ledger, in the last day of UTC that both tell wholly: by the meter of the service, and by the counters it reports.',
    ['ledger'],
    ({ ledgers }, emit) => {
      emit(ledgers?.meteredComputeSeconds, 'metered');
      emit(ledgers?.reportedComputeSeconds, 'reported');
    },
    { isOptional: true, fedBy: ['consumption'] },
  ),
  ledgerDriftProjects: inAccount.gauge(
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
  ledgerDriftComputeSeconds: inProject.gauge(
    'dbpm_project_ledger_drift_compute_seconds',
    'Reported minus metered compute seconds, in the last day of UTC that both tell. Absent while they agree.',
    ['likely_wrong'],
    ({ driftComputeSeconds, likelyWrong: wrong }, emit) => emit(driftComputeSeconds, wrong),
    { isOptional: true },
  ),
};

const inAwakeProject = declareFor<AwakeDrift>()(projectLabels);

/** By how much the awake times are apart, of projects where that is much. */
export const projectAwakeFamilies = {
  ledgerDriftAwakeSeconds: inAwakeProject.gauge(
    'dbpm_project_ledger_drift_awake_seconds',
    'Awake time by active_time minus awake time by endpoints and operations, in the last day that both tell. Absent while they agree.',
    ['likely_wrong'],
    ({ driftSeconds, likelyWrong: wrong }, emit) => emit(driftSeconds, wrong),
    { isOptional: true },
  ),
};
