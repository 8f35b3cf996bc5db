import { html, type Markup } from '../html.ts';
import { table } from '../table.ts';
import { drawLanes, type Lane, laneHeight, nameLanes } from './lane.ts';
import { drawLegend } from './legend.ts';
import { drawReadings } from './reading.ts';
import { percent, placeOf, round, type ValueScale, valueScale } from './scale.ts';
import { type ChartSeries, drawSeries, type Limit, readSeries, valuesOf } from './series.ts';

/** A column of a chart: a day, a longer step, or a slice of a timeline. All are as wide. */
export interface ChartStep {
  /** As it is read: `Sat 21 Nov`. */
  readonly name: string;
  /** A few letters below the axis: `21 Nov`; absent where it needs none. */
  readonly tick?: string;
  /** Epoch milliseconds. */
  readonly fromAt: number;
  readonly untilAt: number;
  /** The page about it. */
  readonly href?: string;
  /** A step that is not over is hatched, and one that is expected has no figures yet. */
  readonly state?: 'running' | 'expected';
  /** Sentences on what happened in it. */
  readonly notes?: readonly string[];
}

/** Something that happened at an instant, such as a change of price. */
export interface Annotation {
  readonly at: number;
  readonly words: string;
}

/** A chart of figures or of states against time; every part of it is also in its readings and in its table. */
export interface Chart {
  /** Tells it from others of the page. */
  readonly id: string;
  /** The chart in words, for those who do not see it. */
  readonly label: string;
  readonly steps: readonly ChartStep[];
  readonly series?: readonly ChartSeries[];
  readonly limits?: readonly Limit[];
  readonly lanes?: readonly Lane[];
  readonly annotations?: readonly Annotation[];
  /** A decimal as people read it. */
  readonly show?: (decimal: string) => string;
  /** The same with little room, beside the axis. */
  readonly showTick?: (decimal: string) => string;
  /** What the parts of a stack come to, by step. */
  readonly totals?: readonly (string | null)[];
  /** The heading of the first column of the table, such as `day`. */
  readonly stepNoun: string;
  /** In place of the table that is made of the series. */
  readonly table?: Markup;
  /** A small one stands in a list. */
  readonly size?: 'small';
}

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
${scale !== undefined && scale.ticks.map(tick => html`<line class=${tick === 0 ? 'ax' : 'gl'} x2="100%" y1=${heightAt(scale, tick)} y2=${heightAt(scale, tick)} />`)}
${lanes.length > 0 && drawTickLines(chart)}
${scale !== undefined && drawSeries({ steps, series, limits, scale, place })}
${drawLanes(lanes, place)}
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
  const wide = Math.ceil(characterWidth * Math.max(...texts.map(({ length }) => length))) + 8;
  return html`<svg class="values" width=${wide} aria-hidden="true">${scale.ticks.map((tick, index) => html`<text x=${wide - 8} y=${heightAt(scale, tick)} dy="4">${texts[index]}</text>`)}</svg>`;
}

/** The step that is not over yet stands out from those that are. */
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

function ticksOf({ steps, lanes = [] }: Chart): readonly Tick[] {
  const wide = 1000 / Math.max(1, steps.length);
  const named = steps.flatMap(({ tick, state }, index) => {
    const x = round((index + (lanes.length > 0 ? 0 : 0.5)) * wide);
    return tick === undefined ? [] : [{ text: tick, x, isRunning: state === 'running' }];
  });
  const every = Math.ceil(named.length / mostTicks);
  const running = named.findIndex(({ isRunning }) => isRunning);
  const isNear = (index: number, far: number) =>
    running >= 0 && index !== running && Math.abs(index - running) < far;
  return named
    .map((each, index) => ({
      ...each,
      isShown: each.isRunning || (index % every === 0 && !isNear(index, every)),
      isOnPhones: each.isRunning || (index % (2 * every) === 0 && !isNear(index, 2 * every)),
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
  return annotations.map(({ at, words }) => {
    const x = place(at);
    const isRight = x > 500;
    return html`<g class="note"><line x1=${percent(x)} x2=${percent(x)} y2="100%" /><text class=${isRight ? 'wd e' : 'wd'} x=${percent(x)} dx=${isRight ? -5 : 5} y="11">${words}</text></g>`;
  });
}

/** The figures of the readings again, for those who look for one of them. */
function drawTable({ label, steps, series = [], totals, stepNoun, show = text => text }: Chart): Markup {
  const rows = steps.map((step, index) => ({ step, index }));
  const text = (decimal: string | null) => (decimal === null ? '' : show(decimal));
  return table({
    caption: label,
    whenEmpty: '',
    rows,
    columns: [
      { title: stepNoun, show: ({ step }) => step.name },
      ...series.map(each => ({
        title: each.name,
        isNumber: true,
        show: ({ step, index }: (typeof rows)[number]) => readSeries(each, step, index, show) ?? '',
      })),
      ...(totals === undefined
        ? []
        : [
            {
              title: 'all',
              isNumber: true,
              show: ({ index }: (typeof rows)[number]) => text(totals[index] ?? null),
            },
          ]),
    ],
  });
}
