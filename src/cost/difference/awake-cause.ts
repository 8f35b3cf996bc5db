import { lengthMs } from '../finding/awake-time.ts';
import { sayCount, sayDuration, sayEvery } from '../finding/phrase.ts';
import { type AwakeChange, dateChange } from './awake-change.ts';
import type { AwakeMeasure, ComparedPeriods } from './compared-past.ts';
import { findDailyShift } from './daily-shift.ts';
import type { UsePart } from './use-part.ts';

/**
 * The part of a project's use that a change of the time awake makes, cut into more wakes and longer ones.
 *
 * @param cuMs CU-milliseconds more, or fewer.
 */
export function describeAwake(change: AwakeChange, cuMs: number, periods: ComparedPeriods): UsePart {
  const { reason, before, after, awakeMs } = change;
  const shiftAt =
    reason === 'clients'
      ? findDailyShift(change.spans, { fromAt: periods.before.fromAt, untilAt: periods.after.untilAt })
      : undefined;
  return {
    kind: reason,
    cuMs,
    awakeMs,
    ...dateChange(change, periods),
    ...(shiftAt !== undefined && { sinceAt: shiftAt }),
    evidence: sayEvidence(change),
    children: cutByWake(before, after, awakeMs, cuMs),
  };
}

function sayEvidence({ reason, before, after, spans, periodMs, delay }: AwakeChange): string {
  switch (reason) {
    case 'never_suspends': {
      const longestMs = spans.reduce((most, span) => Math.max(most, lengthMs(span)), 0);
      const other = Math.min(before.wakes, after.wakes) * 2 < Math.max(before.wakes, after.wakes);
      const counts = other ? `, and woke ${sayCount(after.wakes, 'time')} instead of ${before.wakes}` : '';
      return `it was awake for ${sayDuration(longestMs)} without a break${counts}`;
    }
    case 'suspend_delay': {
      const { fromMs = 0, toMs = 0 } = delay ?? {};
      return `after its last use it stays awake for ${sayDuration(toMs)} instead of ${sayDuration(fromMs)}`;
    }
    case 'schedule':
      return `something wakes it ${sayEvery(periodMs ?? 0)}; ${sayWakes(before, after)}`;
    case 'checks':
      return `availability checks alone wake it; ${sayWakes(before, after)}`;
    case 'clients':
      return sayWakes(before, after);
  }
}

function sayWakes(before: AwakeMeasure, after: AwakeMeasure): string {
  const [old, now] = [before, after].map(sayLength);
  const lengths = [now || old, now && old && now !== old && `instead of ${old}`, 'on average'].filter(
    Boolean,
  );
  const isOther = after.wakes !== before.wakes;
  const counts = `woken ${sayCount(after.wakes, 'time')}${isOther ? ` instead of ${before.wakes}` : ', as before'}`;
  return lengths.length > 1 ? `${counts}, for ${lengths.join(' ')}` : counts;
}

function sayLength({ wakes, awakeMs }: AwakeMeasure): string {
  return wakes === 0 ? '' : sayDuration(awakeMs / wakes);
}

/** Undivided where it woke in one of the periods alone. */
function cutByWake(before: AwakeMeasure, after: AwakeMeasure, awakeMs: number, cuMs: number): UsePart[] {
  if (before.wakes === 0 || after.wakes === 0 || awakeMs === 0) return [];
  const lengthChangeMs = after.awakeMs - (before.awakeMs / before.wakes) * after.wakes;
  const longer = Math.round((cuMs * lengthChangeMs) / awakeMs);
  const parts: UsePart[] = [
    { kind: 'wakes', cuMs: cuMs - longer, awakeMs: awakeMs - lengthChangeMs, children: [] },
    { kind: 'wake_length', cuMs: longer, awakeMs: lengthChangeMs, children: [] },
  ];
  return parts.filter(part => part.cuMs !== 0);
}
