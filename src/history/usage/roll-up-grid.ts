import { dayMs, hourMs } from '../../resources/duration.ts';

/** The hour of UTC an instant lies in, counted since 1970 as roll-ups number them. */
export function hourOf(at: number): number {
  return Math.floor(at / hourMs);
}

/** The day of UTC an instant lies in, counted since 1970. */
export function dayOf(at: number): number {
  return Math.floor(at / dayMs);
}
