import { billingCalendar } from '../cost/calendar/billing-calendar.ts';
import { calendarMonths } from '../cost/calendar/billing-name.ts';
import { currencyDecimals } from '../cost/money/money.ts';
import { unitOf, writeQuantity } from '../cost/price/metered-tariff.ts';
import { secondsPerHour } from '../resources/duration.ts';
import { type MeterRules, thingNames } from '../resources/price-book.ts';
import type { ShownUsage } from '../resources/usage/view.ts';
import type { ReportContent, TableSubject } from './content.ts';
import { boundNote, type ForecastRow, forecastColumns, showBounds } from './forecast.ts';
import { hourDecimals } from './format/hour-text.ts';
import { tabulate } from './format/report.ts';
import { showInstant } from './format/shown-cell.ts';
import type { ScopedRow } from './row/scope.ts';

type AccountRow = ForecastRow & ScopedRow;

/** Stands where the daemon has not analyzed its history yet. */
export const notAnalyzed = 'Budgets and forecasts are not worked out yet: ask again in a minute.';

/** The report of how the billing period of each account ends: its cost, its compute hours, and what it is metered. */
export function reportAccountForecasts({ viewUsage, rule, request, history }: TableSubject): ReportContent {
  const { pricing } = request.config;
  const view = viewUsage();
  const accounts = (view?.accounts ?? []).filter(({ account }) => history.accounts.includes(account));
  const { untilAt } = billingCalendar(pricing?.billingPeriod ?? calendarMonths)(request.span.fromAt);
  const isKnown = accounts.some(({ forecast }) => forecast !== undefined);
  return {
    title: 'Forecast of the billing period by account',
    ...(pricing && { currency: pricing.displayCurrency }),
    ...tabulate<AccountRow>(
      [...rule.columns, ...forecastColumns],
      accounts.flatMap(account => rowsOf(account, pricing?.meter)),
    ),
    notes: isKnown
      ? [`Expected is the whole period, which ends at ${showInstant(untilAt, 'UTC')} UTC.${boundNote}`]
      : ['There is no forecast: it needs two days of history.'],
    gaps: [...(view === undefined ? [notAnalyzed] : []), ...accounts.flatMap(describeUnpriced)],
  };
}

type ShownAccount = ShownUsage['accounts'][number];

function rowsOf(usage: ShownAccount, rules: MeterRules | undefined): AccountRow[] {
  const { account, cost, currency, computeSeconds, forecast } = usage;
  const scope = { key: account, cells: { account } };
  const inMoney = (amount: number) => amount.toFixed(currencyDecimals(currency ?? ''));
  const inHours = (seconds: number) => (seconds / secondsPerHour).toFixed(hourDecimals);
  const metered = (forecast?.metered ?? []).map((bounds): AccountRow => {
    const unit = unitOf(bounds.metric, rules);
    const show = (amount: number) => writeQuantity(amount, unit);
    const what = { text: bounds.metric, words: thingNames[bounds.metric] };
    return { scope, what, unit: unit.name, soFar: show(bounds.used), bounds: showBounds(bounds, show) };
  });
  return [
    ...(cost === undefined || currency === undefined
      ? []
      : [
          {
            ...{ scope, what: 'cost', unit: currency, soFar: inMoney(cost) },
            bounds: showBounds(forecast?.cost, inMoney),
          },
        ]),
    {
      ...{ scope, what: { text: 'compute_hours', words: 'compute hours' }, unit: '' },
      ...{ soFar: inHours(computeSeconds), bounds: showBounds(forecast?.computeSeconds, inHours) },
    },
    ...metered,
  ];
}

function describeUnpriced({ account, unpricedComputeSeconds = 0 }: ShownAccount): string[] {
  const hours = (unpricedComputeSeconds / secondsPerHour).toFixed(hourDecimals);
  return unpricedComputeSeconds > 0
    ? [`${hours} compute hours of account ${account} are unpriced, and the cost is without them.`]
    : [];
}
