import { billingCalendar } from '../cost/calendar/billing-calendar.ts';
import type { Period } from '../cost/calendar/calendar.ts';
import { forecastMetered } from '../cost/forecast/metered-forecast.ts';
import { rollMeter } from '../cost/forecast/metered-past.ts';
import { currencyDecimals, showAmount } from '../cost/money/money.ts';
import { emptyPriceBook } from '../cost/price/empty-price-book.ts';
import { unitOf, writeQuantity } from '../cost/price/metered-tariff.ts';
import { sumLines } from '../cost/rating/cost-line.ts';
import { secondsPerHour } from '../resources/duration.ts';
import { thingNames } from '../resources/price-book.ts';
import type { UsageProject } from '../resources/usage/ledger.ts';
import type { ForecastBounds } from '../resources/usage/view.ts';
import { isInReport } from './chosen-project.ts';
import type { ReportContent, ReportSubject } from './content.ts';
import { describeUnknown, reasonForNone } from './format/cost-text.ts';
import { hourDecimals, showHourTotal } from './format/hour-text.ts';
import { type Cell, column, notKnown, type TypedColumn, tabulate } from './format/report.ts';
import { showInstant } from './format/shown-cell.ts';
import { forecastMembers } from './row/member-forecast.ts';
import { priceUse } from './row/scoped-cost.ts';

/** The title of the bounds that people see. */
export function boundTitle(key: string): { readonly title?: string } {
  return key.endsWith('80') ? { title: `${key.slice(0, -2)} (4 in 5)` } : {};
}

/** What bounds of forecasts mean. */
export const boundNote =
  ' Four periods in five come out within low and high (4 in 5); in files these are low80 and high80, and nineteen in twenty come out within low95 and high95.';

/** The forecast of one quantity as it is shown. */
export interface ForecastRow {
  readonly what: Cell;
  readonly unit: string;
  readonly soFar: Cell;
  readonly bounds: Readonly<Record<keyof ForecastBounds, Cell>>;
}

/** The columns of the forecast of one project. */
export const forecastColumns = [
  column('what', 'text', 'What is forecast.', row => row.what),
  column('unit', 'text', 'Its currency or unit.', row => row.unit),
  column('so_far', 'decimal', 'How much it is until now.', row => row.soFar),
  ...(
    [
      ['expected', 'How much is expected by the end of the billing period.'],
      ['low80', 'The least in four periods of five.'],
      ['high80', 'The most in four periods of five.'],
      ['low95', 'The least in nineteen periods of twenty.'],
      ['high95', 'The most in nineteen periods of twenty.'],
    ] as const
  ).map(([key, about]): TypedColumn<ForecastRow, typeof key, 'decimal'> => {
    return { key, kind: 'decimal', ...boundTitle(key), about, of: ({ bounds }) => bounds[key] };
  }),
] satisfies readonly TypedColumn<ForecastRow>[];

/** The report of how the billing period of a project ends: its cost, its compute hours, and what it is metered. */
export function reportForecast(subject: ReportSubject): ReportContent {
  const { request, history } = subject;
  const { pricing: book } = request.config;
  const whole = billingCalendar((book ?? emptyPriceBook).billingPeriod)(request.span.fromAt);
  const isMeant = (project: UsageProject) => isInReport(request, project);
  const members = history.usage.projects.filter(isMeant);
  const costing = priceUse(subject, book ?? emptyPriceBook);
  const used = sumLines(costing.usageLines(request.span, isMeant));
  const forecast = forecastMembers(subject, { whole, costing, ...(book && { book }) }, members);
  const show = (decimals: number) => (amount: number) => amount.toFixed(decimals);
  const rows: ForecastRow[] = [];
  if (book !== undefined) {
    const decimals = currencyDecimals(book.displayCurrency);
    const none = reasonForNone([used]);
    rows.push({
      ...{ what: 'cost', unit: book.displayCurrency, soFar: none ?? showAmount(used.amount, decimals) },
      bounds: none === undefined ? showBounds(forecast?.cost, show(decimals)) : boundsOf(() => none),
    });
  }
  const inHours = (seconds: number) => (seconds / secondsPerHour).toFixed(hourDecimals);
  rows.push({
    what: { text: 'compute_hours', words: 'compute hours' },
    ...{
      unit: 'hour',
      soFar: showHourTotal([used.usedCuMs]),
      bounds: showBounds(forecast?.compute, inHours),
    },
  });
  return {
    title: 'Forecast of the billing period',
    ...(book && { currency: book.displayCurrency }),
    ...tabulate(forecastColumns, [...rows, ...listMetered(subject, members, whole)]),
    notes: [
      ...describeForecast(subject, whole, forecast !== undefined, boundNote),
      ...(book ? describeUnknown([{ sum: used }]) : []),
    ],
    gaps: [],
  };
}

/** A forecast as cells, each as its amount is written. */
export function showBounds(
  forecast: ForecastBounds | undefined,
  show: (amount: number) => string,
): ForecastRow['bounds'] {
  return boundsOf(bound => (forecast === undefined ? notKnown : show(forecast[bound])));
}

function boundsOf(cellOf: (bound: keyof ForecastBounds) => Cell): ForecastRow['bounds'] {
  return {
    expected: cellOf('expected'),
    ...{ low80: cellOf('low80'), high80: cellOf('high80') },
    ...{ low95: cellOf('low95'), high95: cellOf('high95') },
  };
}

function listMetered(
  { history: { usage }, request }: ReportSubject,
  members: readonly UsageProject[],
  whole: Period,
): readonly ForecastRow[] {
  if (usage.metered === undefined) return [];
  const past = rollMeter(usage.metered, members);
  return forecastMetered(usage, members, past, whole).map(forecast => {
    const unit = unitOf(forecast.metric, request.config.pricing?.meter);
    const show = (amount: number) => writeQuantity(amount, unit);
    const what = { text: forecast.metric, words: thingNames[forecast.metric] };
    return { what, unit: unit.name, soFar: show(forecast.used), bounds: showBounds(forecast, show) };
  });
}

/** Sentences on the meaning of forecasts of projects. */
export function describeForecast(
  { request }: ReportSubject,
  { untilAt }: Period,
  isKnown: boolean,
  more = '',
): readonly string[] {
  const { pricing } = request.config;
  return [
    isKnown
      ? `Expected is the whole period, which ends at ${showInstant(untilAt, 'UTC')} UTC.${more}`
      : 'There is no forecast: it needs two days of history.',
    ...(pricing === undefined
      ? []
      : ['Base fees, minimums and other charges are of the account, and not in the cost of a project.']),
  ];
}
