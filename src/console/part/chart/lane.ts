import { html, type Markup } from '../html.ts';

/** A state from one part of the width until another, 0 to 1. */
export interface LaneSpan {
  readonly from: number;
  readonly until: number;
  readonly kind: 'awake' | 'asleep' | 'unknown';
  /** Words for those who point at it. */
  readonly title: string;
}

/** Operations at a part of the width: one, or several from one part until another. */
export interface LaneMark {
  readonly kind: 'start' | 'suspend' | 'other' | 'failed';
  readonly from: number;
  readonly until: number;
  readonly count: number;
  readonly title: string;
}

export interface LaneOptions {
  /** A summary in words. */
  readonly label: string;
  /** The part in which there are states, known or not; absent where there are marks alone. */
  readonly life?: { readonly from: number; readonly until: number };
  /** Absent where there are too many: then `columns` has their shares. */
  readonly spans?: readonly LaneSpan[] | undefined;
  /** Percent of equal parts of the width that were awake, and that are not known. */
  readonly columns: { readonly awake: readonly number[]; readonly unknown: readonly number[] } | null;
  /** The part whose states are known less well. */
  readonly faded?: { readonly from: number; readonly until: number } | null;
  readonly marks: readonly LaneMark[];
}

const width = 600;
const top = 5;
const height = 22;
/** Marks that are single are so wide, and those of several no narrower than this. */
const markWide = 1;
const severalWide = 1.5;

/** States of one endpoint along an axis: how much of each part it was awake, or each state by itself, and its operations. */
export function lane({ label, life, spans, columns, faded, marks }: LaneOptions): Markup {
  return html`<svg class="lane" viewBox=${`0 0 ${width} ${height + 2 * top}`} preserveAspectRatio="none" role="img" aria-label=${label}>
<rect class="bare" x="0" y=${top} width=${width} height=${height}></rect>
${life && html`<rect class="unknown" x=${place(life.from)} y=${top} width=${place(life.until - life.from)} height=${height}></rect>`}
${spans?.map(each => drawSpan(each))}
${columns !== null && html`<path class="asleep" d=${columnPath(columns.unknown.map(part => 100 - part))} /><path class="awake" d=${columnPath(columns.awake)} />`}
${faded && html`<rect class="faded" x=${place(faded.from)} y=${top} width=${place(faded.until - faded.from)} height=${height}></rect>`}
${drawMarks(marks)}
</svg>`;
}

/** Starts stand above the states, suspends below, others on them; failures go through all. */
const markPlaces: Readonly<Record<LaneMark['kind'], readonly [top: number, bottom: number]>> = {
  start: [0, top],
  suspend: [top + height, 2 * top + height],
  other: [top + height / 2 - 4, top + height / 2 + 4],
  failed: [0, 2 * top + height],
};

function drawMarks(marks: readonly LaneMark[]): readonly Markup[] {
  const kinds = [...Map.groupBy(marks, ({ kind }) => kind)];
  return kinds.map(
    ([kind, own]) =>
      html`<g class=${kind}>${own.map(({ from, until, count, title }) => {
        const wide = Math.max(count > 1 ? severalWide : markWide, place(until - from));
        const x = Math.min(width - wide, Math.max(0, place((from + until) / 2) - wide / 2));
        const [y, bottom] = markPlaces[kind];
        return html`<path d=${`M${round(x)} ${y}h${round(wide)}V${bottom}h-${round(wide)}z`}><title>${title}</title></path>`;
      })}</g>`,
  );
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
