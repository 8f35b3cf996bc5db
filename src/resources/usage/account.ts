import { accountLabels, declareFor, seconds } from '../family.ts';
import { emitCost, emitLines } from './line-cost.ts';
import type { AccountUsage } from './view.ts';

const { gauge, gaugeBy, counter, counterBy } = declareFor<AccountUsage>()(accountLabels);

/** Usage and cost of an account, ever and in the billing period. */
export const accountUsageFamilies = {
  cost: counterBy(
    'dbpm_account_cost_total',
    'Cost of all compute ever seen that has a price, each stretch of time at the prices of then.',
    ['currency'],
    ({ costTotal, currency }, emit) => {
      if (currency !== undefined) emit(costTotal, currency);
    },
  ),
  unpricedComputeSeconds: counter(
    'dbpm_account_unpriced_compute_seconds_total',
    'Compute seconds ever seen that have no price, or a price without an exchange rate; they are in no cost.',
    ({ unpricedComputeSecondsTotal }) => unpricedComputeSecondsTotal,
  ),
  usageKnownTimestamp: gauge(
    'dbpm_account_usage_known_timestamp_seconds',
    'Until when the use of the account is known.',
    ({ knownUntilAt }) => seconds(knownUntilAt),
  ),
  periodStartTimestamp: gauge(
    'dbpm_account_period_start_timestamp_seconds',
    'When the billing period began; a month of UTC without a price book.',
    ({ period }) => seconds(period.fromAt),
  ),
  periodEndTimestamp: gauge(
    'dbpm_account_period_end_timestamp_seconds',
    'When the billing period ends and the next one begins.',
    ({ period }) => seconds(period.untilAt),
  ),
  periodComputeSeconds: gauge(
    'dbpm_account_period_compute_seconds',
    'Compute seconds used since the billing period began.',
    ({ computeSeconds }) => computeSeconds,
  ),
  unattributedComputeSeconds: gauge(
    'dbpm_account_unplaced_compute_seconds',
    'Compute seconds from before projects were first read that are in no figure: their operations are still to be imported, or do not tell when it was.',
    ({ unattributedComputeSeconds }) => unattributedComputeSeconds,
  ),
  periodCost: gaugeBy(
    'dbpm_account_period_cost',
    'Cost since the billing period began, with the charges that are known so far, such as base fees.',
    ['currency'],
    emitCost,
  ),
  periodLineCost: gaugeBy(
    'dbpm_account_period_line_cost',
    'Cost in this billing period by line of the bill.',
    ['currency', 'line'],
    emitLines,
    { isOptional: true },
  ),
  periodUnpricedComputeSeconds: gauge(
    'dbpm_account_period_unpriced_compute_seconds',
    'Compute seconds used since the billing period began that have no price, or a price without an exchange rate.',
    ({ unpricedComputeSeconds }) => unpricedComputeSeconds,
  ),
};
