import { monthStart } from '../../resources/utc-month.ts';

/**
 * When a count began of which nothing but its value is known: with the month, as services set counts back then, or with the latest one since which it can have
 * been used, but not before `earliestAt`.
 *
 * @param at when the count was read.
 * @param isUsable whether so much can be used in so many milliseconds.
 */
export function countBegin(at: number, earliestAt: number, isUsable: (elapsedMs: number) => boolean): number {
  let begin = monthStart(at);
  while (begin > earliestAt && !isUsable(at - begin)) begin = monthStart(begin, -1);
  return Math.max(begin, earliestAt);
}
