import { declareFor } from '../family.ts';
import { accountLabels } from '../scope-label.ts';
import type { AccountUsage, Reconstruction } from './view.ts';

const { gauge } = declareFor<AccountUsage>()(accountLabels);

/** Whether the two ledgers of use agree: what the counters say, and what endpoints were awake for. */
export const reconstructionFamilies = {
  reportedComputeSeconds: gauge(
    'dbpm_account_reported_compute_seconds',
    'Compute seconds by the counters of the service, in the last day that is known of all endpoints.',
    [],
    ({ reconstruction }, emit) => emit(reconstruction?.reportedComputeSeconds),
  ),
  reconstructedComputeSeconds: gauge(
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
    'Reported compute seconds over the nearest bound of what can have been used: 1 within the bounds, above 1 where more is reported than can have been used, below where less is.',
    [],
    ({ reconstruction }, emit) => emit(reconstruction && findDrift(reconstruction)),
  ),
};

/** Undefined where something is reported although nothing was awake: it is no multiple of nothing. */
function findDrift(found: Reconstruction): number | undefined {
  const { reportedComputeSeconds, lowerComputeSeconds, upperComputeSeconds } = found;
  if (reportedComputeSeconds > upperComputeSeconds)
    return upperComputeSeconds > 0 ? reportedComputeSeconds / upperComputeSeconds : undefined;
  return reportedComputeSeconds < lowerComputeSeconds ? reportedComputeSeconds / lowerComputeSeconds : 1;
}
