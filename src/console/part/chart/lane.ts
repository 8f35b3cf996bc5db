import { html, type Markup } from '../html.ts';

/** A state from one part of the width until another, 0 to 1. */
export interface LaneSpan {
  readonly from: number;
  readonly until: number;
  readonly kind: 'awake' | 'asleep' | 'unknown';
  /** Words for those who point at it. */
  readonly title: string;
}

export interface LaneOptions {
  /** A summary in words. */
  readonly label: string;
  /** Absent where there are too many: then `columns` has their shares. */
  readonly spans?: readonly LaneSpan[] | undefined;
  /** Percent of equal parts of the width that were awake, and that are not known. */
  readonly columns: { readonly awake: readonly number[]; readonly unknown: readonly number[] } | null;
  /** The part whose states are known less well. */
  readonly faded?: { readonly from: number; readonly until: number } | null;
  readonly failures: readonly { readonly at: number; readonly title: string }[];
}

const width = 600;
const top = 5;
const height = 22;
/** Closer marks cannot be told apart. */
const mostMarks = 120;

/** States of one endpoint along an axis: how much of each part it was awake, or each state by itself, and what failed. */
export function lane({ label, spans, columns, faded, failures }: LaneOptions): Markup {
  const awake = spans?.filter(({ kind }) => kind === 'awake') ?? [];
  const starts = awake.map(({ from }) => from).filter(at => at > 0);
  const ends = awake.map(({ until }) => until).filter(at => at < 1);
  const areMarked = starts.length + ends.length <= mostMarks;
  return html`<svg class="lane" viewBox=${`0 0 ${width} ${height + 2 * top}`} preserveAspectRatio="none" role="img" aria-label=${label}>
<rect class="unknown" x="0" y=${top} width=${width} height=${height}></rect>
${spans?.map(each => drawSpan(each))}
${columns !== null && html`<path class="asleep" d=${columnPath(columns.unknown.map(part => 100 - part))} /><path class="awake" d=${columnPath(columns.awake)} />`}
${faded && html`<rect class="faded" x=${place(faded.from)} y=${top} width=${place(faded.until - faded.from)} height=${height}></rect>`}
${areMarked && html`<path class="start" d=${ticks(starts, 0, top)} /><path class="suspend" d=${ticks(ends, top + height, top)} />`}
${failures.map(({ at, title }) => html`<path class="failed" d=${ticks([at], 0, height + 2 * top)}><title>${title}</title></path>`)}
</svg>`;
}

function drawSpan({ from, until, kind, title }: LaneSpan): Markup {
  const x = place(from);
  // A state that is too short to be seen is drawn all the same.
  const wide = Math.max(0.5, place(until) - x);
  return html`<rect class=${kind} x=${x} y=${top} width=${round(wide)} height=${height}><title>${title}</title></rect>`;
}

function place(part: number): number {
  return round(part * width);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Vertical lines, all of them one path. */
function ticks(parts: readonly number[], y: number, length: number): string {
  return parts.map(part => `M${place(part)} ${y}v${length}`).join('');
}

/** An area as high at each column as its percents say: those of the same height are one step. */
function columnPath(percents: readonly number[]): string {
  const wide = width / Math.max(1, percents.length);
  const base = top + height;
  const steps: string[] = [];
  let before = 0;
  for (const [index, percent] of percents.entries()) {
    if (percent === before) continue;
    steps.push(`H${round(index * wide)}V${round(base - (percent * height) / 100)}`);
    before = percent;
  }
  return `M0 ${base}${steps.join('')}H${width}V${base}z`;
}
