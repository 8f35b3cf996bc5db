import { html, type Markup } from '../html.ts';
import type { BarSeries, ChartSeries, ChartStep, Limit } from './declaration.ts';
import { heightOf, largestOf, percent, round, type ValueScale } from './scale.ts';

interface SeriesPlace {
  readonly steps: readonly ChartStep[];
  readonly series: readonly ChartSeries[];
  readonly limits: readonly Limit[];
  readonly scale: ValueScale;
  /** Thousandths of the width at which an instant is. */
  readonly place: (at: number) => number;
}

/** The class of what a series fills. */
export function fillOf({ tone }: BarSeries): string {
  if (tone === undefined) return 'fd';
  return tone === 'failed' ? 'fw' : `t${tone}`;
}

/** All values that the scale of a chart has to have room for. */
export function valuesOf(series: readonly ChartSeries[], limits: readonly Limit[]): readonly number[] {
  const bars = series.filter(({ kind }) => kind === 'bars') as readonly BarSeries[];
  const length = largestOf(bars.map(({ values }) => values.length));
  const stacks = Array.from({ length }, (_, index) => {
    const parts = bars.map(({ values }) => Number(values[index] ?? 0));
    return [1, -1].map(sign => parts.reduce((sum, part) => sum + (part * sign > 0 ? part : 0), 0));
  }).flat();
  const points = series.flatMap(each =>
    each.kind === 'line'
      ? each.points.map(({ value }) => Number(value))
      : each.kind === 'band'
        ? each.points.flatMap(({ low, high }) => [Number(low), Number(high)])
        : [],
  );
  return [...stacks, ...points, ...limits.map(({ value }) => Number(value))];
}

/** What a series says of a step; undefined where it says nothing. */
export function readSeries(
  series: ChartSeries,
  { fromAt, untilAt }: Pick<ChartStep, 'fromAt' | 'untilAt'>,
  index: number,
  show: (decimal: string) => string,
): string | undefined {
  const isIn = ({ at }: { readonly at: number }) => at > fromAt && at <= untilAt;
  const goesOn = ({ at }: { readonly at: number }) => at > fromAt;
  switch (series.kind) {
    case 'bars': {
      const value = series.values[index] ?? null;
      return value === null ? undefined : show(value);
    }
    case 'line': {
      // What was measured stays as it is until it changes; what is expected is known at its ends alone.
      const isKept = series.look === 'measured' && series.points.some(goesOn);
      const point = series.points.findLast(isKept ? ({ at }) => at <= untilAt : isIn);
      return point && show(point.value);
    }
    case 'band': {
      const point = series.points.findLast(isIn);
      return point && `${show(point.low)} to ${show(point.high)}`;
    }
  }
}

/** Bars, lines, bands and limits, each in thousandths of a place whose size is not known before it is shown. */
export function drawSeries(options: SeriesPlace): Markup {
  const { series, limits, scale, place } = options;
  const y = heightOf(scale);
  return html`<svg class="stretched" viewBox="0 0 1000 1000" preserveAspectRatio="none">${series.map((each, index) => drawBand(each, index, options))}${drawBars(options)}${series.map((each, index) => drawLine(each, index, options))}</svg>
${drawHatches(options)}
${limits.map(({ value, expectedFromAt: at }) => html`<line class=${at === undefined ? 'lim' : 'fc'} x1=${at === undefined ? null : percent(place(at))} x2="100%" y1=${percent(y(Number(value)))} y2=${percent(y(Number(value)))} />`)}`;
}

function drawBars({ steps, series, scale }: SeriesPlace): readonly (Markup | null)[] {
  const y = heightOf(scale);
  const wide = 1000 / Math.max(1, steps.length);
  const sums = steps.map(() => ({ above: 0, below: 0 }));
  return series.map((each, index) => {
    if (each.kind !== 'bars') return null;
    const rects = each.values.map((text, step) => {
      const value = Number(text ?? 0);
      const sum = sums[step];
      if (value === 0 || sum === undefined) return null;
      const from = value > 0 ? sum.above : sum.below;
      if (value > 0) sum.above += value;
      else sum.below += value;
      const [top, bottom] = [y(Math.max(from, from + value)), y(Math.min(from, from + value))];
      return html`<rect x=${round((step + 0.12) * wide)} width=${round(0.76 * wide)} y=${top} height=${round(bottom - top)} />`;
    });
    // What is expected is hatched, outside of what is stretched.
    if (each.isExpected) return null;
    return html`<g class=${`bars ${fillOf(each)}`} data-series=${index}>${rects}</g>`;
  });
}

/** Hatching keeps its size, so it is drawn outside of what is stretched: over a step that is not over, and for what is expected. */
function drawHatches({ steps, series, scale }: SeriesPlace): readonly Markup[] {
  const y = heightOf(scale);
  const wide = 1000 / Math.max(1, steps.length);
  const bars = series.filter(({ kind }) => kind === 'bars') as readonly BarSeries[];
  const expectedIndex = series.findIndex(each => each.kind === 'bars' && each.isExpected);
  const hatch = (step: number, from: number, until: number, isExpected: boolean) =>
    html`<rect class=${isExpected ? 'expected' : 'unfinished'} data-series=${isExpected ? expectedIndex : null} x=${percent((step + 0.12) * wide)} width=${percent(0.76 * wide)} y=${percent(y(until))} height=${percent(y(from) - y(until))} fill=${isExpected ? 'url(#hx)' : 'url(#hl)'} />`;
  return steps.flatMap(({ state, since }, step) => {
    const heightIn = ({ values }: BarSeries) => Math.max(0, Number(values[step] ?? 0));
    const measured = bars
      .filter(({ isExpected }) => !isExpected)
      .reduce((sum, each) => sum + heightIn(each), 0);
    const expected = bars
      .filter(({ isExpected }) => isExpected)
      .reduce((sum, each) => sum + heightIn(each), 0);
    return [
      ...((state === 'running' || since !== undefined) && measured > 0
        ? [hatch(step, 0, measured, false)]
        : []),
      ...(expected > 0 ? [hatch(step, measured, measured + expected, true)] : []),
    ];
  });
}

const lineClasses = { measured: 'ln', expected: 'fc' } as const;

function drawLine(series: ChartSeries, index: number, { scale, place }: SeriesPlace): Markup | null {
  if (series.kind !== 'line') return null;
  const y = heightOf(scale);
  const points = series.points.map(({ at, value }) => `${place(at)} ${y(Number(value))}`);
  return html`<path class=${lineClasses[series.look]} data-series=${index} d=${`M${points.join('L')}`} />`;
}

function drawBand(series: ChartSeries, index: number, { scale, place }: SeriesPlace): Markup | null {
  if (series.kind !== 'band') return null;
  const y = heightOf(scale);
  const highs = series.points.map(({ at, high }) => `${place(at)} ${y(Number(high))}`);
  const lows = series.points.map(({ at, low }) => `${place(at)} ${y(Number(low))}`).reverse();
  return html`<path class="bnd" data-series=${index} d=${`M${[...highs, ...lows].join('L')}z`} />`;
}
