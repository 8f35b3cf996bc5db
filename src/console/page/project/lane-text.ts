import { dayMs } from '../../../resources/duration.ts';
import type { LaneMark } from '../../part/chart/lane.ts';
import { showNumber, showShare } from '../../part/number.ts';
import { shownName } from '../../part/shown-text.ts';
import type { MarkKind } from './mark-fold.ts';
import type { Range } from './project-range.ts';
import type { LaneAnswer, MarkAnswer } from './timeline-schema.ts';

/** The part of the range, 0 to 1, at which an instant of an answer is. */
export function partOf({ fromAt, untilAt }: Range): (at: string) => number {
  return at => (Date.parse(at) - fromAt) / (untilAt - fromAt);
}

export function sayInstant(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

/** Days are enough of a stretch of several. */
function saySpan(from: string, until: string): string {
  const isLong = Date.parse(until) - Date.parse(from) > 2 * dayMs;
  return isLong
    ? `${from.slice(0, 10)} to ${until.slice(0, 10)}`
    : `${sayInstant(from)} to ${sayInstant(until)}`;
}

const nouns: Readonly<Record<MarkKind, readonly [one: string, several: string]>> = {
  start: ['start', 'starts'],
  suspend: ['suspend', 'suspends'],
  other: ['other operation', 'other operations'],
  failed: ['failed operation', 'failed operations'],
};

function sayCount(count: number, kind: MarkKind): string {
  return `${showNumber(count)} ${nouns[kind][count === 1 ? 0 : 1]}`;
}

/** A mark with words for those who point at it. */
export function drawnMark(
  { kind, from, until, count, actions }: MarkAnswer,
  part: (at: string) => number,
): LaneMark {
  const names = actions.map(shownName).join(', ');
  const words = kind === 'start' || kind === 'suspend' ? '' : ` (${names})`;
  const title =
    count === 1
      ? `${names}${kind === 'failed' ? ' failed' : ''}, ${sayInstant(from)}`
      : `${sayCount(count, kind)}${words}, ${saySpan(from, until)}`;
  return { kind, count, title, from: part(from), until: part(until) };
}

/** How many operations of some kinds there are, as words: `3 starts, 1 failed operation`. */
export function countMarks(marks: readonly MarkAnswer[], kinds: readonly MarkKind[]): string {
  return kinds
    .map(kind => [kind, marks.reduce((sum, each) => sum + (each.kind === kind ? each.count : 0), 0)] as const)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => sayCount(count, kind))
    .join(', ');
}

/** Words on the other operations, after the starts and suspends of a lane. */
export function sayMarks(marks: readonly MarkAnswer[]): string {
  const said = countMarks(marks, ['other', 'failed']);
  return said === '' ? '' : `, ${said}`;
}

/** How an endpoint spent its time, in words. */
export function shareOf(each: LaneAnswer, ms: number): string {
  return showShare(ms / Math.max(1, each.awake_ms + each.asleep_ms + each.unknown_ms));
}

export function sayLane(each: LaneAnswer): string {
  const isPartUnknown = shareOf(each, each.unknown_ms) !== showShare(0);
  const unknown = isPartUnknown ? `, ${shareOf(each, each.unknown_ms)} not known` : '';
  return `awake ${shareOf(each, each.awake_ms)}, asleep ${shareOf(each, each.asleep_ms)}${unknown}; ${sayCount(each.starts, 'start')}, ${sayCount(each.suspends, 'suspend')}`;
}
