import * as v from 'valibot';
import { cutIntoSteps } from '../../../cost/calendar/step.ts';
import type { MadeReport } from '../../../report/maker.ts';
import type { ReportOptions } from '../../../report/parameter.ts';
import type { ReadRow } from '../../../report/report-list.ts';
import { dayMs, type Span } from '../../../resources/duration.ts';
import { dateOf } from '../../../resources/utc-date.ts';
import { decimalField, instantField, spanField, stepField } from '../../answer-field.ts';
import { sumDecimals, writeInstant, writeSpan, writeStep } from '../../answer-value.ts';
import type { ConsoleConfig } from '../../console-config.ts';
import type { DrawContext } from '../../page.ts';
import { addressOf } from '../../part/address.ts';
import { textCard } from '../../part/card.ts';
import { drawChart } from '../../part/chart/chart.ts';
import { chartSteps } from '../../part/chart/step.ts';
import { html, type Markup } from '../../part/html.ts';
import { showHours, showMoney, showMoneyBriefly, showNumber } from '../../part/number.ts';
import { onTap } from '../../part/on-tap.ts';
import { table } from '../../part/table.ts';
import { readRows, readTotals } from '../../report-row.ts';

const dayField = v.object({
  day: v.string(),
  compute_hours: v.nullable(decimalField),
  awake_hours: v.nullable(decimalField),
  starts: v.nullable(v.number()),
  cost: v.nullable(decimalField),
  /** Why there is no cost, such as `unpriced`. */
  cost_missing: v.nullable(v.string()),
});
type DayAnswer = v.InferOutput<typeof dayField>;

export const daysField = v.object({
  period: v.nullable(v.object({ ...spanField.entries, timezone: v.string(), known_until: instantField })),
  /** All days of the period, also those in which nothing was used. */
  steps: v.array(stepField),
  currency: v.nullable(v.string()),
  days: v.array(dayField),
  total: v.object({ compute_hours: v.nullable(decimalField), cost: v.nullable(decimalField) }),
  /** Reports that are still being made: their figures are null. */
  pending: v.array(v.string()),
  partial: v.boolean(),
  notes: v.array(v.string()),
});
type DaysAnswer = v.InferOutput<typeof daysField>;

/** The fewest days that a range shows: a day alone tells nothing. */
const leastDays = 30;

/** The options of `report usage` and `report cost` of a project by day. */
export function askDailyUse(
  { usage }: Pick<ConsoleConfig, 'usage'>,
  { account, project_id }: { readonly account: string; readonly project_id: string },
  range: Span,
): ReportOptions {
  return { period: daysOf(range, usage.timezone), project: `${account}/${project_id}`, step: 'day' };
}

/** Use and cost of a project by day, as the two reports have it. */
export function writeDailyUse(
  { usage, cost }: { readonly usage?: MadeReport | undefined; readonly cost?: MadeReport | undefined },
  pending: readonly string[],
): DaysAnswer {
  const ready = [usage, cost].filter(report => report !== undefined);
  const period = ready[0]?.period;
  return {
    period: period
      ? {
          ...writeSpan(period),
          timezone: period.timezone,
          known_until: writeInstant(ready[0]?.generatedAt ?? period.untilAt),
        }
      : null,
    steps: period === undefined ? [] : daysIn(period).map(writeStep),
    currency: cost?.currency ?? null,
    days: joinDays(usage, cost),
    total: {
      compute_hours: (usage && readTotals<'usage'>(usage)?.compute_hours) ?? null,
      cost: (cost && readTotals<'cost'>(cost)?.cost) ?? null,
    },
    pending: [...pending],
    partial: ready.some(({ partial }) => partial),
    notes: [...new Set(ready.flatMap(({ notes }) => notes))],
  };
}

/** Whole days, the last one that of its end, as a report is asked for them. */
function daysOf({ fromAt, untilAt }: Span, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone });
  const beginAt = Math.min(fromAt, untilAt - (leastDays - 1) * dayMs);
  const last = format.format(untilAt);
  const next = dateOf(Date.parse(`${last}T00:00:00Z`) + dayMs);
  return `${format.format(beginAt)}..${next}`;
}

function daysIn({ fromAt, untilAt, timezone: zone }: MadeReport['period']) {
  return cutIntoSteps('day', { fromAt, untilAt, zone, billedStretch: { fromAt, untilAt } });
}

function joinDays(usage: MadeReport | undefined, cost: MadeReport | undefined): DayAnswer[] {
  const byDay = <Row extends ReadRow<'usage'> | ReadRow<'cost'>>(rows: readonly Row[]) =>
    new Map(rows.map(row => [row.step ?? '', row]));
  const uses = byDay(usage ? readRows<'usage'>(usage) : []);
  const costs = byDay(cost ? readRows<'cost'>(cost) : []);
  return [...new Set([...uses.keys(), ...costs.keys()])].sort().map(day => ({
    day,
    compute_hours: (uses.has(day) ? uses.get(day)?.compute_hours : costs.get(day)?.used_hours) ?? null,
    awake_hours: uses.get(day)?.awake_hours ?? null,
    starts: uses.get(day)?.starts ?? null,
    cost: costs.get(day)?.cost ?? null,
    cost_missing: costs.get(day)?.missing.cost ?? null,
  }));
}

/** Compute hours and cost by day, as bars and as a table. */
export function drawDailyUse(use: DaysAnswer, context: Pick<DrawContext<unknown>, 'path'>): Markup {
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

function drawDays(use: DaysAnswer, { path }: Pick<DrawContext<unknown>, 'path'>): Markup {
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
${onTap(
  'Each day',
  drawChart({
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
  }),
)}`;
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

/** The notes of a day, below its figure. */
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
