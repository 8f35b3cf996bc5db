import { html, type Markup } from '../html.ts';
import type { Chart, ChartStep, Lane } from './declaration.ts';
import { swatch } from './legend.ts';
import { readSeries } from './series.ts';
import { sayPart } from './step.ts';

/**
 * The columns of a chart, to be pointed at, reached by the keyboard or touched: each has a line through the chart and all
 * values beside it.
 */
export function drawReadings(chart: Chart): Markup {
  const { steps, stepNoun } = chart;
  return html`<ol class="readings" aria-label=${`Values by ${stepNoun}`}>${steps.map((step, index) => html`<li>${drawReading(chart, step, index)}</li>`)}</ol>`;
}

function drawReading(chart: Chart, step: ChartStep, index: number): Markup {
  const name = `day${index >= chart.steps.length / 2 ? ' back' : ''}`;
  const tip = drawTip(chart, step, index);
  return step.href === undefined
    ? html`<span class=${name} tabindex="0">${tip}</span>`
    : html`<a class=${name} href=${step.href}>${tip}</a>`;
}

/** What happened in a step, and what was stuck in it. */
function sayInStep({ said, stuck = [] }: Lane, { fromAt, untilAt }: ChartStep, index: number): string {
  const open = stuck.filter(each => each.fromAt < untilAt && each.untilAt > fromAt);
  return [said[index], ...open.map(({ words }) => words)].filter(Boolean).join(', ');
}

function drawTip(chart: Chart, step: ChartStep, index: number): Markup {
  const { series = [], lanes = [], limits = [], totals, show = text => text } = chart;
  const rows = series
    .flatMap((each, place) => {
      const text = readSeries(each, step, index, show);
      return text === undefined
        ? []
        : [html`<span data-row=${place}>${swatch(each)}${each.name} <b>${text}</b></span>`];
    })
    .reverse();
  const said = lanes.flatMap(lane => {
    const words = sayInStep(lane, step, index);
    return words === '' ? [] : [html`<span>${lanes.length > 1 ? `${lane.name} ` : ''}<b>${words}</b></span>`];
  });
  const total = totals?.[index] ?? null;
  const words = step.state === 'expected' ? 'to come' : sayPart(step);
  return html`<span class="tip"><span class="of">${step.name}${words !== undefined && html` <i>${words}</i>`} ${total !== null && html`<b>${show(total)}</b>`}</span>${rows}${said}${rows.length + said.length === 0 && html`<span>${lanes.length > 0 ? 'there was no endpoint' : 'nothing'}</span>`}${rows.length > 0 && limits.map(({ name }) => html`<span class="m">${name}</span>`)}${chart.unread && step.untilAt > chart.unread.fromAt && step.fromAt < chart.unread.untilAt && html`<span class="m">not all of it was read</span>`}${step.notes?.map(note => html`<span class="m">${note}</span>`)}</span>`;
}
