import { forecastTable } from '../../part/forecast-table.ts';
import { html, type Markup } from '../../part/html.ts';
import { instant } from '../../part/instant.ts';
import { showDecimal, showMoney, showShare } from '../../part/number.ts';
import { shownName } from '../../part/shown-text.ts';
import { term } from '../../part/term.ts';
import type { CostAnswer, CostForecast } from './cost-answer.ts';

/** The forecast of the billing period of each account, and how wrong such forecasts were. */
export function drawForecasts(
  { forecasts, is_outlook_known }: CostAnswer,
  currency: string | null,
): Markup | null {
  if (!is_outlook_known)
    return html`<p class="empty">Budgets and the forecast are still being worked out: they are here a little later.</p>`;
  if (forecasts.length === 0) return null;
  return html`<section class="card mb"><header><h2>${term('forecast', 'Forecast')} of the ${term('billing_period')}</h2></header>${forecasts.map(each => html`<div class="in">${drawForecast(each, forecasts.length > 1, currency)}</div>`)}</section>`;
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
