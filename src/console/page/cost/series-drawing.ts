import { decimalsOf } from '../../../cost/money/decimal-sum.ts';
import { capital } from '../../../report/format/shown-cell.ts';
import { card } from '../../part/card.ts';
import { rowBar, spark } from '../../part/chart/spark.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import { showHours, showShare } from '../../part/number.ts';
import { shownName } from '../../part/shown-text.ts';
import { type TableColumn, table } from '../../part/table.ts';
import type { CostSeries, CostStack } from './cost-answer.ts';
import {
  comparedWith,
  isLastRunning,
  type Measure,
  nameCompared,
  sayIncomparable,
  shareMoved,
} from './cost-figure.ts';
import type { CostQuery } from './cost-stack.ts';
import { placeOf, tonesOf } from './stack-drawing.ts';

/** All that the period is cut by, the dearest first: its share, its days, and how it moved. */
export function drawSeries(stack: CostStack, measure: Measure, { account }: CostQuery): Markup | null {
  const { by, grouping, series } = stack;
  if (series.length === 0) return null;
  const what = by === 'group' ? (grouping ?? by) : by;
  return card(
    `By ${what}`,
    table({
      caption: `${measure.isMoney ? 'Cost' : 'Compute hours'} by ${what}`,
      isStacked: true,
      firstRows: 3,
      rows: series,
      columns: columnsOf(stack, measure, account, what),
    }),
    {
      beside: html`<span class="m">${comparedWith(stack) === null ? sayIncomparable(stack) : `change against ${nameCompared(stack)}`}</span>`,
      end:
        by === 'group' &&
        series.length === 1 &&
        html`<a class="a" href="/help/configuration.md">Set up groups</a>`,
    },
  );
}

/** The columns, each with its total. */
function columnsOf(stack: CostStack, measure: Measure, account: string, what: string) {
  const { by } = stack;
  const before = comparedWith(stack);
  const tones = tonesOf(stack, measure);
  const amount = measure.of(stack);
  const partOf = (each: CostSeries) => Number(measure.of(each) ?? 0) / (Number(amount ?? 0) || 1);
  const columns: readonly (TableColumn<CostSeries> | false)[] = [
    {
      ...{ title: capital(what), total: 'All' },
      show: each => nameOf(each, tones.get(each) ?? 0, placeOf(each, stack, account)),
    },
    {
      ...{ number: measure.isMoney ? 'Cost' : 'Compute hours', total: measure.show(amount) },
      show: each => showAmount(each, measure),
    },
    {
      title: 'Share',
      show: each =>
        html`<span class="share"><span>${showShare(partOf(each))}</span><span class="only-wide">${rowBar(partOf(each), tones.get(each) ?? 0)}</span></span>`,
    },
    stack.steps.length > 1 && {
      ...{ title: `Each ${stack.step}`, fold: 'no' },
      show: each =>
        html`<span class="only-wide">${spark({ label: `Each ${stack.step} of ${shownName(each.name)}`, values: measure.stepsOf(each).map(value => Number(value ?? 0)), look: 'bars', isRunning: isLastRunning(stack), width: 180 })}</span>`,
    },
    measure.isMoney &&
      by !== 'line' && {
        ...{ number: 'Compute hours', word: 'compute_hour', total: showHours(stack.used_hours) },
        show: each => showHours(each.used_hours),
      },
    before !== null && {
      ...{ number: capital(nameCompared(stack)), fold: 'no', total: measure.show(measure.of(before)) },
      show: each => measure.show(measure.of(each.before)),
    },
    before !== null && {
      ...{ number: 'Change', total: sayChange(amount, measure.of(before), measure) },
      show: each => showChange(each, stack, measure),
    },
  ];
  return columns;
}

function nameOf(each: CostSeries, tone: number, href: string | undefined): Content {
  const shown = shownName(each.name);
  return html`<svg class="swatch" viewBox="0 0 10 10" aria-hidden="true"><rect class=${`t${tone}`} width="10" height="10" rx="2" /></svg><b>${href === undefined ? shown : html`<a href=${href}>${shown}</a>`}</b>${each.project_id !== null && html` <span class="m">${shownName(each.account ?? '')}</span>`}`;
}

function showAmount(each: CostSeries, measure: Measure): Content {
  const amount = measure.of(each);
  return amount === null ? (each.no_cost ?? '') : html`<b>${measure.show(amount)}</b>`;
}

/** How much more or less; what was not there before is new where all of that is known. */
function showChange(each: CostSeries, { before }: CostStack, measure: Measure): Content {
  const is = measure.of(each);
  if (is === null) return '';
  if (each.before === null) return each.kind !== 'others' && before?.is_whole ? 'new' : '';
  return sayChange(is, measure.of(each.before), measure);
}

function sayChange(is: string | null, was: string | null, measure: Measure): Content {
  if (is === null || was === null) return '';
  const difference = Number(is) - Number(was);
  const amount = measure.show(Math.abs(difference).toFixed(decimalsOf(is)));
  if (!/[1-9]/.test(amount)) return 'as before';
  const share = shareMoved(is, was)?.slice(2);
  return html`${difference < 0 ? '▼' : '▲'} ${amount}${share !== undefined && html` <span class="s">${difference < 0 ? '−' : '+'}${share}</span>`}`;
}
