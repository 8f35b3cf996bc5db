import { cutAt } from '../../../cost/price/dated.ts';
import type { Span } from '../../../resources/duration.ts';
import { html, type Markup } from '../html.ts';
import type { Lane, LaneMark, LaneSpan } from './declaration.ts';
import { percent } from './scale.ts';

/** Pixels of a lane: its name on phones, words and marks, its states, and what is stuck. */
export const laneHeight = 62;
const top = 26;
const height = 24;

/** The names beside the lanes; on a phone they stand above them. */
export function nameLanes(lanes: readonly Lane[]): Markup {
  return html`<ul class="lane-names">${lanes.map(({ name, detail }) => html`<li><b title=${name}>${name}</b>${detail !== undefined && html`<span class="s">${detail}</span>`}</li>`)}</ul>`;
}

type Place = (at: number) => number;

/** @param linesAt instants with a line through all lanes: no words stand on it. */
export function drawLanes(
  lanes: readonly Lane[],
  place: Place,
  linesAt: readonly number[],
): readonly Markup[] {
  return lanes.map((lane, index) => {
    const { life, spans = [], columns, faded, stuck = [], marks } = lane;
    const crossedAt = [...linesAt, ...stuck.map(({ fromAt }) => fromAt)];
    return html`<svg class="lane" y=${index * laneHeight} height=${laneHeight}>
${life && box(life, place, columns === undefined ? { class: 'fsu' } : { fill: 'url(#hm)' })}
${drawColumns(columns)}
${spans.map(each => drawSpan(each, place))}
${faded && box(faded, place, { class: 'faded', fill: 'url(#hl)' })}
${spans.map(each => drawSpanWords(each, place, crossedAt))}
${stuck.map(each => drawStuck(each, place))}
${drawStuckWords(stuck, place)}
${marks.map(each => drawMark(each, place))}
</svg>`;
  });
}

function box({ fromAt, untilAt }: Span, place: Place, more: Readonly<Record<string, unknown>>): Markup {
  const x = place(fromAt);
  // A state that is too short to be seen is drawn all the same.
  const wide = Math.max(1, place(untilAt) - x);
  return html`<rect ...${more} x=${percent(x)} width=${percent(wide)} y=${more.y ?? top} height=${more.height ?? height} />`;
}

function drawSpan(span: LaneSpan, place: Place): Markup | null {
  if (span.kind === 'asleep') return null;
  return box(span, place, span.kind === 'awake' ? { class: 'fd' } : { fill: 'url(#hm)' });
}

/** A stretch that is narrower, in thousandths, has no room for words on any screen. */
const roomForWords = 40;

/** Words in the widest part of a stretch that no line crosses; the style sheet leaves out those that do not fit it. */
function drawSpanWords(span: LaneSpan, place: Place, linesAt: readonly number[]): Markup | null {
  const widthOf = ({ fromAt, untilAt }: Span) => place(untilAt) - place(fromAt);
  const [widest = span] = cutAt(span, linesAt).sort((a, b) => widthOf(b) - widthOf(a));
  const wide = widthOf(widest);
  if (wide < roomForWords) return null;
  return html`<foreignObject x=${percent(place(widest.fromAt))} width=${percent(wide)} y=${top} height=${height}><p class=${`words${span.kind === 'awake' ? ' on' : ''}`}><span>${span.words}</span></p></foreignObject>`;
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

function drawStuck(stuck: Span, place: Place): Markup {
  const x = percent(place(stuck.fromAt));
  return html`${box(stuck, place, { fill: 'url(#hk)', y: top + height + 2, height: 6 })}<line class="lim" x1=${x} x2=${x} y1=${top - 12} y2=${top + height + 8} />`;
}

/** Words above the first of what is stuck, which count the others: those of two would stand on each other. */
function drawStuckWords(stuck: NonNullable<Lane['stuck']>, place: Place): Markup | null {
  const [first, ...others] = stuck.toSorted((a, b) => a.fromAt - b.fromAt);
  if (first === undefined || first.words === '') return null;
  const x = place(first.fromAt);
  const words = `${first.words}${others.length > 0 ? ` and ${others.length} more` : ''}`;
  return html`<text class=${`kc wd${x > 500 ? ' e' : ''}`} x=${percent(x)} y="11">${words}</text>`;
}

function drawMark({ kind, fromAt, untilAt }: LaneMark, place: Place): Markup {
  const x = percent((place(fromAt) + place(untilAt)) / 2);
  return kind === 'failed'
    ? html`<svg x=${x} y=${top - 10}><path class="fw" d="M0 0l5 9h-10z" /></svg>`
    : html`<svg x=${x} y=${top + height + 1}><path class="fm" d="M0 0l3 3-3 3-3-3z" /></svg>`;
}
