import type { Span } from '../../../resources/duration.ts';
import { html, type Markup } from '../html.ts';
import type { Lane, LaneMark, LaneSpan } from './declaration.ts';
import { percent } from './scale.ts';

/** Pixels of a lane: its name on phones and marks, its states, and what is stuck. */
export const laneHeight = 62;
const top = 26;
const height = 24;

/** The names beside the lanes; on a phone they stand above them. */
export function nameLanes(lanes: readonly Lane[]): Markup {
  return html`<ul class="lane-names">${lanes.map(({ name, detail }) => html`<li><b>${name}</b>${detail !== undefined && html`<span class="s">${detail}</span>`}</li>`)}</ul>`;
}

type Place = (at: number) => number;

export function drawLanes(lanes: readonly Lane[], place: Place): readonly Markup[] {
  return lanes.map(
    (lane, index) => html`<svg class="lane" y=${index * laneHeight} height=${laneHeight}>
<text class="ph k" y="11" aria-hidden="true">${lane.name}</text>
${lane.life && box(lane.life, place, lane.columns === undefined ? { class: 'fsu' } : { fill: 'url(#hm)' })}
${lane.spans === undefined ? drawColumns(lane.columns) : lane.spans.map(each => drawSpan(each, place))}
${lane.faded && box(lane.faded, place, { class: 'faded', fill: 'url(#hl)' })}
${lane.stuck?.map(each => drawStuck(each, place))}
${lane.marks.map(each => drawMark(each, place))}
</svg>`,
  );
}

function box({ fromAt, untilAt }: Span, place: Place, more: Readonly<Record<string, unknown>>): Markup {
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
  const words =
    wide >= roomForWords &&
    html`<svg class="inside" x=${percent(x)} width=${percent(wide)} y=${top} height=${height}><text class=${span.kind === 'awake' ? 'on' : null} x="6" y="16">${span.words}</text></svg>`;
  if (span.kind === 'asleep') return html`${words}`;
  const look = span.kind === 'awake' ? { class: 'fd' } : { fill: 'url(#hm)' };
  return html`${box(span, place, look)}${words}`;
}

/** How much of each part was awake, and before that how much is known, as areas. */
function drawColumns(columns: Lane['columns']): Markup | null {
  if (columns === undefined) return null;
  const { awake, unknown } = columns;
  const known = unknown.map(share => 100 - share);
  return html`<svg class="share" y=${top} height=${height} viewBox=${`0 0 ${awake.length} 100`} preserveAspectRatio="none"><path class="fsu" d=${areaOf(known)} /><path class="fd" d=${areaOf(awake)} /></svg>`;
}

/** An area as high at each column as its percents say; columns of the same height are one step. */
function areaOf(percents: readonly number[]): string {
  const steps: string[] = [];
  let before = 0;
  for (const [index, each] of percents.entries()) {
    if (each === before) continue;
    steps.push(`H${index}V${100 - each}`);
    before = each;
  }
  return `M0 100${steps.join('')}H${percents.length}V100z`;
}

function drawStuck(stuck: Span & { readonly words: string }, place: Place): Markup {
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
