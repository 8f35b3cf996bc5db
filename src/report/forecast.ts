import { billingCalendar } from '../cost/calendar/billing-calendar.ts';
import type { Period } from '../cost/calendar/calendar.ts';
import { forecastMetered } from '../cost/forecast/metered-forecast.ts';
import { rollMeter } from '../cost/forecast/metered-past.ts';
import { currencyDecimals, showAmount } from '../cost/money/money.ts';
import { emptyPriceBook } from '../cost/price/empty-price-book.ts';
import { unitOf, writeQuantity } from '../cost/price/metered-tariff.ts';
import { sumLines } from '../cost/rating/cost-line.ts';
import { secondMs } from '../resources/duration.ts';
import { type MeterRules, type PriceBook, thingNames } from '../resources/price-book.ts';
import type { UsageProject } from '../resources/usage/ledger.ts';
import type { ForecastBounds, MeteredForecast, ShownUsage } from '../resources/usage/view.ts';
import { isInReport } from './chosen-project.ts';
import type { ReportContent, ReportSubject } from './content.ts';
import { describeUnknown, reasonForNone } from './format/cost-text.ts';
import { inHours, showHourTotal } from './format/hour-text.ts';
import { type Cell, column, notKnown, type TypedColumn, tabulate } from './format/report.ts';
import { showEdge } from './format/shown-cell.ts';
import { findAcceptedUse } from './money-note.ts';
import { forecastMembers } from './row/member-forecast.ts';
import type { ScopedRow } from './row/scope.ts';
import { priceUse } from './row/scoped-cost.ts';
import { soFarUntil } from './usage-view/account.ts';

/** The bounds of a forecast. */
export const boundAbouts = [
  ['low80', 'The least in four periods of five.'],
  ['high80', 'The most in four periods of five.'],
  ['low95', 'The least in nineteen periods of twenty.'],
  ['high95', 'The most in nineteen periods of twenty.'],
] as const satisfies readonly (readonly [keyof ForecastBounds, string])[];

/** The title of the bounds that people see. */
export function boundTitle(key: string): { readonly title?: string } {
  return key.endsWith('80') ? { title: `${key.slice(0, -2)} (4 in 5)` } : {};
}

/** What bounds of forecasts mean. */
export const boundNote =
  ' Four periods in five come out within low and high (4 in 5); in files these are low80 and high80, and nineteen in twenty come out within low95 and high95.';

/** The forecast of one quantity as it is shown. */
interface ForecastRow {
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
  ...([['expected', 'How much is expected by the end of the billing period.'], ...boundAbouts] as const).map(
    ([key, about]): TypedColumn<ForecastRow, typeof key, 'decimal'> => {
      return { key, kind: 'decimal', ...boundTitle(key), about, of: ({ bounds }) => bounds[key] };
    },
  ),
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
  const accepted = book && findAcceptedUse(subject, book);
  const rows: ForecastRow[] = [];
  if (book !== undefined) {
    const decimals = currencyDecimals(book.displayCurrency);
    const none = reasonForNone([used]);
    rows.push({
      ...{ what: 'cost', unit: book.displayCurrency, soFar: none ?? showAmount(used.amount, decimals) },
      bounds: showBounds(forecast?.cost, amount => none ?? amount.toFixed(decimals), none),
    });
  }
  const { metered } = history.usage;
  const past = metered && rollMeter(metered, members);
  rows.push(
    computeRow(showHourTotal([used.usedCuMs]), forecast?.compute),
    ...meteredRows(past && forecastMetered(history.usage, members, past, whole), book?.meter),
  );
  return {
    title: 'Forecast of the billing period',
    ...(book && { currency: book.displayCurrency }),
    ...tabulate(forecastColumns, rows),
    notes: [
      ...describeForecast(subject, whole, forecast !== undefined, boundNote),
      ...(accepted?.notes ?? []),
    ],
    gaps: accepted ? describeUnknown([used], accepted.cuMs) : [],
  };
}

/** Stands where the daemon has not analyzed its history yet. */
export const notAnalyzed = 'Budgets and forecasts are not worked out yet: ask again in a minute.';

type AccountRow = ForecastRow & ScopedRow;

/** The report of how the billing period of each account ends: its cost, its compute hours, and what it is metered. */
export function reportAccountForecasts(subject: ReportSubject): ReportContent {
  const { worked, rule, request, history } = subject;
  const { pricing } = request.config;
  const view = worked.view(history, request.now);
  const accounts = (view?.accounts ?? []).filter(({ account }) => history.accounts.includes(account));
  const { untilAt } = billingCalendar((pricing ?? emptyPriceBook).billingPeriod)(request.span.fromAt);
  const isKnown = accounts.some(({ forecast }) => forecast !== undefined);
  const unpriced = pricing ? accounts.map(account => describeUnpriced(subject, pricing, account)) : [];
  return {
    title: 'Forecast of the billing period by account',
    ...(pricing && { currency: pricing.displayCurrency }),
    ...tabulate<AccountRow>(
      [...rule.columns, ...forecastColumns],
      accounts.flatMap(account => rowsOf(account, pricing?.meter)),
    ),
    notes: [describeEnd(untilAt, isKnown, boundNote), ...unpriced.flatMap(({ notes }) => notes)],
    gaps: [...(view === undefined ? [notAnalyzed] : []), ...unpriced.flatMap(({ gaps }) => gaps)],
  };
}

type ShownAccount = ShownUsage['accounts'][number];

function rowsOf(usage: ShownAccount, rules: MeterRules | undefined): AccountRow[] {
  const { account, cost, currency, computeSeconds, forecast } = usage;
  const rows: ForecastRow[] = [];
  if (cost !== undefined && currency !== undefined) {
    const inMoney = (amount: number) => amount.toFixed(currencyDecimals(currency));
    rows.push({
      ...{ what: 'cost', unit: currency, soFar: inMoney(cost), bounds: showBounds(forecast?.cost, inMoney) },
    });
  }
  rows.push(
    computeRow(inHours(computeSeconds), forecast?.computeSeconds),
    ...meteredRows(forecast?.metered, rules),
  );
  return rows.map(row => ({ scope: { key: account, cells: { account } }, ...row }));
}

function describeUnpriced(
  subject: ReportSubject,
  book: PriceBook,
  usage: ShownAccount,
): Pick<ReportContent, 'notes' | 'gaps'> {
  const { account, period, unpricedComputeSeconds = 0 } = usage;
  const isMeant = (project: UsageProject) => project.account === account;
  const soFar = { fromAt: period.fromAt, untilAt: soFarUntil(usage) };
  const accepted = findAcceptedUse(subject, book, isMeant, [soFar]);
  const seconds = unpricedComputeSeconds - accepted.cuMs / secondMs;
  const unpriced = `${inHours(seconds)} compute hours of account ${account} are unpriced, and the cost is without them.`;
  return {
    notes: accepted.notes.map(sentence => `Account ${account}: ${sentence}`),
    gaps: Math.round(seconds * secondMs) > 0 ? [unpriced] : [],
  };
}

function computeRow(soFar: Cell, forecast: ForecastBounds | undefined): ForecastRow {
  const what = { text: 'compute_hours', words: 'compute hours' };
  return { what, unit: 'hour', soFar, bounds: showBounds(forecast, inHours) };
}

function meteredRows(
  forecasts: readonly MeteredForecast[] = [],
  rules: MeterRules | undefined,
): readonly ForecastRow[] {
  return forecasts.map(forecast => {
    const unit = unitOf(forecast.metric, rules);
    const show = (amount: number) => writeQuantity(amount, unit);
    const what = { text: forecast.metric, words: thingNames[forecast.metric] };
    return { what, unit: unit.name, soFar: show(forecast.used), bounds: showBounds(forecast, show) };
  });
}

/** A forecast as cells, each as its amount is written. */
function showBounds(
  forecast: ForecastBounds | undefined,
  show: (amount: number) => Cell,
  none: Cell = notKnown,
): ForecastRow['bounds'] {
  const cellOf = (bound: keyof ForecastBounds) => (forecast === undefined ? none : show(forecast[bound]));
  return {
    expected: cellOf('expected'),
    ...{ low80: cellOf('low80'), high80: cellOf('high80') },
    ...{ low95: cellOf('low95'), high95: cellOf('high95') },
  };
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
    describeEnd(untilAt, isKnown, more),
    ...(pricing === undefined
      ? []
      : ['Base fees, minimums and other charges are of the account, and not in the cost of a project.']),
  ];
}

function describeEnd(untilAt: number, isKnown: boolean, more: string): string {
  return isKnown
    ? `Expected is the whole period, which is until ${showEdge(untilAt, 'UTC', 'last')} (UTC).${more}`
    : 'There is no forecast: it needs two days of history.';
}
