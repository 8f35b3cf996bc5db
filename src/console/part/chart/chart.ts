import { html, type Markup } from '../html.ts';
import { type TableColumn, table } from '../table.ts';
import type { Chart, ChartStep } from './declaration.ts';
import { drawLanes, laneHeight, nameLanes } from './lane.ts';
import { drawLegend } from './legend.ts';
import { drawReadings } from './reading.ts';
import { largestOf, percent, placeOf, round, type ValueScale, valueScale } from './scale.ts';
import { drawSeries, readSeries, valuesOf } from './series.ts';
import { sayPart } from './step.ts';

/** Draws a chart as wide as its place is: its text keeps its size on every screen. */
export function drawChart(chart: Chart): Markup {
  const { id, label, steps, series = [], limits = [], lanes = [], size } = chart;
  const scale = series.length === 0 ? undefined : valueScale(valuesOf(series, limits));
  const tall = lanes.length === 0 ? undefined : lanes.length * laneHeight;
  const place = placeOf(steps);
  return html`<figure class=${`chart${size === undefined ? '' : ` ${size}`}`} id=${id}>
${drawLegend(chart)}
<div class="plot">${scale === undefined ? nameLanes(lanes) : drawValueAxis(scale, chart)}
<div class="canvas"><svg class="drawing" role="img" aria-label=${label} height=${tall}>
${drawNow(steps)}
${scale?.ticks.map(tick => html`<line class=${tick === 0 ? 'ax' : 'gl'} x2="100%" y1=${heightAt(scale, tick)} y2=${heightAt(scale, tick)} />`)}
${lanes.length > 0 && drawTickLines(chart)}
${scale !== undefined && drawSeries({ steps, series, limits, scale, place })}
${drawLanes(lanes, place, chart.annotations?.map(({ at }) => at) ?? [])}
${chart.unread && html`<rect class="unread" x=${percent(place(chart.unread.fromAt))} width=${percent(place(chart.unread.untilAt) - place(chart.unread.fromAt))} height="100%" fill="url(#hm)" />`}
${drawAnnotations(chart, place)}</svg>
${drawReadings(chart)}</div>
${drawTimeAxis(chart)}</div>
<details><summary>The same as a table</summary>${chart.table ?? drawTable(chart)}</details></figure>`;
}

function heightAt({ low, high }: ValueScale, value: number): string {
  return percent(1000 * (1 - (value - low) / (high - low)));
}

/** Characters are about as wide; more of them need more room. */
const characterWidth = 6.7;

function drawValueAxis(scale: ValueScale, { showTick = text => text }: Chart): Markup {
  const texts = scale.ticks.map(tick => showTick((tick || 0).toFixed(scale.decimals)));
  const wide = Math.ceil(characterWidth * largestOf(texts.map(({ length }) => length))) + 8;
  return html`<svg class="values" width=${wide} aria-hidden="true">${scale.ticks.map((tick, index) => html`<text x=${wide - 8} y=${heightAt(scale, tick)} dy="4">${texts[index]}</text>`)}</svg>`;
}

/** The step that is not over yet stands out from the others. */
function drawNow(steps: readonly ChartStep[]): readonly Markup[] {
  const wide = 1000 / Math.max(1, steps.length);
  return steps.flatMap(({ state }, index) =>
    state === 'running'
      ? [html`<rect class="running" x=${percent(index * wide)} width=${percent(wide)} height="100%" />`]
      : [],
  );
}

/** Names of steps below the axis, at most, and half of them on a phone. */
const mostTicks = 8;

interface Tick {
  readonly text: string;
  /** Thousandths of the width. */
  readonly x: number;
  readonly isRunning: boolean;
  readonly isOnPhones: boolean;
}

function ticksOf({ steps, ticks }: Chart): readonly Tick[] {
  const wide = 1000 / Math.max(1, steps.length);
  const place = placeOf(steps);
  const named =
    ticks?.map(({ at, text }) => ({ text, x: place(at), isRunning: false })) ??
    steps.flatMap(({ tick, state }, index) => {
      const x = round((index + 0.5) * wide);
      return tick === undefined ? [] : [{ text: tick, x, isRunning: state === 'running' }];
    });
  const every = Math.ceil(named.length / mostTicks);
  const running = named.findIndex(({ isRunning }) => isRunning);
  const isNear = (index: number, far: number) =>
    running >= 0 && index !== running && Math.abs(index - running) < far;
  const last = named.length - 1;
  const isOneOf = (index: number, far: number) =>
    index === running ||
    (!isNear(index, far) && (index === last || (index % far === 0 && last - index >= far)));
  return named
    .map((each, index) => ({
      ...each,
      isShown: isOneOf(index, every),
      isOnPhones: isOneOf(index, 2 * every),
    }))
    .filter(({ isShown }) => isShown);
}

function drawTickLines(chart: Chart): readonly Markup[] {
  return ticksOf(chart).map(({ x }) => html`<line class="gl" x1=${percent(x)} x2=${percent(x)} y2="100%" />`);
}

/** A name that begins or ends so near to a side stands inside of it. */
const nearSide = 25;

function drawTimeAxis(chart: Chart): Markup {
  const anchor = (x: number) => (x < nearSide ? null : x > 1000 - nearSide ? 'e' : 'mid');
  return html`<svg class="times" height="22" aria-hidden="true">${ticksOf(chart).map(
    ({ text, x, isRunning, isOnPhones }) => {
      const name = [anchor(x), isRunning && 'k', !isOnPhones && 'wd'].filter(Boolean).join(' ');
      const at = x < nearSide ? 0 : x > 1000 - nearSide ? 1000 : x;
      return html`<text class=${name || null} x=${percent(at)} y="16">${text}</text>`;
    },
  )}</svg>`;
}

function drawAnnotations({ annotations = [] }: Chart, place: (at: number) => number): readonly Markup[] {
  return annotations.map(({ at }) => {
    const x = percent(place(at));
    return html`<line class="note" x1=${x} x2=${x} y2="100%" />`;
  });
}

/** The figures of the readings again, for those who look for one of them. */
function drawTable({ label, steps, series = [], totals, stepNoun, show = text => text }: Chart): Markup {
  return table({
    caption: label,
    rows: steps.map((step, index) => ({ step, index })),
    columns: [
      { title: stepNoun, show: ({ step }) => [step.name, sayPart(step)].filter(Boolean).join(', ') },
      ...series.map(
        (each): TableColumn<{ readonly step: ChartStep; readonly index: number }> => ({
          number: each.name,
          show: ({ step, index }) => readSeries(each, step, index, show),
        }),
      ),
      totals !== undefined && { number: 'all', show: ({ index }) => totals[index] && show(totals[index]) },
    ],
  });
}
