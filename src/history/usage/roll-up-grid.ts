import { dayMs, hourMs } from '../../resources/duration.ts';
/** Hours and days of UTC since 1970, as roll-ups number them. */

/** The hour an instant lies in. */
export function hourOf(at: number): number {
  return Math.floor(at / hourMs);
}

/** The day an instant lies in. */
export function dayOf(at: number): number {
  return Math.floor(at / dayMs);
}
