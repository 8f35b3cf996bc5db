import { dayMs } from '../../../resources/duration.ts';
import { sumDecimals } from '../../answer-field.ts';
import { addressOf, pathOf } from '../../part/address.ts';
import { drawChart } from '../../part/chart/chart.ts';
import type { BarSeries, Tone } from '../../part/chart/declaration.ts';
import { chartSteps, type WrittenStep } from '../../part/chart/step.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import { showDecimal, showMoney, showMoneyBriefly } from '../../part/number.ts';
import { shownName } from '../../part/shown-text.ts';
import { type TableColumn, table } from '../../part/table.ts';
import type { CostSeries, CostStack } from './cost-answer.ts';

/** Cost by step as bars, with their table. */
export function drawStack(cost: CostStack, account: string): Markup {
  const { currency, step, series, steps } = cost;
  if (series.length === 0)
    return html`<p class="empty">Nothing was used in this period, as far as is known.</p>`;
  return drawChart({
    id: 'cost-by-step',
    label: describe(cost),
    steps: chartSteps(steps, step, Date.parse(cost.generated_at), each =>
      addressOf('/cost', { period: periodOf(each, step), by: 'project', account }),
    ),
    series: stackOf(cost, account),
    totals: steps.map(each => each.cost),
    show: decimal => showMoney(decimal, currency),
    showTick: decimal => showMoneyBriefly(decimal, currency),
    stepNoun: step,
  });
}

/** The word for the period of a step alone. */
function periodOf({ label }: WrittenStep, step: CostStack['step']): string {
  if (step !== 'week') return label;
  return `${label}..${new Date(Date.parse(label) + 7 * dayMs).toISOString().slice(0, 10)}`;
}

/** Cost in the whole period, the dearest first. */
export function drawSeries(cost: CostStack, chosenAccount: string): Markup | null {
  const { currency, by, series } = cost;
  if (series.length === 0) return null;
  const money = (decimal: string | null) => (decimal === null ? '' : showMoney(decimal, currency));
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

function nameOf(each: CostSeries, cost: CostStack, chosenAccount: string): Content {
  const shown = shownName(each.name);
  const href = placeOf(each, cost, chosenAccount);
  return html`${href === undefined ? shown : html`<a href=${href}>${shown}</a>`}${each.project_id !== null && html` <span class="quiet">${shownName(each.account ?? '')}</span>`}`;
}

/** The page about what a series is of. */
function placeOf(
  { name, kind, account, project_id }: CostSeries,
  { by, grouping }: CostStack,
  chosenAccount: string,
): string | undefined {
  if (by === 'group' && kind === 'scope')
    return addressOf('/projects', { group: `${grouping}/${name}`, account: chosenAccount, gone: 'all' });
  return account === null || project_id === null ? undefined : pathOf('projects', account, project_id);
}

/** Series with a colour of their own; what has no group, charges and all others are grey. */
const mostTones = 7;

/** The dearest have a layer each, and all others one: the same names have the same colours, whatever they cost. */
function stackOf(cost: CostStack, account: string): readonly BarSeries[] {
  const costing = cost.series.filter(each => each.cost !== null && Number(each.cost) !== 0);
  const coloured = costing
    .filter(({ kind, name }) => kind === 'scope' && name !== 'ungrouped')
    .slice(0, mostTones);
  const byName = coloured.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const grey = costing.filter(
    each => !coloured.includes(each) && (each.kind === 'charge' || each.name === 'ungrouped'),
  );
  const rest = costing.filter(each => !coloured.includes(each) && !grey.includes(each));
  const layer = (each: CostSeries, tone: Tone): BarSeries => {
    const href = placeOf(each, cost, account);
    const name = shownName(each.name);
    return { kind: 'bars', name, tone, values: each.cost_by_step, ...(href !== undefined && { href }) };
  };
  const others = cost.steps.map((_, step) => sumDecimals(rest.map(each => each.cost_by_step[step] ?? null)));
  return [
    ...(rest.length > 0 ? [{ kind: 'bars', name: 'all others', tone: 0, values: others } as const] : []),
    ...grey.map(each => layer(each, 0)),
    ...byName.map((each, index) => layer(each, (index + 1) as Tone)),
  ];
}

/** The chart in words. */
function describe({ steps, step, cost, period, currency, ...of }: CostStack): string {
  const money = (decimal: string | null) => (decimal === null ? 'not known' : showMoney(decimal, currency));
  const dearest = steps.toSorted((a, b) => Number(b.cost ?? 0) - Number(a.cost ?? 0))[0];
  const most =
    dearest === undefined || dearest.cost === null
      ? ''
      : ` Most in the ${step} ${dearest.label}: ${money(dearest.cost)}.`;
  return `Cost by ${step} and ${of.by} in ${period.label}: ${money(cost)} in all.${most}`;
}
