import { html, type Markup } from '../html.ts';
import { percent, round } from './scale.ts';

/** A stretch of time; epoch milliseconds. */
interface Stretch {
  readonly fromAt: number;
  readonly untilAt: number;
}

/** A state from one instant until another. */
export interface LaneSpan extends Stretch {
  readonly kind: 'awake' | 'asleep' | 'unknown';
  /** What stands in it where it is wide enough. */
  readonly words: string;
}

/** Operations that are one mark. */
export interface LaneMark extends Stretch {
  readonly kind: 'failed' | 'other';
}

/** States and operations of one thing along the time of a chart. */
export interface Lane {
  readonly name: string;
  /** A few words below its name. */
  readonly detail?: string;
  /** When there was such a thing; outside of it nothing is drawn. Absent where there are marks alone. */
  readonly life?: Stretch;
  /** Absent where there are too many: `columns` has their shares. */
  readonly spans?: readonly LaneSpan[] | undefined;
  /** Percent of equal parts of the time that were awake, and that are not known. */
  readonly columns?: { readonly awake: readonly number[]; readonly unknown: readonly number[] } | undefined;
  /** States that are known less well. */
  readonly faded?: Stretch | undefined;
  readonly marks: readonly LaneMark[];
  /** Something that goes on since an instant and should have ended. */
  readonly stuck?: readonly (Stretch & { readonly words: string })[];
  /** What happened in each step of the chart; empty where there was no such thing yet. */
  readonly said: readonly string[];
}

/** Pixels of a lane: its name on phones and marks, its states, and what is stuck. */
export const laneHeight = 58;
const top = 22;
const height = 24;

/** The names beside the lanes; on a phone they stand above them. */
export function nameLanes(lanes: readonly Lane[]): Markup {
  return html`<ul class="lane-names">${lanes.map(({ name, detail }) => html`<li><b>${name}</b>${detail !== undefined && html`<span class="s">${detail}</span>`}</li>`)}</ul>`;
}

type Place = (at: number) => number;

export function drawLanes(lanes: readonly Lane[], place: Place): readonly Markup[] {
  return lanes.map(
    (lane, index) => html`<svg class="lane" y=${index * laneHeight} height=${laneHeight}>
<text class="ph k" y="12" aria-hidden="true">${lane.name}</text>
${lane.life && box(lane.life, place, { class: 'fsu', rx: 2 })}
${lane.spans === undefined ? drawColumns(lane.columns) : lane.spans.map(each => drawSpan(each, place))}
${lane.faded && box(lane.faded, place, { fill: 'url(#hl)' })}
${lane.stuck?.map(each => drawStuck(each, place))}
${lane.marks.map(each => drawMark(each, place))}
</svg>`,
  );
}

function box({ fromAt, untilAt }: Stretch, place: Place, more: Readonly<Record<string, unknown>>): Markup {
  const x = place(fromAt);
  // A state that is too short to be seen is drawn all the same.
  const wide = Math.max(1, place(untilAt) - x);
  return html`<rect ...${more} x=${percent(x)} width=${percent(wide)} y=${more.y ?? top} height=${more.height ?? height} />`;
}

/** A stretch that is this wide, in thousandths, has room for words on every screen. */
const roomForWords = 130;

function drawSpan(span: LaneSpan, place: Place): Markup {
  const x = place(span.fromAt);
  const wide = place(span.untilAt) - x;
  const words = wide >= roomForWords && html`<svg x=${percent(x)} width=${percent(wide)} y=${top} height=${height}><text class=${span.kind === 'awake' ? 'on' : 'kw'} x="6" y="16">${span.words}</text></svg>`;
  if (span.kind === 'asleep') return html`${words}`;
  const look = span.kind === 'awake' ? { class: 'fd' } : { fill: 'url(#hm)' };
  return html`${box(span, place, look)}${words}`;
}

/** How much of each part was awake, as an area; what is not known is hatched. */
function drawColumns(columns: Lane['columns']): Markup | null {
  if (columns === undefined) return null;
  const wide = 1000 / Math.max(1, columns.awake.length);
  const unknown = runsOf(columns.unknown);
  return html`${unknown.map(([from, until]) => html`<rect fill="url(#hm)" x=${percent(from * wide)} width=${percent((until - from) * wide)} y=${top} height=${height} />`)}<svg y=${top} height=${height} viewBox="0 0 1000 100" preserveAspectRatio="none"><path class="fd" d=${areaOf(columns.awake)} /></svg>`;
}

/** Stretches of columns that are for the most part not known. */
function runsOf(unknown: readonly number[]): readonly (readonly [from: number, until: number])[] {
  const runs: [number, number][] = [];
  for (const [index, share] of unknown.entries()) {
    const last = runs.at(-1);
    if (share <= 50) continue;
    if (last !== undefined && last[1] === index) last[1] = index + 1;
    else runs.push([index, index + 1]);
  }
  return runs;
}

/** An area as high at each column as its percents say; columns of the same height are one step. */
function areaOf(percents: readonly number[]): string {
  const wide = 1000 / Math.max(1, percents.length);
  const steps: string[] = [];
  let before = 0;
  for (const [index, each] of percents.entries()) {
    if (each === before) continue;
    steps.push(`H${round(index * wide)}V${100 - each}`);
    before = each;
  }
  return `M0 100${steps.join('')}H1000V100z`;
}

function drawStuck(stuck: Stretch & { readonly words: string }, place: Place): Markup {
  const x = percent(place(stuck.fromAt));
  const isRight = place(stuck.fromAt) > 500;
  return html`${box(stuck, place, { fill: 'url(#hk)', y: top + height + 2, height: 6 })}<line class="lim" x1=${x} x2=${x} y1=${top} y2=${top + height + 8} /><text class=${`kc halo wd${isRight ? ' e' : ''}`} x=${x} dx=${isRight ? -6 : 6} y=${top + height + 10}>${stuck.words}</text>`;
}

function drawMark({ kind, fromAt, untilAt }: LaneMark, place: Place): Markup {
  const x = percent((place(fromAt) + place(untilAt)) / 2);
  return kind === 'failed'
    ? html`<svg x=${x} y=${top - 10}><path class="fw" d="M0 0l5 9h-10z" /></svg>`
    : html`<svg x=${x} y=${top + height + 1}><path class="fm" d="M0 0l3 3-3 3-3-3z" /></svg>`;
}
