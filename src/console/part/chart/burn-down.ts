import { html, type Markup } from '../html.ts';
import { type ChartFrame, drawValueAxis, heightOf, round, valueAxis } from './value-axis.ts';

/** The amount that was spent until an instant. */
export interface SpentPoint {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly spent: number;
}

export interface BurnDownOptions {
  /** The chart in words, for those who do not see it. */
  readonly label: string;
  /** Epoch milliseconds. */
  readonly fromAt: number;
  readonly untilAt: number;
  readonly limit: number;
  /** Said to those who point at the limit. */
  readonly limitTitle: string;
  /** In order of time; the last is of now. */
  readonly points: readonly SpentPoint[];
  /** At the end, with the bounds that four periods in five come out within. */
  readonly projected?: {
    readonly expected: number;
    readonly low: number;
    readonly high: number;
    readonly title: string;
  };
  readonly showTick: (decimal: string) => string;
}

const frame: ChartFrame = { width: 440, left: 64, top: 8, bottom: 146 };
const height = 160;

/** Chart of the spending of a limit against time, with its end as it is projected. */
export function burnDown(options: BurnDownOptions): Markup {
  const { label, fromAt, untilAt, limit, limitTitle, points, projected, showTick } = options;
  const spent = points.at(-1)?.spent ?? 0;
  const axis = valueAxis(0, Math.max(limit, spent, projected?.high ?? 0));
  const y = heightOf(axis, frame);
  const x = (at: number) =>
    round(
      frame.left +
        ((frame.width - frame.left) * (Math.min(at, untilAt) - fromAt)) / Math.max(1, untilAt - fromAt),
    );
  const place = ({ at, spent: value }: SpentPoint) => `${x(at)},${y(value)}`;
  const last = points.at(-1) ?? { at: fromAt, spent: 0 };
  const end = (value: number) => place({ at: untilAt, spent: value });
  return html`<svg class="chart" viewBox=${`0 0 ${frame.width} ${height}`} role="img" aria-label=${label}>
${drawValueAxis(axis, frame, showTick)}
${projected && html`<polygon class="spread" points=${`${place(last)} ${end(projected.high)} ${end(projected.low)}`}><title>${projected.title}</title></polygon>`}
<polyline class="spent" points=${[{ at: fromAt, spent: 0 }, ...points].map(place).join(' ')} />
${projected && html`<polyline class="projected" points=${`${place(last)} ${end(projected.expected)}`} />`}
<line class="limit" x1=${frame.left} x2=${frame.width} y1=${y(limit)} y2=${y(limit)}><title>${limitTitle}</title></line>
</svg>`;
}
