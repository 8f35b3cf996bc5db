import { decimalsOf } from '../../../cost/money/decimal-sum.ts';
import { sayBand } from '../../../report/format/band-text.ts';
import { dayMs } from '../../../resources/duration.ts';
import type { WrittenStep } from '../../answer-field.ts';
import { addressOf } from '../../part/address.ts';
import { card, textCard } from '../../part/card.ts';
import { drawChart } from '../../part/chart/chart.ts';
import type { Chart, ChartSeries } from '../../part/chart/declaration.ts';
import { chartSteps, joinSteps } from '../../part/chart/step.ts';
import { html, type Markup } from '../../part/html.ts';
import { clock } from '../../part/instant.ts';
import { showMoney, showMoneyBriefly } from '../../part/number.ts';
import { priceBox } from '../../part/price-box.ts';
import { shownName } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';
import { drawMoves, drawRunning, drawSaving, drawTroubles } from './list-drawing.ts';
import type { OverviewAnswer, Spending } from './overview-answer.ts';
import { type OverviewContext, sayAwaited } from './overview-state.ts';
import { drawTiles } from './tile-drawing.ts';

/** Four figures, then what is wrong beside how the period goes, then what moved, what can be saved, and what runs. */
export function drawOverview(answer: OverviewAnswer, context: OverviewContext): Markup {
  const { spending } = answer;
  return html`<div class="front">${drawTiles(answer, context)}
<div class="g g2 flip">${drawTroubles(answer, context)}${drawPeriod(answer, context)}</div></div>
<div class="g g3">${drawMoves(answer)}${drawSaving(answer)}${drawRunning(answer, context)}</div>
${spending !== null && spending.currency === null && priceBox()}
${spending !== null && spending.accounts.length > 1 && drawAccounts(spending, context)}`;
}

/** How the period goes: its days as bars, those to come as they are expected, and the budget as what a day may cost. */
function drawPeriod(answer: OverviewAnswer, context: OverviewContext): Markup {
  const { spending, as_of: asOf } = answer;
  if (spending === null || asOf === null || spending.by_day.length === 0) {
    const why = spending === null ? sayAwaited(answer) : 'Nothing was used in it yet.';
    return textCard('This billing period', html`<p class="m">${why}</p>`);
  }
  const title = spending.currency === null ? 'Compute hours by day' : 'Cost by day';
  const chart = drawChart({ ...describePeriod(spending, asOf), unread: unreadTime(context) });
  return textCard(title, chart, {
    end: html`${sayLeft(spending)}<a class="a" href="/cost">the cost page</a>`,
  });
}

/** The time since the oldest last reading of an account that cannot be read. */
function unreadTime({ now, staleAt, staleAccounts }: OverviewContext): Chart['unread'] {
  const oldest = staleAt ?? staleAccounts.map(({ at }) => at).toSorted()[0];
  return oldest === undefined ? undefined : { fromAt: Date.parse(oldest), untilAt: now };
}

function sayLeft({ budget, cost, currency }: Spending): string | null {
  if (budget === null || cost === null) return null;
  const decimals = decimalsOf(budget.limit);
  const left = Number(budget.limit) - Number(cost);
  const limit = showMoney(budget.limit, currency);
  return left < 0
    ? `${limit} are used up · `
    : `${showMoney(left.toFixed(decimals), currency)} of ${limit} left · `;
}

function describePeriod(spending: Spending, asOf: string): Chart {
  const { currency, by_day, days_to_come, budget, period } = spending;
  const isPriced = currency !== null;
  const asOfAt = Date.parse(asOf);
  const [fromAt, untilAt] = [Date.parse(period.from), Date.parse(period.until)];
  const days = joinSteps(by_day, days_to_come);
  const pace = budget === null ? undefined : (Number(budget.limit) * dayMs) / (untilAt - fromAt);
  const money = (amount: string) => showMoney(amount, currency);
  return {
    id: 'period',
    label: `${isPriced ? 'Cost' : 'Compute hours'} of each day of the billing period.`,
    steps: chartSteps(days, 'day', asOfAt, ({ label }) => addressOf('/cost', { period: label })),
    series: [
      {
        kind: 'bars',
        name: isPriced ? 'spent' : 'used',
        values: days.map((_, index) => by_day[index]?.[isPriced ? 'cost' : 'compute_hours'] ?? null),
      },
      ...expectDays(spending, days, asOfAt),
    ],
    ...(pace !== undefined && {
      limits: [{ name: `budget, ${money(pace.toFixed(2))} a day`, value: pace.toFixed(2) }],
    }),
    ...(budget !== null &&
      budget.exhausted_at !== null && {
        annotations: [{ at: Date.parse(budget.exhausted_at), words: 'budget used up' }],
      }),
    show: money,
    showTick: text => showMoneyBriefly(text, currency),
    stepNoun: 'day',
  };
}

/** What is expected of the rest of the period, spread evenly over it. */
function expectDays(
  { expected, cost, period }: Spending,
  days: readonly WrittenStep[],
  asOfAt: number,
): readonly ChartSeries[] {
  if (expected === null || cost === null) return [];
  const decimals = decimalsOf(expected);
  const rest = Math.max(0, Number(expected) - Number(cost));
  const left = Date.parse(period.until) - asOfAt;
  const values = days.map(({ from, until }) => {
    const ms = Date.parse(until) - Math.max(asOfAt, Date.parse(from));
    return ms <= 0 || left <= 0 ? null : ((rest * ms) / left).toFixed(decimals);
  });
  return [{ kind: 'bars', name: 'expected', isExpected: true, values }];
}

/** Bounds of several accounts do not add up: each has its own. */
function drawAccounts({ accounts, currency }: Spending, { now, staleAccounts }: OverviewContext): Markup {
  const staleAt = new Map(staleAccounts.map(({ account, at }) => [account, at]));
  const money = (amount: string | null = null) => showMoney(amount, currency);
  return card(
    'By account',
    table({
      caption: 'Cost of the billing period by account',
      rows: accounts,
      columns: [
        {
          title: 'Account',
          show: ({ account }) =>
            html`<a href=${addressOf('/projects', { account })}>${shownName(account)}</a>${staleAt.has(account) && html` <span class="pill warn">as of ${clock(staleAt.get(account) ?? '', now)}</span>`}`,
        },
        {
          number: 'So far',
          show: ({ cost, cost_missing, compute_hours }) =>
            cost === null ? (cost_missing ?? showMoney(compute_hours ?? '0', null)) : money(cost),
        },
        { number: 'Expected', show: ({ forecast }) => money(forecast?.expected) },
        {
          number: 'Four periods in five',
          show: ({ forecast }) =>
            forecast && (sayBand(money(forecast.low80), money(forecast.high80)) ?? money(forecast.low80)),
        },
      ],
    }),
  );
}
