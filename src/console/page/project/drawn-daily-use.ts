import { sumDecimals } from '../../answer-field.ts';
import type { DrawContext } from '../../page.ts';
import { addressOf } from '../../part/address.ts';
import { textCard } from '../../part/card.ts';
import { drawChart } from '../../part/chart/chart.ts';
import { chartSteps } from '../../part/chart/step.ts';
import { html, type Markup } from '../../part/html.ts';
import { showHours, showMoney, showMoneyBriefly, showNumber } from '../../part/number.ts';
import { table } from '../../part/table.ts';
import type { DaysAnswer, ProjectQuery } from './project-schema.ts';

/** Compute hours and cost by day, as bars and as a table. */
export function drawDailyUse(use: DaysAnswer, context: DrawContext<ProjectQuery>): Markup {
  const { days, pending, partial, notes } = use;
  const wait = html`<p class="notes">The figures of ${pending.join(' and ')} are being worked out: they are here in a moment.</p>`;
  return textCard(
    'Compute hours and cost by day',
    html`${pending.length > 0 && wait}
${days.length === 0 && pending.length === 0 && html`<p class="m">Nothing was used in this time.</p>`}
${days.length > 0 && drawDays(use, context)}
${partial && html`<p class="warn">Something is missing in these figures: see below.</p>`}
${notes.length > 0 && html`<details open=${partial}><summary>What these figures are</summary><ul class="notes">${notes.map(note => html`<li>${note}</li>`)}</ul></details>`}`,
    { id: 'use' },
  );
}

function drawDays(use: DaysAnswer, { path }: DrawContext<ProjectQuery>): Markup {
  const { currency, total, period, steps } = use;
  const hours = `${showHours(total.compute_hours ?? '0')} compute hours`;
  const money = currency !== null && total.cost !== null ? showMoney(total.cost, currency) : null;
  const columns = columnsOf(use);
  const knownUntilAt = Date.parse(period?.known_until ?? period?.until ?? '');
  const drawn = chartSteps(
    columns,
    columns.length < steps.length ? 'week' : 'day',
    knownUntilAt,
    each => `${addressOf(path, { from: each.from, until: each.until })}#timeline`,
  );
  const noted = drawn.map((step, index) => ({ ...step, notes: notesOf(columns[index]) }));
  const isPriced = money !== null;
  return html`<p><strong>${money ?? hours}</strong>${isPriced && html`, ${hours}`}, from ${steps[0]?.label} to ${steps.at(-1)?.label}${period !== null && ` (${period.timezone})`}.</p>
${drawChart({
  id: 'use-by-day',
  size: 'small',
  label: `${isPriced ? 'Cost' : 'Compute hours'} by day: ${money ?? hours} in all.`,
  steps: noted,
  series: [
    {
      kind: 'bars',
      name: isPriced ? 'cost' : 'compute hours',
      values: columns.map(each => (isPriced ? each.cost : each.compute_hours)),
    },
  ],
  show: text => showMoney(text, isPriced ? currency : null),
  showTick: text => showMoneyBriefly(text, isPriced ? currency : null),
  stepNoun: 'day',
  table: dayTable(columns, currency),
})}`;
}

/** More days are drawn by seven. */
const mostDays = 92;

/** Days of the chart, also those in which nothing was used, or as many weeks. */
function columnsOf({ days, steps }: DaysAnswer) {
  const known = new Map(days.map(each => [each.day, each]));
  const size = steps.length > mostDays ? 7 : 1;
  return Array.from({ length: Math.ceil(steps.length / size) }, (_, index) => {
    const own = steps.slice(index * size, (index + 1) * size);
    const found = own.flatMap(({ label }) => known.get(label) ?? []);
    const sum = (key: 'compute_hours' | 'awake_hours' | 'cost') => sumDecimals(found.map(each => each[key]));
    return {
      label: own[0]?.label ?? '',
      from: own[0]?.from ?? '',
      until: own.at(-1)?.until ?? '',
      ...{ compute_hours: sum('compute_hours'), awake_hours: sum('awake_hours'), cost: sum('cost') },
      starts: found.reduce((count, { starts }) => count + (starts ?? 0), 0),
      cost_missing: found.find(each => each.cost_missing !== null)?.cost_missing ?? null,
    };
  });
}

type Column = ReturnType<typeof columnsOf>[number];

/** What else is known of a day, below its figure. */
function notesOf(column: Column | undefined): readonly string[] {
  if (column === undefined || column.compute_hours === null) return [];
  const { compute_hours, awake_hours, starts, cost_missing } = column;
  return [
    `${showHours(compute_hours)} compute hours`,
    ...(awake_hours === null ? [] : [`awake for ${showHours(awake_hours)} hours`]),
    `${showNumber(starts)} start${starts === 1 ? '' : 's'}`,
    ...(cost_missing === null ? [] : [`cost is ${cost_missing}`]),
  ];
}

function dayTable(columns: readonly Column[], currency: string | null): Markup {
  return table({
    caption: 'Compute hours and cost by day, the newest first',
    whenEmpty: '',
    rows: columns.filter(each => each.compute_hours !== null).toReversed(),
    columns: [
      { title: 'Day', show: ({ label }) => label },
      { number: 'Compute hours', show: each => showHours(each.compute_hours) },
      { number: 'Awake hours', show: each => showHours(each.awake_hours) },
      { number: 'Starts', show: each => showNumber(each.starts) },
      currency !== null && {
        number: 'Cost',
        show: ({ cost, cost_missing }) => (cost === null ? cost_missing : showMoney(cost, currency)),
      },
    ],
  });
}
