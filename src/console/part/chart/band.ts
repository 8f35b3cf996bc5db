import { html, type Markup } from '../html.ts';

/** Where something stands, and where it is expected to end. The numbers are for drawing alone. */
export interface BandOptions {
  /** All of it in words. */
  readonly summary: string;
  readonly spent: Mark;
  readonly expected: Mark;
  readonly low: number;
  readonly high: number;
  /** Low and high in words. */
  readonly bandTitle: string;
}

interface Mark {
  readonly value: number;
  readonly title: string;
}

const width = 600;
const height = 34;

/** A bar of what is spent so far, in front of the bounds that the end is expected in. */
export function band({ summary, spent, expected, low, high, bandTitle }: BandOptions): Markup {
  const most = Math.max(high, spent.value, expected.value);
  const place = (value: number) =>
    most <= 0 ? 0 : Math.round((Math.max(0, value) / most) * width * 10) / 10;
  const tick = place(expected.value);
  return html`<svg class="chart band" role="img" aria-label=${summary} viewBox=${`0 0 ${width} ${height}`}>
<rect class="track" x="0" y="9" width=${width} height="16" rx="3" />
<rect class="bounds" x=${place(low)} y="4" width=${Math.max(1, place(high) - place(low))} height="26" rx="3"><title>${bandTitle}</title></rect>
<rect class="series-1" x="0" y="9" width=${place(spent.value)} height="16" rx="3"><title>${spent.title}</title></rect>
<rect class="expected" x=${Math.min(width - 3, Math.max(0, tick - 1.5))} y="0" width="3" height=${height}><title>${expected.title}</title></rect>
</svg>`;
}
