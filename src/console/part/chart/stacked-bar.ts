import { html, type Markup } from '../html.ts';
import { type ChartFrame, drawValueAxis, heightOf, round, valueAxis } from './value-axis.ts';

/** A part of a bar; those of the same series have the same colour. */
export interface BarPart {
  /** 1 to 8. */
  readonly series: number;
  readonly value: number;
  /** Said to those who point at it. */
  readonly title: string;
}

export interface StackedBar {
  readonly name: string;
  readonly parts: readonly BarPart[];
}

export interface StackedBarOptions {
  /** The chart in words, for those who do not see it. */
  readonly label: string;
  readonly bars: readonly StackedBar[];
  readonly showTick: (decimal: string) => string;
}

const frame: ChartFrame = { width: 900, left: 70, top: 8, bottom: 226 };
const height = 250;
/** Half of a name is as wide, about. */
const halfName = 36;
/** Names below the bars, at most. */
const mostNames = 8;

/** Bars of parts one upon the other; what is negative hangs below the line. */
export function stackedBars({ label, bars, showTick }: StackedBarOptions): Markup {
  const sums = bars.map(({ parts }) => ({
    above: sumOf(parts.filter(({ value }) => value > 0)),
    below: sumOf(parts.filter(({ value }) => value < 0)),
  }));
  const lowest = sums.reduce((least, { below }) => Math.min(least, below), 0);
  const axis = valueAxis(
    lowest,
    sums.reduce((most, { above }) => Math.max(most, above), 0),
  );
  const slot = (frame.width - frame.left) / Math.max(1, bars.length);
  const every = Math.ceil(bars.length / mostNames);
  const y = heightOf(axis, frame);
  return html`<svg class="chart" viewBox=${`0 0 ${frame.width} ${height}`} role="img" aria-label=${label}>
${drawValueAxis(axis, frame, showTick)}
${bars.map(({ parts }, index) => drawBar(parts, { x: round(frame.left + (index + 0.1) * slot), width: round(Math.max(0.8 * slot, 0.5)), y }))}
${bars.map(({ name }, index) => index % every === 0 && drawName(name, frame.left + (index + 0.5) * slot))}
</svg>`;
}

/** A name below its bar, or beside it where it would leave the drawing. */
function drawName(name: string, middle: number): Markup {
  const isAtEnd = middle > frame.width - halfName;
  return html`<text x=${isAtEnd ? frame.width : round(middle)} y=${height - 6} text-anchor=${isAtEnd ? 'end' : 'middle'}>${name}</text>`;
}

interface BarPlace {
  readonly x: number;
  readonly width: number;
  readonly y: (value: number) => number;
}

function drawBar(parts: readonly BarPart[], { x, width, y }: BarPlace): readonly Markup[] {
  let [above, below] = [0, 0];
  return parts.flatMap(({ series, value, title }) => {
    if (value === 0) return [];
    const from = value > 0 ? above : below;
    if (value > 0) above += value;
    else below += value;
    const [top, bottom] = [y(Math.max(from, from + value)), y(Math.min(from, from + value))];
    return html`<rect class=${`series-${series}`} x=${x} y=${top} width=${width} height=${round(bottom - top)}><title>${title}</title></rect>`;
  });
}

function sumOf(parts: readonly BarPart[]): number {
  return parts.reduce((sum, { value }) => sum + value, 0);
}
