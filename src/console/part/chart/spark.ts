import { html, type Markup } from '../html.ts';
import { largestOf, round, smallestOf } from './scale.ts';

/** A chart without axes, as wide as a few words. */
interface SparkOptions {
  /** In words. */
  readonly label: string;
  readonly values: readonly number[];
  readonly look: 'bars' | 'line';
  /** Whether the last one is not over. */
  readonly isRunning?: boolean;
  readonly width?: number;
}

const height = 34;

/** Values one after the other, beside the figure that they come to; a line shows how they differ, bars how large they are. */
export function spark({ label, values, look, isRunning = false, width = 132 }: SparkOptions): Markup | null {
  if (values.length < 2) return null;
  const shape = look === 'bars' ? drawBars(values, isRunning, width) : drawLine(values, width);
  return html`<svg class="sp" width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${label}>${shape}</svg>`;
}

function drawBars(values: readonly number[], isRunning: boolean, width: number): Markup {
  const most = largestOf(values) || 1;
  const wide = width / values.length;
  const tall = (value: number) => round((Math.max(0, value) / most) * (height - 2));
  const over = isRunning ? values.slice(0, -1) : values;
  const last = tall(values.at(-1) ?? 0);
  const bars = over.map(
    (value, index) =>
      `M${round((index + 0.1) * wide)} ${height}v-${tall(value)}h${round(0.8 * wide)}v${tall(value)}z`,
  );
  return html`<path class="fd" d=${bars.join('')} />${isRunning && html`<rect fill="url(#hx)" x=${round(width - 0.9 * wide)} y=${height - last} width=${round(0.8 * wide)} height=${last} />`}`;
}

function drawLine(values: readonly number[], width: number): Markup {
  const [low, high] = [smallestOf(values), largestOf(values)];
  const y = (value: number) => round(3 + (1 - (value - low) / (high - low || 1)) * (height - 6));
  const x = (index: number) => round(3 + (index / (values.length - 1)) * (width - 6));
  const points = values.map((value, index) => `${x(index)} ${y(value)}`);
  return html`<path class="sl" d=${`M${points.join('L')}`} /><circle class="fd" cx=${x(values.length - 1)} cy=${y(values.at(-1) ?? 0)} r="2.3" />`;
}

/** How much there is of a limit, and how much is expected. */
interface BulletOptions {
  readonly label: string;
  readonly value: number;
  /** Hatched behind the value. */
  readonly expected?: number | undefined;
  /** A mark. */
  readonly limit?: number | undefined;
  /** The most that is expected: it gives the bar its length. */
  readonly high?: number | undefined;
  readonly isOver?: boolean;
  /** What is saved is green. */
  readonly isSaved?: boolean;
}

/** A bar of what is spent before what is expected, with a mark at the limit; as wide as its place. */
export function bullet({
  label,
  value,
  expected = 0,
  limit,
  high = 0,
  isOver = false,
  isSaved = false,
}: BulletOptions): Markup {
  const most = Math.max(value, expected, high, limit === undefined ? 0 : limit * 1.04) || 1;
  const part = (amount: number) => `${round((100 * Math.max(0, amount)) / most)}%`;
  return html`<svg class="bullet" role="img" aria-label=${label}><rect class="fsu" y="4" width="100%" height="10" rx="2" />
${expected > value && html`<rect fill=${isOver ? 'url(#hk)' : isSaved ? 'url(#hg)' : 'url(#hx)'} y="4" width=${part(expected)} height="10" rx="2" />`}
<rect class=${isOver ? 'fk' : isSaved ? 'fg' : 'fd'} y="4" width=${part(value)} height="10" rx="2" />
${limit !== undefined && html`<svg x=${part(limit)}><rect class="ft" x="-1" width="2" height="18" /></svg>`}</svg>`;
}

/** A bar in a row of a list, as long as its part of the longest one. */
export function rowBar(part: number, tone?: number): Markup {
  return html`<svg class="row-bar" aria-hidden="true"><rect class="fsu" width="100%" height="8" rx="2" /><rect class=${tone === undefined ? 'fd' : `t${tone}`} width=${`${round(100 * Math.min(1, Math.max(0, part)))}%`} height="8" rx="2" /></svg>`;
}
