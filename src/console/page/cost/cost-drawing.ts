import type { DrawContext, PageHead } from '../../page.ts';
import { addressOf } from '../../part/address.ts';
import { costHint } from '../../part/cost-hint.ts';
import { capital } from '../../part/count-word.ts';
import { forecastTable } from '../../part/forecast-table.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import { instant } from '../../part/instant.ts';
import { showHours, showMoney, showShare } from '../../part/number.ts';
import { periodPicker } from '../../part/period-picker.ts';
import { reportNotes } from '../../part/report-note.ts';
import { shownName } from '../../part/shown-text.ts';
import { term } from '../../part/term.ts';
import { drawBudgets, paceOf } from './budget-drawing.ts';
import type { CostAnswer, CostForecast, CostStack } from './cost-answer.ts';
import { decimalsOf, expectedOf, measureOf } from './cost-figure.ts';
import { costAxes } from './cost-series.ts';
import type { CostQuery } from './cost-stack.ts';
import { drawTiles, fullSteps } from './cost-tile.ts';
import { drawSeries } from './series-drawing.ts';
import { drawProjects, drawStack } from './stack-drawing.ts';

type Context = DrawContext<CostQuery>;

export function drawCostHead(answer: CostAnswer, { path, query }: Context): PageHead {
  const { periods } = answer;
  const stack = answer.cost ?? answer.use;
  const file = (format: string) =>
    addressOf(`/reports/${answer.cost === null ? 'usage' : 'cost'}`, {
      ...{ period: query.period, account: query.account, format },
      ...(stack !== null && { by: stack.by, step: stack.step }),
      grouping: stack?.by === 'group' ? query.grouping : '',
    });
  const { period, account } = query;
  return {
    lead: stack === null ? undefined : sayState(answer, stack),
    actions: html`${periodPicker(path, query, periods)}
<a class="btn" href=${addressOf('/cost/why', { period, account })}>Why</a>
${answer.has_prices && html`<a class="btn" href=${addressOf('/cost/invoice', { period, account })}>Invoice</a>`}
<a class="btn" href=${file('csv')} download>CSV</a>`,
  };
}

/** Whether it runs above or below the pace of its budget. */
function sayState(answer: CostAnswer, stack: CostStack): Content {
  const measure = measureOf(stack);
  const pace = paceOf(answer.budgets, stack, measure);
  const full = fullSteps(stack, measure);
  const by = stack.by === 'group' ? stack.grouping : stack.by;
  if (pace === undefined || full === undefined || stack.step !== 'day') return `By ${by} and ${stack.step}.`;
  const off = full.mean - Number(pace.amount);
  const decimals = decimalsOf(pace.amount);
  const words = `${measure.show(Math.abs(off).toFixed(decimals))} a day ${off < 0 ? 'below' : 'above'}`;
  return html`By ${by} and day. A full day is <strong>${words}</strong> the pace of the budget of ${measure.show(pace.limit)}.`;
}

export function drawCost(answer: CostAnswer, context: Context): Markup {
  const { query } = context;
  const stack = answer.cost ?? answer.use;
  const hint = answer.has_prices && stack !== null ? null : costHint(answer.has_prices);
  if (stack === null) return html`${hint}${drawBudgets(answer)}${drawForecasts(answer, null)}`;
  const measure = measureOf(stack);
  const expected = expectedOf(answer, stack, measure);
  return html`${drawTiles(answer, stack, measure, expected, context)}
<div class="g g2"><div class="stack"><section class="card"><header class="mid"><h2>${measure.isMoney ? 'Cost' : 'Compute hours'} of each ${stack.step}, by</h2>${chooseAxis(answer, stack, context)}${chooseStep(stack, context)}</header><div class="in">${drawStack(answer, stack, { measure, expected, account: query.account })}</div></section>${drawProjects(stack, measure, query.account)}</div>
<div class="stack">${hint}${drawBudgets(answer)}</div></div>
${drawSeries(stack, measure, query)}
${answer.groupings.length > 0 && answer.has_prices && leadToTeams(query)}
${drawForecasts(answer, stack.currency)}
${reportNotes(stack)}`;
}

/** What a controller takes each month: sheets and files by team. */
function leadToTeams({ period, grouping }: CostQuery): Markup {
  const lastMonth = addressOf('/reports/showback', { period: 'last-month', grouping, format: 'csv' });
  const months = addressOf('/report/months', { by: 'group', grouping });
  return html`<p class="ways"><a href=${addressOf('/showback', { period, grouping })}>Show-back by team</a>, <a href=${lastMonth} download>last month by team as CSV</a>, <a href=${months}>all teams month over month</a></p>`;
}

/** Groupings are ways to cut as projects and regions are. */
function chooseAxis(
  { groupings, accounts, has_prices }: CostAnswer,
  stack: CostStack,
  { path, query }: Context,
): Markup {
  const axes = costAxes.filter(
    each =>
      each !== 'group' && (each !== 'account' || accounts.length > 1) && (each !== 'line' || has_prices),
  );
  const choices = [
    ...groupings.map(grouping => ({ name: grouping, by: 'group', grouping })),
    ...axes.map(by => ({ name: by, by, grouping: '' })),
  ];
  const isChosen = ({ by, grouping }: (typeof choices)[number]) =>
    by === stack.by && (by !== 'group' || grouping === stack.grouping);
  return html`<nav class="seg" aria-label="By">${choices.map(each => html`<a href=${addressOf(path, { ...query, by: each.by, grouping: each.grouping })} aria-current=${isChosen(each) ? 'true' : null}>${capital(each.name)}</a>`)}</nav>`;
}

function chooseStep({ step }: CostStack, { path, query }: Context): Markup {
  return html`<nav class="seg end" aria-label="Length of the steps">${(['day', 'week', 'month'] as const).map(each => html`<a href=${addressOf(path, { ...query, step: each })} aria-current=${each === step ? 'true' : null}>${capital(each)}</a>`)}</nav>`;
}

/** The forecast of the billing period of each account, and how wrong such forecasts were. */
function drawForecasts({ forecasts, is_outlook_known }: CostAnswer, currency: string | null): Markup | null {
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
<p>${showHours(compute_hours.used)} ${term('compute_hour', 'compute hours')} so far. ${sayExpected(compute_hours.expected, compute_hours.bounds, showHours)}</p>
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
