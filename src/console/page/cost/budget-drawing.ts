import { burnDown } from '../../part/chart/burn-down.ts';
import { html, type Markup } from '../../part/html.ts';
import { instant } from '../../part/instant.ts';
import { showDecimal, showMoney, showMoneyBriefly, showShare } from '../../part/number.ts';
import { shownName } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';
import { term } from '../../part/term.ts';
import type { CostBudget } from './cost-answer.ts';

/** How each budget stands now, and what it comes to at the end of its period. */
export function drawBudgets(budgets: readonly CostBudget[]): Markup | null {
  if (budgets.length === 0) return null;
  return html`<section><h2>Budgets, as they stand now</h2><div class="cards budgets">${budgets.map(drawBudget)}</div></section>`;
}

function drawBudget(budget: CostBudget): Markup {
  const { limit, spent, used_ratio, projected, bounds, exhausted_at, scope } = budget;
  const show = shower(budget);
  const isOver = Number(spent) >= Number(limit);
  const isAtRisk = projected !== null && Number(projected) > Number(limit);
  const summary = `${shownName(budget.budget)}: ${show(spent)} of ${show(limit)} are spent${projected === null ? '' : `, and ${show(projected)} are expected at the end`}.`;
  return html`<section class="card"><h3>${shownName(budget.budget)} ${isOver ? html`<span class="badge bad">limit reached</span>` : isAtRisk ? html`<span class="badge warn">at risk</span>` : html`<span class="badge good">within its limit</span>`}</h3>
<p class="figure">${show(spent)}</p>
<p class="detail">of ${show(limit)}${used_ratio !== null && html` (${showShare(used_ratio)})`}, ${shownName(scope)}, until ${instant(budget.period.until)}</p>
<p class="detail">${
    projected === null
      ? 'Too little is known for a forecast.'
      : html`Expected at the end: <strong>${show(projected)}</strong>${bounds && html`, in ${term('forecast_band', 'four cases of five')} between ${show(bounds.low80)} and ${show(bounds.high80)}`}.`
  }</p>
${exhausted_at !== null && html`<p class="detail warn">The limit ${isOver ? 'was' : 'is expected to be'} reached ${instant(exhausted_at)}.</p>`}
${drawBurnDown(budget, summary)}</section>`;
}

function drawBurnDown(budget: CostBudget, label: string): Markup | null {
  const { period, limit, projected, bounds, by_day, unit } = budget;
  if (by_day === null || by_day.length === 0) return null;
  const show = shower(budget);
  return html`${burnDown({
    label,
    fromAt: Date.parse(period.from),
    untilAt: Date.parse(period.until),
    limit: Number(limit),
    points: by_day.map(({ until, spent }) => ({ at: Date.parse(until), spent: Number(spent) })),
    limitTitle: `Limit ${show(limit)}`,
    showTick: unit === 'compute_hours' ? showDecimal : decimal => showMoneyBriefly(decimal, unit),
    ...(projected !== null &&
      bounds !== null && {
        projected: {
          ...{ expected: Number(projected), low: Number(bounds.low80), high: Number(bounds.high80) },
          title: `Four periods in five end between ${show(bounds.low80)} and ${show(bounds.high80)}`,
        },
      }),
  })}
<details><summary>Spent by day</summary>${table({
    caption: `Spent of ${budget.budget} by the end of each day`,
    whenEmpty: '',
    rows: by_day,
    columns: [
      { title: 'Until the end of', show: ({ day }) => day },
      {
        title: unit === 'compute_hours' ? 'Compute hours' : 'Spent',
        isNumber: true,
        show: ({ spent }) => show(spent),
      },
    ],
  })}</details>`;
}

function shower({ unit }: CostBudget): (decimal: string) => string {
  return unit === 'compute_hours'
    ? decimal => `${showDecimal(decimal)} compute hours`
    : decimal => showMoney(decimal, unit);
}
