import { html, type Markup } from '../html.ts';
import { largestOf, percent, smallestOf, type ValueScale, valueScale } from './scale.ts';

/** A row of a waterfall: an amount that stands by itself, or one that what is above it changes by. */
interface WaterfallRow {
  readonly amount: number;
  /** The amounts before and after all changes. */
  readonly isSum?: boolean;
}

/** The bars of a waterfall for a table of the same rows, and the scale above them. */
interface Waterfall {
  readonly head: Markup;
  readonly cells: readonly Markup[];
}

/** How much of a sum is drawn where its changes are small beside it. */
const leastShare = 0.35;

/** Bars that each begin where the one above ended; a scale that does not begin at 0 is broken visibly. */
export function waterfall(rows: readonly WaterfallRow[], showTick: (decimal: string) => string): Waterfall {
  const spans = spansOf(rows);
  const edges = spans.flat();
  const changes = spans.filter((_, index) => !rows[index]?.isSum).flat();
  const [low, high] = [smallestOf([...changes, ...edges.filter(each => each > 0)]), largestOf(edges)];
  const isBroken = low > 0 && low > leastShare * high;
  const start = isBroken ? Math.max(0, low - 0.25 * (high - low)) : 0;
  const scale = isBroken ? brokenScale(start, high) : valueScale(edges);
  const x = (value: number) => Math.max(0, (1000 * (value - scale.low)) / (scale.high - scale.low));
  return {
    head: html`<svg class="fall head" height="16" aria-hidden="true">${scale.ticks.slice(0, -1).map(tick => html`<text x=${percent(x(tick))} y="12">${showTick((tick || 0).toFixed(scale.decimals))}</text>`)}</svg>`,
    cells: rows.map((row, index) => drawRow(row, spans, index, { scale, x, isBroken })),
  };
}

function spansOf(rows: readonly WaterfallRow[]): readonly (readonly [from: number, until: number])[] {
  let level = 0;
  return rows.map(({ amount, isSum }) => {
    const from = isSum ? 0 : level;
    level = isSum ? amount : level + amount;
    return [from, level];
  });
}

function brokenScale(start: number, high: number): ValueScale {
  const { ticks, decimals } = valueScale([high - start]);
  const unit = (ticks[1] ?? 1) - (ticks[0] ?? 0);
  const first = Math.floor(start / unit);
  const last = Math.ceil(high / unit);
  const all = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * unit);
  return { low: first * unit, high: last * unit, ticks: all, decimals };
}

interface RowScale {
  readonly scale: ValueScale;
  readonly x: (value: number) => number;
  readonly isBroken: boolean;
}

function drawRow(
  { amount, isSum }: WaterfallRow,
  spans: readonly (readonly [number, number])[],
  index: number,
  { scale, x, isBroken }: RowScale,
): Markup {
  const [from = 0, until = 0] = spans[index] ?? [];
  const [left, right] = [x(Math.min(from, until)), x(Math.max(from, until))];
  const tone = isSum ? 'fm' : amount > 0 ? 'fd' : 'fg';
  const place = percent(x(until));
  return html`<svg class="fall" aria-hidden="true">${scale.ticks.map(tick => html`<line class="gl" x1=${percent(x(tick))} x2=${percent(x(tick))} y2="100%" />`)}
${index > 0 && html`<line class="now" x1=${percent(x(isSum ? until : from))} x2=${percent(x(isSum ? until : from))} y2="20" />`}
${index < spans.length - 1 && html`<line class="now" x1=${place} x2=${place} y1="20" y2="100%" />`}
<rect class=${tone} x=${percent(left)} width=${percent(Math.max(2, right - left))} y="11" height="18" rx="2" />
${isSum && isBroken && html`<path class="tear" d="M8 0l6 40M13 0l6 40" />`}</svg>`;
}
