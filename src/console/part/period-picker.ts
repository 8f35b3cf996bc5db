import { periodName } from '../../report/format/period-name.ts';
import { capital } from '../../report/format/shown-cell.ts';
import { dayMs } from '../../resources/duration.ts';
import { dateOf } from '../../resources/utc-date.ts';
import type { OfferedPeriod, OfferedPeriods } from '../chosen-period.ts';
import { addressOf } from './address.ts';
import { longDay } from './chart/step.ts';
import { hiddenFields } from './filter-form.ts';
import { html, type Markup } from './html.ts';
import { icon } from './icon.ts';
import { shownName } from './shown-text.ts';

type State = Readonly<Record<string, string | number | undefined>>;

const briefNames: Readonly<Record<string, string>> = {
  billing: 'This period',
  'last-billing': 'Last period',
  'this-month': 'This month',
  'last-month': 'Last month',
  'last-30d': '30 days',
};

/** Leads to the same page of another period: one of a few at a click, a month, a quarter, or any days. */
export function periodPicker<Query extends { readonly period: string }>(
  path: string,
  query: Query & { readonly [Key in keyof Query]: string | number | undefined },
  { periods, more_periods, known_since }: OfferedPeriods,
): Markup {
  const { cursor: _cursor, ...state } = query as State & { readonly period: string };
  const chosen = periods.find(({ period }) => period === query.period);
  const link = (period: string, name: string) =>
    html`<a href=${addressOf(path, { ...state, period })} aria-current=${period === query.period ? 'true' : null}>${name}</a>`;
  const days = chosen && `${chosen.first_day} to ${chosen.last_day}`;
  return html`${days !== undefined && html`<span class="s nw only-wide">${days}</span>`}
<span class="printed">${days ?? shownName(periodName(query.period))}, drawn ${todayOf(periods)}</span>
<nav class="seg" aria-label="Period">${periods.map(({ period }) => link(period, briefNames[period] ?? capital(periodName(period).replace(/^billing period /, ''))))}</nav>
<details class="pick period"><summary>${chosen === undefined ? shownName(periodName(query.period)) : 'Other'}${icon('down')}</summary><div class="menu">
${groups.map(({ title, pattern }) => drawGroup(title, pattern, more_periods, link))}${known_since !== null && html`<p class="s">Known since ${longDay(known_since)}</p>`}
${drawDays(path, state, known_since)}</div></details>`;
}

/** Leads from an address whose period cannot be shown to the same page of another one. */
export function otherPeriodPicker(path: string, search: string, offered: OfferedPeriods): Markup {
  const given = Object.fromEntries(new URLSearchParams(search));
  const { from = '', to = '', period = readDays(from, to) ?? '', ...state } = given;
  return periodPicker(path, { ...state, period }, offered);
}

/** The last day that any of the periods has. */
function todayOf(periods: readonly OfferedPeriod[]): string | undefined {
  return periods
    .map(({ last_day }) => last_day)
    .toSorted()
    .at(-1);
}

const groups = [
  { title: 'Month', pattern: /^(\d{4}-\d\d)$/ },
  { title: 'Quarter', pattern: /^(\d{4}-Q\d)$/ },
  { title: 'Billing period from', pattern: /^billing:(.*)$/ },
] as const;

function drawGroup(
  title: string,
  pattern: RegExp,
  periods: readonly OfferedPeriod[],
  link: (period: string, name: string) => Markup,
): Markup | null {
  const links = periods.flatMap(({ period }) => {
    const name = pattern.exec(period)?.[1];
    return name === undefined ? [] : [link(period, name)];
  });
  return links.length === 0 ? null : html`<p class="s">${title}</p><div class="months">${links}</div>`;
}

/** From one day to another, both with it; {@link readDays} takes it without a script. */
function drawDays(
  path: string,
  { period, ...state }: State & { readonly period: string },
  known_since: string | null,
): Markup {
  const [, from, until] = /^(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$/.exec(period) ?? [];
  const to = until === undefined ? undefined : moveDay(until, -1);
  return html`<form class="days" method="get" action=${path} autocomplete="off">${hiddenFields(state)}
<label class="s">From<input class="field" type="date" name="from" value=${from} required /></label><label class="s">To<input class="field" type="date" name="to" value=${to} min=${known_since} required /></label><button class="btn" type="submit">Show</button></form>`;
}

/** The period from one day to another, both included; undefined where they are no days. */
export function readDays(from: string, to: string): string | undefined {
  const until = moveDay(to, 1);
  return moveDay(from, 0) === undefined || until === undefined ? undefined : `${from}..${until}`;
}

function moveDay(day: string, days: number): string | undefined {
  const at = Date.parse(`${day}T00:00:00Z`);
  // The 31st of February is read as a day of March.
  if (Number.isNaN(at) || dateOf(at) !== day) return undefined;
  return dateOf(at + days * dayMs);
}
