import { addressOf, pathOf } from '../../part/address.ts';
import { card } from '../../part/card.ts';
import { band } from '../../part/chart/band.ts';
import { html, type Markup } from '../../part/html.ts';
import { showDecimal, showMoney, showNumber, showShare } from '../../part/number.ts';
import { headlineOf, saySaving, showSaving } from '../../part/saving.ts';
import { shownName } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';
import { term } from '../../part/term.ts';
import { accountForecasts } from './account-forecast.ts';
import type { Forecast, OverviewAnswer, Saving, Spending } from './overview-answer.ts';

/** So many accounts have a line of their own. */
const mostAccounts = 4;

/** Cost and forecast of the billing period, with what to do where they are not known. */
export function drawSpending({ spending, pending, rests_on }: OverviewAnswer): Markup {
  const title = 'Cost of this billing period';
  if (spending === null) {
    const isHeldUp = rests_on?.is_whole === false;
    return card({ title, detail: isHeldUp ? 'This is not known yet.' : 'This is being worked out.' });
  }
  const { currency, cost, compute_hours, accounts, period } = spending;
  const days = `${period.from.slice(0, 10)} to ${period.until.slice(0, 10)}`;
  const hours = html`${showDecimal(compute_hours ?? '0.00')} ${term('compute_hour', 'compute hours')}`;
  if (currency === null) {
    const detail = html`${hours} used, ${days}. To see what they cost, write the section <code>pricing</code> into the configuration, such as <code>pricing: {currency: EUR, plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: 0.16}]}]}</code>.`;
    return card({ title, href: '/cost', detail });
  }
  const [only] = accounts;
  return card({
    title,
    href: '/cost',
    figure: cost === null ? 'unpriced' : showMoney(cost, currency),
    detail: html`so far, for ${hours}, ${days}.${spending.partial && ' Something is missing in it: the page of costs says what.'}`,
    content: html`${
      only !== undefined &&
      html`${accounts.length === 1 ? drawForecast(only, currency, pending) : drawAccounts(spending, currency)}${drawBefore(spending, currency)}`
    }`,
  });
}

type AccountSpending = Spending['accounts'][number];

function drawForecast(
  { cost, forecast }: AccountSpending,
  currency: string,
  pending: readonly string[],
): Markup {
  if (forecast === null) {
    const isPending = pending.includes('forecast');
    return html`<p class="detail">What it will come to is ${isPending ? 'being worked out' : 'not known yet'}.</p>`;
  }
  return html`${drawBand(cost, forecast, currency)}<p class="detail">${drawExpected(forecast, currency)}${forecast.mean_error !== null && ` Such forecasts were ${showShare(forecast.mean_error)} off on average.`}</p>${drawFigures(cost, forecast, currency)}`;
}

function drawFigures(
  cost: string | null,
  { expected, low80, high80, low95, high95 }: Forecast,
  currency: string,
) {
  const money = (amount: string | null) => (amount === null ? '' : showMoney(amount, currency));
  const rows = [
    { what: 'So far', amount: money(cost) },
    { what: 'Expected at its end', amount: money(expected) },
    { what: 'Four periods in five come out within', amount: `${money(low80)} to ${money(high80)}` },
    { what: 'Nineteen in twenty come out within', amount: `${money(low95)} to ${money(high95)}` },
  ];
  return html`<details><summary>All figures of the forecast</summary>${table({
    caption: 'Forecast of the billing period',
    whenEmpty: '',
    rows,
    columns: [
      { title: 'What', show: ({ what }) => what },
      { title: 'Amount', isNumber: true, show: ({ amount }) => amount },
    ],
  })}</details>`;
}

function sayForecast({ expected, low80, high80 }: Forecast, currency: string): string {
  const money = (amount: string) => showMoney(amount, currency);
  return `${money(expected)} expected at its end; four periods in five come out from ${money(low80)} to ${money(high80)}.`;
}

/** The same with a link to what the bounds mean. */
function drawExpected({ expected, low80, high80 }: Forecast, currency: string): Markup {
  const money = (amount: string) => showMoney(amount, currency);
  return html`${money(expected)} expected at its end; ${term('forecast_band', 'four periods in five')} come out from ${money(low80)} to ${money(high80)}.`;
}

function drawBand(cost: string | null, forecast: Forecast, currency: string): Markup {
  const { expected, low80, high80 } = forecast;
  const soFar = cost === null ? 'An unknown amount' : showMoney(cost, currency);
  return band({
    summary: `${soFar} so far. ${sayForecast(forecast, currency)}`,
    spent: { value: Number(cost ?? 0), title: `${soFar} so far` },
    expected: { value: Number(expected), title: `${showMoney(expected, currency)} expected` },
    low: Number(low80),
    high: Number(high80),
    bandTitle: `${showMoney(low80, currency)} to ${showMoney(high80, currency)}`,
  });
}

/** Sums of several accounts are told without bounds: theirs do not add up. */
function drawAccounts({ accounts, expected }: Spending, currency: string): Markup {
  const rest = accounts.length - mostAccounts;
  const shown = accounts.slice(0, mostAccounts);
  return html`<p class="detail">${expected === null ? 'What it will come to is not known of all accounts yet.' : `${showMoney(expected, currency)} expected at its end, of all accounts.`}</p>
${table({
  caption: 'Cost by account',
  whenEmpty: 'No account was read yet.',
  rows: shown,
  columns: [
    { title: 'Account', show: ({ account }) => shownName(account) },
    {
      title: 'So far',
      isNumber: true,
      show: ({ cost, cost_missing }) => (cost === null ? (cost_missing ?? '') : showMoney(cost, currency)),
    },
    {
      title: 'Expected',
      isNumber: true,
      show: ({ forecast }) => (forecast === null ? '' : showMoney(forecast.expected, currency)),
    },
    {
      title: 'Bounds of 80 %',
      show: ({ cost, forecast }) => (forecast === null ? '' : drawBand(cost, forecast, currency)),
    },
  ],
})}
${accountForecasts(shown, currency)}
${rest > 0 && html`<p class="detail">and <a href="/cost">${showNumber(rest)} more</a></p>`}`;
}

function drawBefore({ before }: Spending, currency: string): Markup | null {
  if (before === null) return null;
  const { difference, cost, gaps } = before;
  const [gap] = gaps;
  if (gap !== undefined && Number(cost) === 0) {
    return html`<p class="detail">What the same part of the period before cost is not known. ${gap}</p>`;
  }
  const isMore = !difference.startsWith('-');
  const amount = showMoney(difference.replace(/^-/, ''), currency);
  const was = `${showMoney(cost, currency)} in the same part of the period before`;
  return html`<p><a class=${isMore ? 'warn' : 'good'} href=${addressOf('/cost/why', { period: 'billing' })}>${amount} ${isMore ? 'more' : 'less'}</a> than ${was}.</p>${gap !== undefined && html`<p class="detail">That is not wholly known. ${gap}</p>`}`;
}

/** Savings of findings, the most first. */
export function drawSaving({ saving, rests_on, running }: OverviewAnswer): Markup {
  const title = 'What could be saved';
  if (saving === null) {
    const isHeldUp = rests_on?.is_whole === false;
    const detail = isHeldUp ? 'This is not known yet.' : 'Findings are being looked for.';
    return card({ title, href: '/findings', detail });
  }
  if (saving.findings === 0) {
    const none =
      running.projects === 0 ? 'There are no projects.' : 'Nothing was found that endpoints might not need.';
    return card({ title, href: '/findings', detail: none });
  }
  const { figure, words } = headlineOf(showSaving(saving, saving.currency));
  return card({
    title,
    href: '/findings',
    figure,
    detail: `${words}, by ${showNumber(saving.findings)} finding${saving.findings === 1 ? '' : 's'}, the largest of which are:`,
    content: html`<ol class="facts-list">${saving.costliest.map(each => drawFinding(each, saving.currency))}</ol>`,
  });
}

function drawFinding(finding: Saving['costliest'][number], currency: string | null): Markup {
  const { account, project_id, project_name, advice } = finding;
  return html`<li><strong>${saySaving(showSaving(finding, currency))}</strong> <a href=${pathOf('projects', account, project_id)}>${shownName(project_name ?? project_id)}</a> <span class="detail">${advice}</span></li>`;
}
