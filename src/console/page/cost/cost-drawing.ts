import type { DrawContext } from '../../page.ts';
import { addressOf } from '../../part/address.ts';
import { card } from '../../part/card.ts';
import { costHint } from '../../part/cost-hint.ts';
import { filterForm } from '../../part/filter-form.ts';
import { forecastTable } from '../../part/forecast-table.ts';
import { html, type Markup } from '../../part/html.ts';
import { instant } from '../../part/instant.ts';
import { showDecimal, showMoney, showShare } from '../../part/number.ts';
import { periodName } from '../../part/period-name.ts';
import { periodText } from '../../part/period-text.ts';
import { reportNotes } from '../../part/report-note.ts';
import { shownName } from '../../part/shown-text.ts';
import { term } from '../../part/term.ts';
import { drawBudgets } from './budget-drawing.ts';
import type { CostAnswer, CostForecast, CostStack } from './cost-answer.ts';
import { type CostQuery, costAxes } from './cost-stack.ts';
import { drawSeries, drawStack } from './stack-drawing.ts';

export function drawCost(answer: CostAnswer, { query, path }: DrawContext<CostQuery>): Markup {
  const { has_prices, cost, budgets, forecasts } = answer;
  if (cost === null)
    return html`${costHint(has_prices)}${drawForecasts(forecasts, null)}${drawBudgets(budgets, answer.as_of)}`;
  return html`${drawFilter(answer, cost, query, path)}
${drawCards(cost, forecasts)}
${drawStack(cost, query.account)}
${drawWays(cost, query)}
${drawSeries(cost, query.account)}
${!answer.is_outlook_known && html`<p class="empty">Budgets and the forecast are still being worked out: they are here a little later.</p>`}
${drawBudgets(budgets, answer.as_of)}
${drawForecasts(forecasts, cost.currency)}
${reportNotes(cost)}`;
}

function drawFilter(
  { groupings }: CostAnswer,
  { by, step }: CostStack,
  query: CostQuery,
  path: string,
): Markup {
  const choose = (words: readonly string[]) => words.map(each => ({ value: each, label: each }));
  const usualBy = groupings.length > 0 ? 'group' : 'project';
  const axes = costAxes.filter(each => each !== 'group' || groupings.length > 0);
  return html`${filterForm({
    label: 'Which cost',
    path,
    fields: [
      { name: 'by', label: 'By', value: by, usual: usualBy, options: choose(axes) },
      ...(groupings.length > 1 && by === 'group'
        ? [
            {
              name: 'grouping',
              label: 'Grouping',
              value: query.grouping || (groupings[0] ?? ''),
              options: choose(groupings),
            },
          ]
        : []),
      {
        name: 'step',
        label: 'Bars',
        value: step,
        usual: query.step ?? step,
        options: choose(['day', 'week', 'month']),
      },
    ],
    kept: { period: query.period, account: query.account },
  })}`;
}

function drawCards(cost: CostStack, forecasts: readonly CostForecast[]): Markup {
  const { currency, period } = cost;
  const money = (decimal: string) => showMoney(decimal, currency);
  const [forecast, ...others] = forecasts.filter(each => each.period.from === period.from);
  return html`<div class="cards">
${card({
  title: 'Cost of the period',
  figure: cost.cost === null ? 'not known' : money(cost.cost),
  detail: html`${periodName(period.label)}: ${periodText(period)}. <a href=${addressOf('/cost/why', { period: period.label })}>Why it is more or less than before</a>`,
})}
${
  forecast?.expected !== undefined &&
  forecast.expected !== null &&
  others.length === 0 &&
  card({
    title: term('forecast', 'Forecast of its end'),
    figure: money(forecast.expected),
    detail:
      forecast.bounds &&
      html`between ${money(forecast.bounds.low80)} and ${money(forecast.bounds.high80)} in ${term('forecast_band', 'four cases of five')}`,
  })
}
${card({
  title: term('compute_hour', 'Compute hours'),
  figure: cost.used_hours === null ? 'see the lines' : showDecimal(cost.used_hours),
  detail: drawExpectedHours(others.length === 0 ? forecast : undefined),
})}
${
  cost.missing.length > 0 &&
  card({
    title: 'What is missing',
    figure: String(cost.missing.length),
    tone: 'warn',
    detail: html`<a href="#missing">said below</a>`,
  })
}
</div>`;
}

function drawExpectedHours(forecast: CostForecast | undefined): Markup | null {
  const { expected = null } = forecast?.compute_hours ?? {};
  return expected === null ? null : html`<span>${showDecimal(expected)} expected at its end. </span>`;
}

function drawWays({ period, by, step }: CostStack, { account, grouping }: CostQuery): Markup {
  const asked = { period: period.label, account };
  const file = (format: string) =>
    addressOf('/reports/cost', { ...asked, by, step, grouping: by === 'group' ? grouping : '', format });
  return html`<p class="ways"><a href=${addressOf('/cost/invoice', asked)}>As an invoice</a> · these figures as <a href=${file('csv')} download>CSV</a> or <a href=${file('json')} download>JSON</a></p>`;
}

/** The forecast of the billing period of each account, and how wrong such forecasts were. */
function drawForecasts(forecasts: readonly CostForecast[], currency: string | null): Markup | null {
  if (forecasts.length === 0) return null;
  return html`<section><h2>${term('forecast', 'Forecast')} of the ${term('billing_period')}</h2>${forecasts.map(each => drawForecast(each, forecasts.length > 1, currency))}</section>`;
}

function drawForecast(forecast: CostForecast, isNamed: boolean, currency: string | null): Markup {
  const { account, period, cost, expected, bounds, quality, known_until, compute_hours, metered } = forecast;
  const money = (decimal: string) => showMoney(decimal, currency);
  const isUnknown = expected === null && compute_hours.expected === null;
  return html`${isNamed && html`<h3>${shownName(account)}</h3>`}
<p>The period ends ${instant(period.until)}; use is known until ${instant(known_until)}. ${isUnknown && 'Too little is known for a forecast of the whole period yet.'}</p>
${cost !== null && html`<p>${money(cost)} so far. ${sayExpected(expected, bounds, money)}</p>`}
<p>${showDecimal(compute_hours.used)} ${term('compute_hour', 'compute hours')} so far. ${sayExpected(compute_hours.expected, compute_hours.bounds, showDecimal)}</p>
${metered.length > 0 && html`<details open><summary>What the service meters besides: storage, transfer and branches</summary>${forecastTable(`Forecast of what account ${account} is metered in the billing period`, metered)}</details>`}
${quality !== null && html`<p>${term('forecast_error', 'How wrong such forecasts were')}: had they been made in periods of the past, they would have missed the use of the whole period by ${showShare(quality.mean_error)} on average. A straight line through the use so far would have missed it by ${showShare(quality.run_rate_mean_error)}. Of those periods, ${showShare(quality.coverage80)} came out within the bounds that four in five should come out within.</p>`}`;
}

function sayExpected(
  expected: CostForecast['expected'],
  bounds: CostForecast['bounds'],
  show: (decimal: string) => string,
): Markup | null {
  if (expected === null || bounds === null) return null;
  const { low80, high80, low95, high95 } = bounds;
  return html`<span>By the end <strong>${show(expected)}</strong> are expected: ${term('forecast_band', 'four periods in five')} come out between ${show(low80)} and ${show(high80)}, and nineteen in twenty between ${show(low95)} and ${show(high95)}.</span>`;
}
