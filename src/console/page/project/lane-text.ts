import type { Span } from '../../../resources/duration.ts';
import { sumOf } from '../../../resources/sum.ts';
import { showNumber, showShare } from '../../part/number.ts';
import { type MarkKind, markKinds, type SliceCounts } from './mark-fold.ts';
import type { LaneAnswer, MarkAnswer } from './timeline-schema.ts';

const nouns: Readonly<Record<MarkKind, readonly [one: string, several: string]>> = {
  start: ['start', 'starts'],
  suspend: ['suspend', 'suspends'],
  other: ['other operation', 'other operations'],
  failed: ['failed operation', 'failed operations'],
};

function sayCount(count: number, kind: MarkKind): string {
  return `${showNumber(count)} ${nouns[kind][count === 1 ? 0 : 1]}`;
}

/** How many operations of some kinds there are, as words: `3 starts, 1 failed operation`. */
export function countMarks(
  marks: readonly Pick<MarkAnswer, 'kind' | 'count'>[],
  kinds: readonly MarkKind[],
): string {
  return kinds
    .map(kind => [kind, marks.reduce((sum, each) => sum + (each.kind === kind ? each.count : 0), 0)] as const)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => sayCount(count, kind))
    .join(', ');
}

/** How an endpoint spent its time, in words. */
export function shareOf(each: LaneAnswer, ms: number): string {
  return showShare(ms / Math.max(1, each.awake_ms + each.asleep_ms + each.unknown_ms));
}

/** A part that is smaller is between two readings, and not worth a word. */
const leastUnknown = 0.005;

/** Of an endpoint that never changed its state: `awake all of the time`. */
export function sayThroughout({ awake_ms, asleep_ms, unknown_ms }: LaneAnswer): string | undefined {
  if (unknown_ms >= leastUnknown * (awake_ms + asleep_ms)) return undefined;
  if (asleep_ms === 0) return 'awake all of the time';
  return awake_ms === 0 ? 'asleep all of the time' : undefined;
}

export function sayLane(each: LaneAnswer): string {
  const isPartUnknown = shareOf(each, each.unknown_ms) !== showShare(0);
  const unknown = isPartUnknown ? `, ${shareOf(each, each.unknown_ms)} not known` : '';
  const others = countMarks(each.marks, ['failed']);
  const awake = sayThroughout(each) ?? `awake ${shareOf(each, each.awake_ms)}${unknown}`;
  return `${awake} · ${sayCount(each.starts, 'start')}${others === '' ? '' : ` · ${others}`}`;
}

/** What a slice of a lane is read of; counts alone where there are no states. */
interface SliceSource {
  readonly counts: SliceCounts;
  /** When the endpoint was there. */
  readonly life?: Span;
  /** States, each with whether it is awake; absent where there are columns. */
  readonly spans?: readonly (Span & { readonly kind: string })[] | undefined;
  readonly columns?: LaneAnswer['columns'];
  /** The stretch that the columns are parts of. */
  readonly range?: Span;
}

/** What happened in a slice of time, in a few words; empty where there was no such endpoint. */
export function saySlice(source: SliceSource, slice: Span, index: number): string {
  const { counts, life } = source;
  const { fromAt, untilAt } = slice;
  const isThere = life !== undefined && life.fromAt < untilAt && life.untilAt > fromAt;
  const operations = markKinds.map(kind => ({ kind, count: counts[kind][index] ?? 0 }));
  return [isThere ? sayStates(source, slice) : '', countMarks(operations, markKinds)]
    .filter(Boolean)
    .join(', ');
}

function sayStates(source: SliceSource, slice: Span): string {
  const { awake, unknown } = sharesOf(source, slice);
  if (unknown > 0.99) return 'not known';
  const known = awake > 0.99 ? 'awake' : awake < 0.005 ? 'asleep' : `awake ${Math.round(100 * awake)}%`;
  return unknown < leastUnknown ? known : `${known}, ${Math.round(100 * unknown)}% not known`;
}

/** Parts of a slice, 0 to 1, that were awake and that are not known. */
function sharesOf({ life, spans = [], columns, range }: SliceSource, { fromAt, untilAt }: Span) {
  if (columns && range !== undefined) {
    const { awake_percent, unknown_percent } = columns;
    const ms = (range.untilAt - range.fromAt) / awake_percent.length;
    const [first, last] = [fromAt, untilAt].map(at => Math.round((at - range.fromAt) / ms));
    const mean = (percents: readonly number[]) => {
      const own = percents.slice(first, Math.max(last ?? 0, (first ?? 0) + 1));
      return sumOf(own) / 100 / Math.max(1, own.length);
    };
    return { awake: mean(awake_percent), unknown: mean(unknown_percent) };
  }
  const lastsMs = (each: Span) =>
    Math.max(0, Math.min(each.untilAt, untilAt) - Math.max(each.fromAt, fromAt));
  const lived = (life && lastsMs(life)) || untilAt - fromAt;
  const sum = (kind: string) =>
    spans.reduce((ms, each) => ms + (each.kind === kind ? lastsMs(each) : 0), 0) / lived;
  const [awake, asleep] = [sum('awake'), sum('asleep')];
  return { awake, unknown: Math.max(0, 1 - awake - asleep) };
}
