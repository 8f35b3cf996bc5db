import { hourMs, minuteMs } from '../../resources/duration.ts';

/** Clocks of one service may differ by so much; what is dated later has not happened yet. */
const clockSlackMs = hourMs;
/** Instants have whole seconds, and those of one thing may come from several hosts. */
export const orderSlackMs = minuteMs;

/** The latest instant that can have happened by the time of an answer. */
export function latestInstant(servedAt: number): number {
  return servedAt + clockSlackMs;
}

/** Whether an instant is one that was still to come when the answer was served. */
export function isToCome(at: number | undefined, servedAt: number): at is number {
  return at !== undefined && at > latestInstant(servedAt);
}

/** Whether something was changed before it was created. */
export function isBeforeCreation(at: number, createdAt: number): boolean {
  return at < createdAt - orderSlackMs;
}

/** Busy endpoints are read about once a minute: uses that lie closer together than this count as one. */
const longestPauseMs = 90_000;

/** Whether a use goes on, or the next one begins so soon that it counts as the same. */
export function isOneUse(usedUntilAt: number, usedFromAt: number): boolean {
  return usedFromAt - usedUntilAt <= longestPauseMs;
}
