import { minuteMs } from '../resources/duration.ts';

/** The end of the minute that an instant is in: a range until now ends there, or no answer would ever be the one before. */
export function endOfMinute(at: number): number {
  return Math.ceil(at / minuteMs) * minuteMs;
}
