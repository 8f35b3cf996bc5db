import { billingCalendar } from '../cost/calendar/billing-calendar.ts';
import { compareAmounts, currencyDecimals, noAmount, showAmount } from '../cost/money/money.ts';
import { emptyPriceBook } from '../cost/price/empty-price-book.ts';
import { type CostSum, sumLines, sumLinesBy } from '../cost/rating/cost-line.ts';
import { isInReport } from './chosen-project.ts';
import { type ReportContent, type ReportSubject, titleOf } from './content.ts';
import { describeForecast } from './forecast.ts';
import { describeUnknown, reasonForNone } from './format/cost-text.ts';
import { inHours, showHourTotal } from './format/hour-text.ts';
import { type Cell, column, notKnown, type TypedColumn, tabulate } from './format/report.ts';
import { findAcceptedUse } from './money-note.ts';
import { type ProjectForecast, ProjectForecasts } from './row/project-forecast.ts';
import type { RowScope, ScopedRow } from './row/scope.ts';
import { priceUse } from './row/scoped-cost.ts';

/** The forecast of a project as it is shown. */
interface ForecastRow extends ScopedRow {
  readonly costSoFar: Cell;
  readonly expectedCost: Cell;
  readonly hoursSoFar: Cell;
  readonly expectedHours: Cell;
}

const costColumns = [
  column('cost_so_far', 'decimal', 'What the billing period cost until now.', row => row.costSoFar),
  column('expected_cost', 'decimal', 'What the whole billing period will cost.', row => row.expectedCost),
] satisfies readonly TypedColumn<ForecastRow>[];
const hourColumns = [
  column('compute_hours_so_far', 'decimal', 'Compute hours that were used until now.', row => row.hoursSoFar),
  column(
    'expected_compute_hours',
    'decimal',
    'Compute hours of the whole billing period.',
    row => row.expectedHours,
  ),
] satisfies readonly TypedColumn<ForecastRow>[];

/** The columns of the forecasts of all projects. */
export const forecastListColumns = [...costColumns, ...hourColumns];

const sumNote =
  'Forecasts of projects do not add up to that of their account, which has charges, and projects that are still to come.';

const nothingUsed = sumLines([]);

interface Expected {
  readonly scope: RowScope;
  readonly used: CostSum;
  readonly forecast: ProjectForecast | undefined;
}

/** The report of how the billing period of each project ends, the dearest first; projects that will use nothing have no row. */
export function listForecasts(subject: ReportSubject): ReportContent {
  const { request, history, rule } = subject;
  const { pricing: book } = request.config;
  const usedBook = book ?? emptyPriceBook;
  const whole = billingCalendar(usedBook.billingPeriod)(request.span.fromAt);
  const costing = priceUse(subject, usedBook);
  const used = sumLinesBy(costing.usageLines(request.span), ({ project }) => project?.project_ref);
  const forecasts = new ProjectForecasts(subject, { whole, costing, ...(book && { book }) });
  const projects = history.usage.projects.filter(project => isInReport(request, project));
  const found = projects.map((project, index): Expected => {
    subject.onProgress(index / projects.length);
    return {
      scope: rule.scopeOf(project),
      used: used.get(project.project_ref) ?? nothingUsed,
      forecast: forecasts.expect(project),
    };
  });
  const shown = found.filter(isAnything).sort(dearestFirst);
  const decimals = currencyDecimals(usedBook.displayCurrency);
  const accepted = book && findAcceptedUse(subject, book);
  return {
    title: titleOf('Forecast of the billing period', request),
    ...(book && { currency: book.displayCurrency }),
    ...tabulate<ForecastRow>(
      [...rule.columns, ...(book ? costColumns : []), ...hourColumns],
      shown.map(({ scope, used, forecast }) => ({
        scope,
        ...showCosts(used, forecast?.cost, decimals),
        hoursSoFar: showHourTotal([used.usedCuMs]),
        expectedHours: showExpected(forecast?.compute, inHours),
      })),
    ),
    notes: [
      ...describeForecast(
        subject,
        whole,
        shown.some(({ forecast }) => forecast !== undefined),
      ),
      sumNote,
      ...(accepted?.notes ?? []),
    ],
    gaps: accepted
      ? describeUnknown(
          shown.map(({ used }) => used),
          accepted.cuMs,
        )
      : [],
  };
}

function isAnything({ used: { amount, usedCuMs }, forecast }: Expected): boolean {
  if (forecast === undefined) return true;
  const { compute, cost = 0 } = forecast;
  return usedCuMs > 0 || compareAmounts(amount, noAmount) > 0 || compute > 0 || cost > 0;
}

function dearestFirst(a: Expected, b: Expected): number {
  const difference = (of: keyof ProjectForecast) => (b.forecast?.[of] ?? 0) - (a.forecast?.[of] ?? 0);
  return difference('cost') || difference('compute') || (a.scope.key < b.scope.key ? -1 : 1);
}

/** The cost so far and that of the whole period, or why there is none. */
function showCosts(
  used: CostSum,
  expected: number | undefined,
  decimals: number,
): Pick<ForecastRow, 'costSoFar' | 'expectedCost'> {
  const none = reasonForNone([used]);
  return {
    costSoFar: none ?? showAmount(used.amount, decimals),
    expectedCost: none ?? showExpected(expected, amount => amount.toFixed(decimals)),
  };
}

function showExpected(expected: number | undefined, show: (amount: number) => string): Cell {
  return expected === undefined ? notKnown : show(expected);
}
