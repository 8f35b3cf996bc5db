import { html, type Markup } from '../html.ts';

/** A scale of values from bottom to top of a chart. */
export interface ValueAxis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  /** Places after the point that tell its lines apart. */
  readonly decimals: number;
}

/** Lines of a scale, about. */
const mostTicks = 5;

/** A scale that has 0 and all values on it, with round numbers. */
export function valueAxis(lowest: number, highest: number): ValueAxis {
  const span = Math.max(highest, 0) - Math.min(lowest, 0) || 1;
  const power = 10 ** Math.floor(Math.log10(span / mostTicks));
  const unit = power * ([1, 2, 5, 10].find(each => each * power * mostTicks >= span) ?? 10);
  const [first, last] = [Math.floor(Math.min(lowest, 0) / unit), Math.ceil(Math.max(highest, 0) / unit)];
  const ticks = Array.from({ length: Math.max(1, last - first) + 1 }, (_, index) => (first + index) * unit);
  const decimals = Math.max(0, -Math.floor(Math.log10(unit) + 1e-9));
  return { low: first * unit, high: ticks.at(-1) ?? unit, ticks, decimals };
}

/** Where charts have their values, in units of their drawing. */
export interface ChartFrame {
  readonly width: number;
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
}

/** Height of a value on a chart. */
export function heightOf({ low, high }: ValueAxis, { top, bottom }: ChartFrame): (value: number) => number {
  return value => round(bottom - ((value - low) / (high - low)) * (bottom - top));
}

/** The lines of a scale with their values. */
export function drawValueAxis(
  axis: ValueAxis,
  frame: ChartFrame,
  showTick: (decimal: string) => string,
): readonly Markup[] {
  const y = heightOf(axis, frame);
  return axis.ticks.map(
    tick => html`<line class="axis" x1=${frame.left} x2=${frame.width} y1=${y(tick)} y2=${y(tick)} />
<text x=${frame.left - 6} y=${y(tick) + 4} text-anchor="end">${showTick((tick || 0).toFixed(axis.decimals))}</text>`,
  );
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
