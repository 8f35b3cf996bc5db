import { accountLabels, declareFor } from '../family.ts';
import type { AccountUsage, ForecastBounds } from './view.ts';

const bounds = ['expected', 'low80', 'high80', 'low95', 'high95'] as const satisfies (keyof ForecastBounds)[];

const { gauge, gaugeBy } = declareFor<AccountUsage>()(accountLabels);

/** The forecast of the billing period, and how far such forecasts can be trusted. */
export const forecastFamilies = {
  computeSeconds: gaugeBy(
    'dbpm_account_forecast_compute_seconds',
    'Compute seconds the whole billing period is expected to come to, with bounds that 80% and 95% of periods come out within.',
    ['bound'],
    ({ forecast }, emit) => {
      for (const bound of bounds) emit(forecast?.computeSeconds[bound], bound);
    },
  ),
  cost: gaugeBy(
    'dbpm_account_forecast_cost',
    'What the whole billing period is expected to cost with all charges, and the same bounds.',
    ['currency', 'bound'],
    ({ forecast, currency }, emit) => {
      if (currency !== undefined) for (const bound of bounds) emit(forecast?.cost?.[bound], currency, bound);
    },
  ),
  errorRatio: gaugeBy(
    'dbpm_account_forecast_error_ratio',
    'How wrong forecasts of past periods were on average, as a part of what they came to: by the method in use, and by a straight line (run_rate).',
    ['method'],
    ({ forecast }, emit) => {
      emit(forecast?.quality?.meanError, 'forecast');
      emit(forecast?.quality?.runRateMeanError, 'run_rate');
    },
  ),
  coverageRatio: gauge(
    'dbpm_account_forecast_coverage_ratio',
    'Part of the past periods that came out within the 80% bounds forecast for them: near 0.8 when they are honest.',
    ({ forecast }) => forecast?.quality?.coverage80,
  ),
};
