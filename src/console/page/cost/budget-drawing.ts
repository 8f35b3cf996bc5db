import { drawChart } from '../../part/chart/chart.ts';
import type { ChartSeries } from '../../part/chart/declaration.ts';
import { chartSteps } from '../../part/chart/step.ts';
import { html, type Markup } from '../../part/html.ts';
import { instant } from '../../part/instant.ts';
import { showDecimal, showMoney, showMoneyBriefly, showShare } from '../../part/number.ts';
import { shownName } from '../../part/shown-text.ts';
import { term } from '../../part/term.ts';
import type { CostBudget } from './cost-answer.ts';

/** How each budget stands now, and what it comes to at the end of its period. */
export function drawBudgets(budgets: readonly CostBudget[], asOf: string | null): Markup | null {
  if (budgets.length === 0) return null;
  return html`<section><h2>Budgets, as they stand now</h2><div class="cards budgets">${budgets.map(each => drawBudget(each, asOf))}</div></section>`;
}

function drawBudget(budget: CostBudget, asOf: string | null): Markup {
  const { limit, spent, used_ratio, projected, bounds, exhausted_at, scope } = budget;
  const show = shower(budget);
  const isOver = Number(spent) >= Number(limit);
  const isAtRisk = projected !== null && Number(projected) > Number(limit);
  return html`<section class="card"><h3>${shownName(budget.budget)} ${isOver ? html`<span class="badge bad">limit reached</span>` : isAtRisk ? html`<span class="badge warn">at risk</span>` : html`<span class="badge good">within its limit</span>`}</h3>
<p class="figure">${show(spent)}</p>
<p class="detail">of ${show(limit)}${used_ratio !== null && html` (${showShare(used_ratio)})`}, ${shownName(scope)}, until ${instant(budget.period.until)}</p>
<p class="detail">${
    projected === null
      ? 'Too little is known for a forecast.'
      : html`Expected at the end: <strong>${show(projected)}</strong>${bounds && html`, in ${term('forecast_band', 'four cases of five')} between ${show(bounds.low80)} and ${show(bounds.high80)}`}.`
  }</p>
${exhausted_at !== null && html`<p class="detail warn">The limit ${isOver ? 'was' : 'is expected to be'} reached ${instant(exhausted_at)}.</p>`}
${drawBurnDown(budget, asOf)}</section>`;
}

function drawBurnDown(budget: CostBudget, asOf: string | null): Markup | null {
  const { period, limit, projected, bounds, by_day, days, unit } = budget;
  const last = by_day?.at(-1);
  if (by_day === null || last === undefined || asOf === null) return null;
  const show = shower(budget);
  const untilAt = Date.parse(period.until);
  const knownUntilAt = Math.min(untilAt, Date.parse(asOf));
  const now = { at: knownUntilAt, value: last.spent };
  const ends: readonly ChartSeries[] =
    projected === null || bounds === null
      ? []
      : [
          {
            kind: 'band',
            name: '4 periods in 5',
            points: [
              { at: now.at, low: now.value, high: now.value },
              { at: untilAt, low: bounds.low80, high: bounds.high80 },
            ],
          },
          {
            kind: 'line',
            look: 'expected',
            name: 'expected',
            points: [now, { at: untilAt, value: projected }],
          },
        ];
  const spent = by_day.map(each => ({
    at: Math.min(knownUntilAt, Date.parse(each.until)),
    value: each.spent,
  }));
  return drawChart({
    id: `budget-${budget.budget}`,
    size: 'small',
    label: summarise(budget),
    steps: chartSteps(days, 'day', knownUntilAt),
    series: [
      ...ends,
      {
        kind: 'line',
        look: 'measured',
        name: 'spent',
        points: [{ at: Date.parse(period.from), value: '0' }, ...spent, now],
      },
    ],
    limits: [{ name: `limit ${show(limit)}`, value: limit }],
    show,
    showTick:
      unit === 'compute_hours' ? text => `${showDecimal(text)} h` : text => showMoneyBriefly(text, unit),
    stepNoun: 'day',
  });
}

function summarise(budget: CostBudget): string {
  const { spent, limit, projected } = budget;
  const show = shower(budget);
  return `${shownName(budget.budget)}: ${show(spent)} of ${show(limit)} are spent${projected === null ? '' : `, and ${show(projected)} are expected at the end`}.`;
}

function shower({ unit }: CostBudget): (decimal: string) => string {
  return unit === 'compute_hours'
    ? decimal => `${showDecimal(decimal)} compute hours`
    : decimal => showMoney(decimal, unit);
}
