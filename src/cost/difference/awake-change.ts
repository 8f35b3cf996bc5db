import { dayMs, hourMs } from '../../resources/duration.ts';
import type { AwakeSpan, EndpointHistory } from '../../resources/endpoint-history.ts';
import { lengthMs } from '../finding/awake-time.ts';
import { sum } from '../finding/statistic.ts';
import { type AwakeMeasure, type ComparedPeriods, measureAwake } from './compared-past.ts';
import { type DelayChange, findDelayChange } from './delay-change.ts';
import { findRateShift } from './rate-shift.ts';
import { groupWakes, type WakeGroup } from './wake-group.ts';

/** Why an endpoint was awake for another time than before. */
export interface AwakeChange {
  readonly reason: WakeGroup['reason'] | 'suspend_delay';
  /** More milliseconds awake than before, or fewer, where both periods are of one length. */
  readonly awakeMs: number;
  readonly before: AwakeMeasure;
  readonly after: AwakeMeasure;
  /** All of both periods that it is about. */
  readonly spans: readonly AwakeSpan[];
  readonly periodMs?: number;
  readonly delay?: DelayChange;
}

/** Less is not worth a reason of its own. */
const leastEndlessMs = 12 * hourMs;
/** A schedule with so few beats in one of the periods is of the other. */
const leastBeats = 3;
/** What began or ended nearer to an edge of the two periods may have been so beyond it. */
const edgeMs = 3 * dayMs;

/**
 * Tells why an endpoint was awake for longer or shorter. The changes add up to the whole of it.
 *
 * @param ratio of the time it existed in the second period to that in the first.
 */
export function explainAwake(past: EndpointHistory, periods: ComparedPeriods, ratio: number): AwakeChange[] {
  const describe = (reason: AwakeChange['reason'], spans: readonly AwakeSpan[]): AwakeChange => {
    const before = measureAwake(past, spans, periods.before);
    const after = measureAwake(past, spans, periods.after);
    return { reason, spans, before, after, awakeMs: after.awakeMs - ratio * before.awakeMs };
  };
  const all = describe('never_suspends', past.awake);
  const groups = groupWakes(past, periods).map(group => ({
    ...group,
    ...describe(group.reason, group.spans),
  }));
  const endless = groups.find(({ reason }) => reason === 'never_suspends');
  if (endless !== undefined && isMostOf(endless.awakeMs, all.awakeMs)) return [all];
  const delay = findDelayChange(past, periods);
  // A longer delay joins the wakes of a day to one, which then is every day: no schedule began.
  const isJoined = all.after.wakes <= ratio * all.before.wakes;
  const isOwn = (group: AwakeChange) =>
    delay === undefined
      ? group.reason === 'schedule' || group.reason === 'checks'
      : group.reason === 'schedule' && isOfOnePeriod(group) && !isJoined;
  const own = groups.filter(isOwn);
  const rest = groups.filter(group => !isOwn(group)).flatMap(({ spans }) => spans);
  const common = describe(delay === undefined ? 'clients' : 'suspend_delay', inOrder(rest));
  return joinOpposite({ ...common, ...(delay && { delay }) }, own);
}

/** When it began, or when it ended; neither where it was so all the time. */
export function dateChange(
  { reason, spans, delay }: AwakeChange,
  { before, after }: ComparedPeriods,
): { readonly sinceAt?: number; readonly endedAt?: number } {
  if (delay !== undefined) return { sinceAt: delay.sinceAt };
  if (reason === 'schedule') {
    const beats = spans.map(({ fromAt }) => fromAt);
    const shift = findRateShift(beats, { fromAt: before.fromAt, untilAt: after.untilAt });
    return shift === undefined ? {} : { [shift.isMore ? 'sinceAt' : 'endedAt']: shift.at };
  }
  if (reason !== 'never_suspends') return {};
  const endless = spans.filter(span => lengthMs(span) >= dayMs);
  const [first, last] = [endless[0], endless.at(-1)];
  return {
    ...(first !== undefined && first.fromAt > before.fromAt + edgeMs && { sinceAt: first.fromAt }),
    ...(last !== undefined && last.untilAt < after.untilAt - edgeMs && { endedAt: last.untilAt }),
  };
}

function isMostOf(part: number, whole: number): boolean {
  return (
    Math.abs(part) >= leastEndlessMs &&
    Math.sign(part) === Math.sign(whole) &&
    Math.abs(part) >= Math.abs(whole) / 2
  );
}

function isOfOnePeriod({ before, after }: AwakeChange): boolean {
  return Math.min(before.wakes, after.wakes) < leastBeats;
}

/** What a schedule wakes for others to use was theirs before: their loss is a part of its gain. */
function joinOpposite(common: AwakeChange, own: readonly AwakeChange[]): AwakeChange[] {
  const [lead, ...others] = own.toSorted((a, b) => Math.abs(b.awakeMs) - Math.abs(a.awakeMs));
  const isJoined =
    lead !== undefined &&
    common.delay === undefined &&
    Math.sign(lead.awakeMs) === -Math.sign(common.awakeMs) &&
    Math.abs(common.awakeMs) < Math.abs(lead.awakeMs);
  return isJoined ? [join(lead, common), ...others] : [...own, common];
}

function join(lead: AwakeChange, other: AwakeChange): AwakeChange {
  const add = (a: AwakeMeasure, b: AwakeMeasure) => ({
    wakes: a.wakes + b.wakes,
    awakeMs: a.awakeMs + b.awakeMs,
  });
  return {
    ...lead,
    awakeMs: sum([lead.awakeMs, other.awakeMs]),
    before: add(lead.before, other.before),
    after: add(lead.after, other.after),
  };
}

function inOrder(spans: readonly AwakeSpan[]): AwakeSpan[] {
  return spans.toSorted((a, b) => a.fromAt - b.fromAt);
}
