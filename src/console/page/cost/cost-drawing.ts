import type { DrawContext } from '../../page.ts';
import { addressOf } from '../../part/address.ts';
import { card } from '../../part/card.ts';
import { costHint } from '../../part/cost-hint.ts';
import { accountField, filterForm, periodField } from '../../part/filter-form.ts';
import { html, type Markup } from '../../part/html.ts';
import { showDecimal, showMoney } from '../../part/number.ts';
import { periodLinks } from '../../part/period-link.ts';
import { periodName } from '../../part/period-name.ts';
import { periodText } from '../../part/period-text.ts';
import { reportNotes } from '../../part/report-note.ts';
import { term } from '../../part/term.ts';
import { drawBudgets } from './budget-drawing.ts';
import type { CostAnswer, CostForecast, CostStack } from './cost-answer.ts';
import { type CostQuery, costAxes } from './cost-stack.ts';
import { drawForecasts } from './forecast-drawing.ts';
import { drawSeries, drawStack } from './stack-drawing.ts';

export function drawCost(answer: CostAnswer, { query, path }: DrawContext<CostQuery>): Markup {
  const { has_prices, cost, budgets, forecasts } = answer;
  if (cost === null)
    return html`${costHint(has_prices)}${drawForecasts(forecasts, null)}${drawBudgets(budgets)}`;
  return html`${drawFilter(answer, cost, query, path)}
${drawCards(cost, forecasts)}
${drawStack(cost)}
${drawWays(cost, query)}
${drawSeries(cost, query.account)}
${!answer.is_outlook_known && html`<p class="empty">Budgets and the forecast are still being worked out: they are here a little later.</p>`}
${drawBudgets(budgets)}
${drawForecasts(forecasts, cost.currency)}
${reportNotes(cost)}`;
}

function drawFilter(
  { accounts, groupings, periods }: CostAnswer,
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
      periodField(query.period, periods, 'such as 2026-10 or last-30d'),
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
      ...accountField(accounts, query.account),
    ],
  })}
${periodLinks(path, query, periods)}`;
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
