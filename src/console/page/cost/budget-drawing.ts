import { decimalsOf } from '../../../cost/money/decimal-sum.ts';
import { sayBand } from '../../../report/format/band-text.ts';
import { lastDayOf } from '../../../report/format/period-name.ts';
import { dayMs } from '../../../resources/duration.ts';
import { addressOf } from '../../part/address.ts';
import { card } from '../../part/card.ts';
import { drawChart } from '../../part/chart/chart.ts';
import type { ChartSeries } from '../../part/chart/declaration.ts';
import { bullet } from '../../part/chart/spark.ts';
import { chartSteps, shortDay } from '../../part/chart/step.ts';
import { countOf } from '../../part/count-word.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import { dayAndTime } from '../../part/instant.ts';
import { showMoney, showMoneyBriefly } from '../../part/number.ts';
import { shownName } from '../../part/shown-text.ts';
import type { CostAnswer, CostBudget, CostStack } from './cost-answer.ts';
import type { Measure } from './cost-figure.ts';

/** The budget of all that a page shows; undefined where there is none. */
export function budgetOf(
  budgets: readonly CostBudget[],
  { currency, period }: CostStack,
  { isMoney }: Measure,
): CostBudget | undefined {
  const unit = isMoney ? currency : 'compute_hours';
  return budgets.find(each => each.is_of_all && each.unit === unit && each.period.from === period.from);
}

/** What a day of the period may come to so that its budget lasts. */
export function paceOf(budgets: readonly CostBudget[], stack: CostStack, measure: Measure) {
  const budget = budgetOf(budgets, stack, measure);
  if (budget === undefined) return undefined;
  const { limit, period } = budget;
  const days = Math.round((Date.parse(period.until) - Date.parse(period.from)) / dayMs);
  return { budget, amount: (Number(limit) / Math.max(1, days)).toFixed(decimalsOf(limit)) };
}

/** How each budget of a period came out that is over; of others how it stands now, and what it comes to at the end of its period. */
export function drawBudgets(
  { budgets: standing, past_budgets: past, as_of }: Pick<CostAnswer, 'budgets' | 'past_budgets' | 'as_of'>,
  period: string,
): Markup | null {
  const budgets = past ?? standing;
  const draw = (budget: CostBudget) => drawBudget(budget, as_of, past !== null);
  const isExpected = budgets.some(({ projected }) => projected !== null);
  if (budgets.length === 0) return null;
  const [over = [], within = []] = [true, false].map(isMeant =>
    budgets.filter(each => isOver(each) === isMeant),
  );
  return card(
    past === null ? 'Budgets, as they stand now' : 'Budgets, each in its own period',
    html`<ul class="rows buds">${over.map(draw)}</ul>
${within.length > 0 && html`<details class="folded"><summary class="in">${countOf(within.length, 'budget')} within the limit</summary><ul class="rows buds">${within.map(draw)}</ul></details>`}`,
    {
      id: 'budgets',
      end: html`mark: the limit${isExpected && ' · hatch: expected'} · <a class="a" href=${addressOf('/report/budgets', { period: past === null ? '' : period })}>table</a>`,
    },
  );
}

/** Whether a budget is used up, or is expected to be. */
function isOver({ spent, limit, projected }: CostBudget): boolean {
  return isAtLeast(spent, limit) || (projected !== null && Number(projected) > Number(limit));
}

function drawBudget(budget: CostBudget, asOf: string | null, isDated: boolean): Markup {
  const { limit, spent, projected, bounds, scope, period } = budget;
  const show = shower(budget);
  const isBad = isOver(budget);
  const end = html`<span class=${`s${isBad ? ' crit' : ''}`}>${sayEnd(budget, asOf)}</span>`;
  const days = drawBurnDown(budget, asOf);
  return html`<li class="two"><span class="t"><b>${shownName(budget.budget)}</b> <span class="s">${shownName(scope)}, ${isDated ? `${shortDay(period.from)} to` : 'until'} ${shortDay(lastDayOf(period.until))}</span></span><span class="r">${show(spent)} <span class="s">of ${show(limit)}</span></span>
<span class="bb">${bullet({
    label: summarise(budget),
    value: Number(spent),
    expected: projected === null ? undefined : Number(projected),
    limit: Number(limit),
    high: bounds === null ? undefined : Number(bounds.high80),
    isOver: isBad,
  })}</span>
${days === null ? html`<span class="bb">${end}</span>` : html`<details class="bb"><summary>${end}</summary>${days}</details>`}</li>`;
}

function isAtLeast(amount: string, limit: string): boolean {
  return Number(amount) >= Number(limit);
}

/** When a budget is used up, at the end of a sentence: `; it will be used up on 1 Dec, 02:16`. */
export function sayUsedUp({ exhausted_at, spent, limit }: CostBudget): Content {
  const tense = isAtLeast(spent, limit) ? 'was' : 'will be';
  return exhausted_at !== null && html`; it ${tense} used up on ${dayAndTime(exhausted_at)}`;
}

/** How the period of a budget came out: `over by $12.00, used up on 29 Oct`. */
export function sayOutcome(budget: CostBudget): string {
  const { limit, spent, exhausted_at } = budget;
  const left = Number(limit) - Number(spent);
  const amount = shower(budget)(Math.abs(left).toFixed(decimalsOf(limit)));
  if (left >= 0) return `${amount} left`;
  return `over by ${amount}${exhausted_at === null ? '' : `, used up on ${shortDay(exhausted_at)}`}`;
}

function sayEnd(budget: CostBudget, asOf: string | null): Content {
  const { limit, spent, projected, bounds, exhausted_at, period } = budget;
  const show = shower(budget);
  if (asOf !== null && period.until <= asOf) return sayOutcome(budget);
  const used =
    exhausted_at !== null &&
    html`${isAtLeast(spent, limit) ? 'Used up since' : 'Will be used up on'} ${dayAndTime(exhausted_at)}. `;
  if (projected === null) return html`${used}Too little is known for a forecast.`;
  const band = bounds && sayBand(show(bounds.low80), show(bounds.high80));
  return html`${used}${show(projected)} expected${band !== null && `, 4 periods in 5 from ${band}`}.`;
}

function drawBurnDown(budget: CostBudget, asOf: string | null): Markup | null {
  const { period, limit, projected, bounds, by_day, days } = budget;
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
    showTick: text => showMoneyBriefly(text, currencyOf(budget)),
    stepNoun: 'day',
  });
}

function summarise(budget: CostBudget): string {
  const { spent, limit, projected } = budget;
  const show = shower(budget);
  return `${shownName(budget.budget)}: ${show(spent)} of ${show(limit)} are spent${projected === null ? '' : `, and ${show(projected)} are expected at the end`}.`;
}

function shower(budget: CostBudget): (decimal: string) => string {
  return decimal => showMoney(decimal, currencyOf(budget));
}

function currencyOf({ unit }: CostBudget): string | null {
  return unit === 'compute_hours' ? null : unit;
}
