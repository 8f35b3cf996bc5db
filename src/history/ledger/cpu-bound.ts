import { hourMs, minuteMs } from '../../resources/duration.ts';
import { monthStart } from '../../resources/utc-month.ts';

/** Compute units that the endpoints of a project have at most, all together; asked for only where it matters. */
export type MostCu = () => number;

/** Seen on live services: the value can lag. A replica that is behind shows what was used until a while ago. */
export const longestLagMs = 15 * minuteMs;
/** Sizes are as they were last read, and the value may come late: this multiple of it is still believed. */
const generosity = 2;
/** A value that was not brought up to date for so long is believed when it comes. */
const lumpMs = hourMs;
/** Compute seconds that are believed of any project at any time. */
const smallLumpSec = 50_000;
/** Endpoints of less than this are reckoned as of this: a fraction of a minute is not worth a doubt. */
const leastCu = 1;

/** Compute seconds a project can have used in so long, with all allowances. */
export function mostUsedSec(elapsedMs: number, mostCu: MostCu): number {
  return Math.max(smallLumpSec, (generosity * mostCu() * (Math.max(0, elapsedMs) + lumpMs)) / 1000);
}

/** Whether a project can have used these compute seconds in this time. */
export function isPossible(usedSec: number, elapsedMs: number, mostCu: MostCu): boolean {
  return usedSec <= smallLumpSec || usedSec <= mostUsedSec(elapsedMs, mostCu);
}

/** Whether a project can have used these compute seconds in this time even if nothing came late. */
export function isLikely(usedSec: number, elapsedMs: number, mostCu: MostCu): boolean {
  return isUsable(usedSec, Math.max(0, elapsedMs) + minuteMs, mostCu);
}

/** Whether the endpoints can use these compute seconds in exactly this time. */
export function isUsable(usedSec: number, elapsedMs: number, mostCu: MostCu): boolean {
  return usedSec * 1000 <= generosity * Math.max(mostCu(), leastCu) * elapsedMs;
}

/**
 * The beginning of a count that is known by its value alone: with the month, as services set counts back then, or with the
 * latest month since which it can have been used, but not before `earliestAt`.
 *
 * @param at when the count was read.
 * @param isUsable whether it can be used within some milliseconds.
 */
export function countBegin(at: number, earliestAt: number, isUsable: (elapsedMs: number) => boolean): number {
  let begin = monthStart(at);
  while (begin > earliestAt && !isUsable(at - begin)) begin = monthStart(begin, -1);
  return Math.max(begin, earliestAt);
}
