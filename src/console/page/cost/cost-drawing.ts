import { decimalsOf } from '../../../cost/money/decimal-sum.ts';
import { lastDayOf, sayDays } from '../../../report/format/period-name.ts';
import { capital } from '../../../report/format/shown-cell.ts';
import type { DrawContext, PageHead } from '../../page.ts';
import { addressOf } from '../../part/address.ts';
import { card, textCard } from '../../part/card.ts';
import { shortDay } from '../../part/chart/step.ts';
import { forecastTable } from '../../part/forecast-table.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import { instant } from '../../part/instant.ts';
import { showShare } from '../../part/number.ts';
import { periodPicker } from '../../part/period-picker.ts';
import { costHint } from '../../part/price-box.ts';
import { reportNotes } from '../../part/report-note.ts';
import { shownName } from '../../part/shown-text.ts';
import { term } from '../../part/term.ts';
import { budgetOf, drawBudgets, paceOf, sayOutcome, sayUsedUp } from './budget-drawing.ts';
import type { CostAnswer, CostForecast, CostStack } from './cost-answer.ts';
import { expectedOf, measureOf } from './cost-figure.ts';
import { costAxes } from './cost-series.ts';
import type { CostQuery } from './cost-stack.ts';
import { drawTiles, fullSteps } from './cost-tile.ts';
import { drawSeries } from './series-drawing.ts';
import { drawProjects, drawStack } from './stack-drawing.ts';

type Context = DrawContext<CostQuery>;

export function drawCostHead(answer: CostAnswer, { path, query }: Context): PageHead {
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
    actions: html`${periodPicker(path, query, answer)}
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
  const ended = answer.past_budgets?.filter(({ period }) => period.until === stack.period.until);
  const past = budgetOf(ended ?? [], stack, measure);
  if (past !== undefined)
    return html`By ${by} and ${stack.step}. The budget of ${measure.show(past.limit)}: <strong>${sayOutcome(past)}</strong>.`;
  if (pace === undefined || full === undefined || stack.step !== 'day') return `By ${by} and ${stack.step}.`;
  const off = full.mean - Number(pace.amount);
  const show = (amount: number) => measure.show(amount.toFixed(decimalsOf(pace.amount)));
  const words = `${show(Math.abs(off))} ${off < 0 ? 'below' : 'above'}`;
  return html`By ${by} and day. Full days ${measure.isMoney ? 'cost' : 'use'} ${show(full.mean)} on average, <strong>${words}</strong> the pace of the budget of ${measure.show(pace.budget.limit)}${sayUsedUp(pace.budget)}.`;
}

export function drawCost(answer: CostAnswer, context: Context): Markup {
  const { query } = context;
  const stack = answer.cost ?? answer.use;
  const hint = answer.has_prices && stack !== null ? null : costHint(answer.has_prices);
  if (stack === null) return html`${hint}${drawBudgets(answer, query.period)}${drawForecasts(answer, null)}`;
  const measure = measureOf(stack);
  const expected = expectedOf(answer, stack, measure);
  const beside = [hint, drawBudgets(answer, query.period)];
  return html`${drawTiles(answer, stack, measure, expected, context)}
<div class=${beside.some(each => each !== null) ? 'g g2' : 'g'}><div class="stack">${textCard(`${measure.isMoney ? 'Cost' : 'Compute hours'} of each ${stack.step}, by`, drawStack(answer, stack, { measure, expected, account: query.account }), { name: 'mid', beside: chooseAxis(answer, stack, context), end: chooseStep(stack, context) })}${drawProjects(stack, measure, query.account)}</div>
${beside.some(each => each !== null) && html`<div class="stack">${beside}</div>`}</div>
${drawSeries(stack, measure, query)}
${answer.groupings.length > 0 && answer.has_prices && leadToTeams(query)}
${drawForecasts(answer, stack.currency)}
${reportNotes({ ...stack, missing: [...sayMissing(stack), ...stack.missing] })}`;
}

/** A sentence in place of a change that cannot be told. */
function sayMissing({ before }: CostStack): readonly string[] {
  if (before === null || before.known_from === null || before.known_from >= before.period.until) return [];
  const { from, until } = before.period;
  const [first = '', end = '', known = ''] = [from, until, before.known_from].map(at => at.slice(0, 10));
  return [
    `The period before, ${sayDays(first, end)}, is known only from ${known} on: nothing is compared with it.`,
  ];
}

/** What a controller takes each month: sheets and files by team. */
function leadToTeams({ period, grouping }: CostQuery): Markup {
  const lastMonth = addressOf('/reports/showback', { period: 'last-month', grouping, format: 'csv' });
  const months = addressOf('/report/months', { by: 'group', grouping });
  return html`<p class="ways"><a href=${addressOf('/showback', { period, grouping })}>Showback by team</a>, <a href=${lastMonth} download>last month by team as CSV</a>, <a href=${months}>all teams month over month</a>, <a href="/prices">prices in force</a></p>`;
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
  return html`<nav class="seg" aria-label="Length of the steps">${(['day', 'week', 'month'] as const).map(each => html`<a href=${addressOf(path, { ...query, step: each })} aria-current=${each === step ? 'true' : null}>${capital(each)}</a>`)}</nav>`;
}

/** The record of few periods says no better how wide bounds should be. */
const closeToBounds = 0.05;

/** The forecast of the billing period of each account, and how wrong such forecasts were. */
function drawForecasts(
  { forecasts, is_outlook_known, rests_on, past_budgets }: CostAnswer,
  currency: string | null,
): Markup | null {
  // The banner says why nothing is known.
  if (past_budgets !== null || !rests_on.is_whole) return null;
  if (!is_outlook_known)
    return html`<p class="m">Budgets and the forecast are still being worked out: they are here a little later.</p>`;
  if (forecasts.length === 0) return null;
  return card(
    'Forecast of the billing period',
    forecasts.map(each => html`<div class="in">${drawForecast(each, forecasts.length > 1, currency)}</div>`),
    { isFolded: true, end: html`<a class="a" href="/report/forecast">table</a>` },
  );
}

function drawForecast(forecast: CostForecast, isNamed: boolean, currency: string | null): Markup {
  const { account, period, cost, expected, bounds, quality, known_until, compute_hours, metered } = forecast;
  const isUnknown = expected === null && compute_hours.expected === null;
  const money = { what: 'cost', unit: currency ?? '', so_far: cost, expected, bounds };
  const hours = { ...compute_hours, what: 'compute_hours', unit: 'hour', so_far: compute_hours.used };
  return html`${isNamed && html`<h3>${shownName(account)}</h3>`}
<p>The period ends with ${shortDay(lastDayOf(period.until))}; use is known until ${instant(known_until)}. ${isUnknown && 'Too little is known for a forecast of the whole period yet.'}</p>
${forecastTable(`Forecast of account ${account} in the billing period`, [...(cost === null ? [] : [money]), hours, ...metered])}
${quality !== null && html`<p>${term('forecast_error', 'How wrong such forecasts were')}: had they been made in periods of the past, they would have missed the use of the whole period by ${showShare(quality.mean_error)} on average, and a straight line through the use so far by ${showShare(quality.run_rate_mean_error)}. ${sayRecord(quality.coverage80)}</p>`}`;
}

/** How good the bounds were that four periods in five should come out within. */
function sayRecord(within: number): string {
  const record = `${showShare(within)} of those periods came out within the bounds of four in five`;
  return within < 0.8 - closeToBounds
    ? `By its record the band is too narrow: ${record}.`
    : `${capital(record)}.`;
}
