import { declareFor } from '../family.ts';
import { accountLabels, projectLabels } from '../scope-label.ts';
import { type AccountUsage, type LedgerDrift, likelyWrong } from './view.ts';

const inAccount = declareFor<AccountUsage>()(accountLabels);

/** Whether the service's meter agrees with the counters it reports. */
export const accountLedgerFamilies = {
  ledgerComputeSeconds: inAccount.gauge(
    'dbpm_account_ledger_compute_seconds',
    'Compute seconds by each ledger, in the last day of UTC that both tell wholly: by the meter of the service, and by the counters it reports.',
    ['ledger'],
    ({ ledgers }, emit) => {
      emit(ledgers?.meteredComputeSeconds, 'metered');
      emit(ledgers?.reportedComputeSeconds, 'reported');
    },
    { isOptional: true },
  ),
  ledgerDriftProjects: inAccount.gauge(
    'dbpm_account_ledger_drift_projects',
    'Projects whose meter and counters are more than a tenth and a compute hour apart in the same day, by which of the two is likely wrong: the one that the time endpoints were awake speaks against.',
    ['likely_wrong'],
    ({ ledgers }, emit) => {
      if (ledgers === undefined) return;
      for (const wrong of likelyWrong) {
        emit(ledgers.drifting.filter(drift => drift.likelyWrong === wrong).length, wrong);
      }
    },
    { isOptional: true },
  ),
};

const inProject = declareFor<LedgerDrift>()(projectLabels);

/** By how much the two are apart, of projects where that is much. */
export const projectLedgerFamilies = {
  ledgerDriftComputeSeconds: inProject.gauge(
    'dbpm_project_ledger_drift_compute_seconds',
    'Compute seconds that the service reports more than it meters, below 0 where it reports less, in the last day of UTC that both tell; absent while they agree.',
    ['likely_wrong'],
    ({ driftComputeSeconds, likelyWrong: wrong }, emit) => emit(driftComputeSeconds, wrong),
    { isOptional: true },
  ),
};
