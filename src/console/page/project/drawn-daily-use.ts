import { dayMs } from '../../../resources/duration.ts';
import type { DrawContext } from '../../page.ts';
import { dayBars } from '../../part/chart/day-bar.ts';
import { html, type Markup } from '../../part/html.ts';
import { showDecimal, showMoney, showNumber } from '../../part/number.ts';
import { table } from '../../part/table.ts';
import type { DayAnswer, DaysAnswer, ProjectQuery } from './project-schema.ts';

/** Compute hours and cost by day, as bars and as a table. */
export function drawDailyUse(use: DaysAnswer, _context: DrawContext<ProjectQuery>): Markup {
  const { days, pending, partial, notes } = use;
  const wait = html`<p class="notes">The figures of ${pending.join(' and ')} are being worked out: they are here in a moment.</p>`;
  return html`<h2 id="use">Compute hours and cost by day</h2>
${pending.length > 0 && wait}
${days.length === 0 && pending.length === 0 && html`<p class="empty">Nothing was used in this time.</p>`}
${days.length > 0 && drawDays(use)}
${partial && html`<p class="warn">Something is missing in these figures: see below.</p>`}
${notes.length > 0 && html`<details open=${partial}><summary>What these figures are</summary><ul class="notes">${notes.map(note => html`<li>${note}</li>`)}</ul></details>`}`;
}

function drawDays(use: DaysAnswer): Markup {
  const { days, currency, total, period } = use;
  const all = fillDays(use);
  const [first, last] = [all[0]?.day ?? '', all.at(-1)?.day ?? ''];
  const hours = showDecimal(total.compute_hours ?? '0');
  const money = currency !== null && total.cost !== null ? showMoney(total.cost, currency) : null;
  const hourBars = all.map(each =>
    bar(each.day, each.compute_hours, text => `${showDecimal(text)} compute hours`),
  );
  const costBars = all.map(each => bar(each.day, each.cost, text => showMoney(text, currency)));
  return html`<p><strong>${hours}</strong> compute hours${money !== null && html`, <strong>${money}</strong>`}, from ${first} to ${last}${period !== null && ` (${period.timezone})`}.</p>
<h3>Compute hours</h3>
<p class="detail">${sayMost(hourBars)}</p>
${dayBars({ label: `Compute hours by day from ${first} to ${last}: ${hours} in all. ${sayMost(hourBars)}`, bars: hourBars, tone: 'series-1' })}
${
  money !== null &&
  html`<h3>Cost</h3>
<p class="detail">${sayMost(costBars)}</p>
${dayBars({ label: `Cost by day from ${first} to ${last}: ${money} in all. ${sayMost(costBars)}`, bars: costBars, tone: 'series-2' })}`
}
<div class="ticks" aria-hidden="true"><span>${first}</span><span>${last}</span></div>
<details><summary>The same as a table</summary>${dayTable(days, currency)}</details>`;
}

function bar(day: string, text: string | null, show: (text: string) => string) {
  return { value: Number(text ?? 0), title: `${day}: ${text === null ? 'nothing' : show(text)}` };
}

function sayMost(bars: readonly { readonly value: number; readonly title: string }[]): string {
  const most = bars.reduce((highest, each) => (each.value > highest.value ? each : highest), {
    value: 0,
    title: 'none',
  });
  return `Most on ${most.title}`;
}

/** Also the days in which nothing was used, so that the axis is one of time. */
function fillDays({
  days,
  period,
}: DaysAnswer): readonly Pick<DayAnswer, 'day' | 'compute_hours' | 'cost'>[] {
  const known = new Map(days.map(each => [each.day, each]));
  if (period === null) return days;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: period.timezone });
  const last = format.format(Date.parse(period.until) - 1);
  const filled = [];
  let day = format.format(Date.parse(period.from));
  while (day <= last && filled.length <= 400) {
    filled.push(known.get(day) ?? { day, compute_hours: null, cost: null });
    day = new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
  }
  return filled;
}

function dayTable(days: readonly DayAnswer[], currency: string | null): Markup {
  return table({
    caption: 'Compute hours and cost by day, the newest first',
    whenEmpty: '',
    rows: days.toReversed(),
    columns: [
      { title: 'Day', show: ({ day }) => day },
      {
        title: 'Compute hours',
        isNumber: true,
        show: ({ compute_hours }) => (compute_hours === null ? '' : showDecimal(compute_hours)),
      },
      {
        title: 'Awake hours',
        isNumber: true,
        show: ({ awake_hours }) => (awake_hours === null ? '' : showDecimal(awake_hours)),
      },
      { title: 'Starts', isNumber: true, show: ({ starts }) => (starts === null ? '' : showNumber(starts)) },
      ...(currency === null
        ? []
        : [
            {
              title: 'Cost',
              isNumber: true,
              show: ({ cost, cost_missing }: DayAnswer) =>
                cost === null ? (cost_missing ?? '') : showMoney(cost, currency),
            },
          ]),
    ],
  });
}
