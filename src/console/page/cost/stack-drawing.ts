import { sumDecimals } from '../../answer-field.ts';
import { addressOf, pathOf } from '../../part/address.ts';
import { type StackedBar, stackedBars } from '../../part/chart/stacked-bar.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import { showDecimal, showMoney, showMoneyBriefly } from '../../part/number.ts';
import { shownName } from '../../part/shown-text.ts';
import { type TableColumn, table } from '../../part/table.ts';
import type { CostSeries, CostStack } from './cost-answer.ts';

/** Series with a colour of their own; one more has all others. */
const mostColours = 7;

/** A colour of the chart. */
interface Layer {
  readonly name: string;
  readonly colour: number;
  readonly cost: string | null;
  readonly byStep: readonly (string | null)[];
}

/** Cost by step as bars, with their table. */
export function drawStack(cost: CostStack): Markup {
  const { currency, step, series } = cost;
  const what = nameAxis(cost);
  if (series.length === 0)
    return html`<p class="empty">Nothing was used in this period, as far as is known.</p>`;
  const money = shower(currency);
  const layers = layersOf(series);
  return html`<h2>By ${step} and ${what}</h2>
<ul class="legend">${layers.map(({ name, colour }) => html`<li><svg class="swatch" viewBox="0 0 10 10" aria-hidden="true"><rect class=${`series-${colour}`} width="10" height="10" /></svg> ${name}</li>`)}</ul>
<div class="wide bars" tabindex="0" role="region" aria-label=${`Chart of cost by ${step}`}>${stackedBars({ label: describe(cost, layers, money), bars: barsOf(cost, layers, money), showTick: decimal => showMoneyBriefly(decimal, currency) })}</div>
<details><summary>The same figures as a table</summary>${table({
    caption: `Cost by ${step} and ${what}`,
    whenEmpty: '',
    rows: cost.steps.map((each, index) => ({ each, index })),
    columns: [
      { title: step, show: ({ each }) => each.label },
      ...layers.map(({ name, byStep }) => ({
        title: name,
        isNumber: true,
        show: ({ index }: { readonly index: number }) => money(byStep[index] ?? null),
      })),
      { title: 'total', isNumber: true, show: ({ each }) => money(each.cost) },
    ],
    totals: ['total', ...layers.map(layer => money(layer.cost)), money(cost.cost)],
  })}</details>`;
}

/** Cost in the whole period, the dearest first. */
export function drawSeries(cost: CostStack, chosenAccount: string): Markup | null {
  const { currency, by, series } = cost;
  if (series.length === 0) return null;
  const money = shower(currency);
  const hours = (decimal: string | null) => (decimal === null ? '' : showDecimal(decimal));
  const hourColumns: readonly TableColumn<CostSeries>[] =
    by === 'line'
      ? []
      : [
          {
            title: 'Compute hours',
            word: 'compute_hour',
            isNumber: true,
            show: ({ used_hours }) => hours(used_hours),
          },
        ];
  return html`<h2>By ${nameAxis(cost)}</h2>
${table({
  caption: `Cost by ${nameAxis(cost)}`,
  whenEmpty: '',
  rows: series,
  columns: [
    { title: `${by.charAt(0).toUpperCase()}${by.slice(1)}`, show: each => nameOf(each, cost, chosenAccount) },
    {
      title: 'Cost',
      isNumber: true,
      show: each => (each.cost === null ? (each.no_cost ?? '') : money(each.cost)),
    },
    ...hourColumns,
  ],
  totals: ['total', money(cost.cost), ...hourColumns.map(() => hours(cost.used_hours))],
})}`;
}

function nameAxis({ by, grouping }: CostStack): string {
  return by === 'group' ? `group (${grouping})` : by;
}

function shower(currency: string | null): (decimal: string | null) => string {
  return decimal => (decimal === null ? '' : showMoney(decimal, currency));
}

function nameOf(
  { name, kind, account, project_id }: CostSeries,
  { by, grouping }: CostStack,
  chosenAccount: string,
): Content {
  const shown = shownName(name);
  if (by === 'group' && kind === 'scope') {
    const asked = { group: `${grouping}/${name}`, account: chosenAccount, gone: 'all' };
    return html`<a href=${addressOf('/projects', asked)}>${shown}</a>`;
  }
  if (account === null || project_id === null) return shown;
  return html`<a href=${pathOf('projects', account, project_id)}>${shown}</a> <span class="quiet">${shownName(account)}</span>`;
}

function layersOf(series: readonly CostSeries[]): readonly Layer[] {
  const costing = series.filter(({ cost }) => cost !== null && Number(cost) !== 0);
  const isNamed = ({ kind }: CostSeries) => kind !== 'others';
  const named = costing.filter(isNamed).slice(0, mostColours);
  const rest = costing.filter(each => !named.includes(each));
  const layers = named.map(({ name, cost, cost_by_step }, index) => ({
    ...{ name: shownName(name), cost, colour: index + 1, byStep: cost_by_step },
  }));
  if (rest.length === 0) return layers;
  const byStep = (rest[0]?.cost_by_step ?? []).map((_, step) =>
    sumDecimals(rest.map(({ cost_by_step }) => cost_by_step[step] ?? null)),
  );
  const cost = sumDecimals(rest.map(each => each.cost));
  return [...layers, { name: 'all others', cost, colour: mostColours + 1, byStep }];
}

function barsOf(
  { steps }: CostStack,
  layers: readonly Layer[],
  money: (decimal: string | null) => string,
): readonly StackedBar[] {
  return steps.map(({ label }, index) => ({
    name: label,
    parts: layers.flatMap(({ name, colour, byStep }) => {
      const cost = byStep[index] ?? null;
      return cost === null
        ? []
        : [{ series: colour, value: Number(cost), title: `${label}, ${name}: ${money(cost)}` }];
    }),
  }));
}

/** The chart in words. */
function describe(
  { steps, step, cost, period }: CostStack,
  layers: readonly Layer[],
  money: (decimal: string | null) => string,
): string {
  const dearest = steps.toSorted((a, b) => Number(b.cost ?? 0) - Number(a.cost ?? 0))[0];
  const parts = layers.map(layer => `${layer.name} ${money(layer.cost)}`).join(', ');
  const most =
    dearest === undefined || dearest.cost === null
      ? ''
      : ` Most in the ${step} ${dearest.label}: ${money(dearest.cost)}.`;
  return `Cost by ${step} in ${period.label}: ${money(cost)} in all, of which ${parts}.${most}`;
}
