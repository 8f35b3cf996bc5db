import { dayMs, hourMs, minuteMs, secondMs } from '../../resources/duration.ts';

const units = [
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', minuteMs],
  ['second', secondMs],
] as const;

type Unit = (typeof units)[number];

/** A duration in the largest unit that it has two, or exactly one, of: `1 hour`, `90 minutes`, `28 days`. */
export function sayDuration(durationMs: number): string {
  const [, sizeMs] = unitOf(durationMs);
  // Rounded first: 119.9 minutes are 2 hours, not 120 minutes.
  const shownMs = roundCount(durationMs / sizeMs) * sizeMs;
  const [name, shownSizeMs] = unitOf(shownMs);
  return sayCount(shownMs / shownSizeMs, name);
}

function unitOf(durationMs: number): Unit {
  return (
    units.find(([, unitMs]) => durationMs >= 2 * unitMs || durationMs === unitMs) ?? ['second', secondMs]
  );
}

/** `every 5 minutes`, `every hour`, `every day`. */
export function sayEvery(periodMs: number): string {
  return `every ${sayDuration(periodMs).replace(/^1 /, '')}`;
}

/** `1 wake`, `2.5 hours`, `112 wakes`: with one decimal below ten. */
export function sayCount(count: number, noun: string): string {
  const rounded = roundCount(count);
  return `${rounded} ${noun}${rounded === 1 ? '' : 's'}`;
}

function roundCount(count: number): number {
  return count < 10 ? Math.round(count * 10) / 10 : Math.round(count);
}

/** `92%`; never 100% for less than all. */
export function sayShare(share: number): string {
  const percent = share > 0.99 && share < 1 ? Math.floor(share * 1000) / 10 : Math.round(share * 100);
  return `${percent}%`;
}
