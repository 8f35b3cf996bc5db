/** The first of the month that an instant lies in, by UTC: services set counts back then. */
function monthBegin(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/**
 * When a count began of which nothing but its value is known: with the month, or with the latest one since which it can have
 * been used, but not before `earliestAt`.
 *
 * @param at when the count was read.
 * @param isUsable whether so much can be used in so many milliseconds.
 */
export function countBegin(at: number, earliestAt: number, isUsable: (elapsedMs: number) => boolean): number {
  let begin = monthBegin(at);
  while (begin > earliestAt && !isUsable(at - begin)) begin = monthBegin(begin - 1);
  return Math.max(begin, earliestAt);
}
