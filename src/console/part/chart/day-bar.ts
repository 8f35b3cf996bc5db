import { html, type Markup } from '../html.ts';

/** One bar of the chart. */
export interface DayBar {
  readonly value: number;
  /** Words for those who point at it. */
  readonly title: string;
}

export interface DayBarsOptions {
  /** A summary in words. */
  readonly label: string;
  readonly bars: readonly DayBar[];
  /** The class that colours them. */
  readonly tone: string;
}

const height = 90;
const barWidth = 10;
/** More bars are too narrow to be pointed at. */
const mostTitles = 100;

/** A bar for each day, the highest as high as the chart. */
export function dayBars({ label, bars, tone }: DayBarsOptions): Markup {
  const most = bars.reduce((highest, { value }) => Math.max(highest, value), 0);
  const heightOf = ({ value }: DayBar) =>
    most <= 0 ? 0 : Math.round((Math.max(0, value) / most) * height * 10) / 10;
  const shape = (bar: DayBar, index: number) => {
    const tall = heightOf(bar);
    return `M${index * barWidth + 1} ${height}v-${tall}h${barWidth - 2}v${tall}z`;
  };
  return html`<svg class="bars" viewBox=${`0 0 ${Math.max(1, bars.length) * barWidth} ${height}`} preserveAspectRatio="none" role="img" aria-label=${label}>
${
  bars.length <= mostTitles
    ? bars.map(
        (bar, index) => html`<path class=${tone} d=${shape(bar, index)}><title>${bar.title}</title></path>`,
      )
    : html`<path class=${tone} d=${bars.map(shape).join('')} />`
}
</svg>`;
}
