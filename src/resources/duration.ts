/** Milliseconds of a second, a minute, an hour and a day of 24 hours. */
export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const secondsPerHour = 3600;

/** From one instant until another, the second not included. Epoch milliseconds by the service's clock. */
export interface Span {
  readonly fromAt: number;
  readonly untilAt: number;
}

/**
 * A duration in its two largest units, as settings are written: `6.5s`, `34m10s`, `4h45m`; `never` for an endless one.
 * It is rounded before its units are chosen: what rounds up to an hour is `1h`, not `60m`.
 *
 * @param durationMs 0 or more, infinite for never.
 */
export function renderDuration(durationMs: number): string {
  if (durationMs === Number.POSITIVE_INFINITY) return 'never';
  const tenthsMs = roundTo(secondMs / 10, durationMs);
  if (tenthsMs < minuteMs) return `${tenthsMs / secondMs}s`;
  const secondsMs = roundTo(secondMs, durationMs);
  if (secondsMs < hourMs) return renderUnits(secondsMs, ['m', minuteMs], ['s', secondMs]);
  const minutesMs = roundTo(minuteMs, durationMs);
  if (minutesMs < dayMs) return renderUnits(minutesMs, ['h', hourMs], ['m', minuteMs]);
  return renderUnits(roundTo(hourMs, durationMs), ['d', dayMs], ['h', hourMs]);
}

type Unit = readonly [name: string, sizeMs: number];

function roundTo(stepMs: number, durationMs: number): number {
  return Math.round(durationMs / stepMs) * stepMs;
}

/** @param roundedMs a multiple of the small unit. */
function renderUnits(roundedMs: number, [large, largeMs]: Unit, [small, smallMs]: Unit): string {
  const rest = (roundedMs % largeMs) / smallMs;
  return `${Math.floor(roundedMs / largeMs)}${large}${rest === 0 ? '' : `${rest}${small}`}`;
}
