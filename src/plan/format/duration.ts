const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A duration in its two largest units, as settings are written: `6.5s`, `34m10s`, `4h45m`; `never` for an endless one. */
export function renderDuration(durationMs: number): string {
  if (durationMs === Number.POSITIVE_INFINITY) return 'never';
  if (durationMs < minuteMs) return `${Math.round(durationMs / 100) / 10}s`;
  if (durationMs < hourMs) return renderUnits(durationMs, ['m', minuteMs], ['s', secondMs]);
  if (durationMs < dayMs) return renderUnits(durationMs, ['h', hourMs], ['m', minuteMs]);
  return renderUnits(durationMs, ['d', dayMs], ['h', hourMs]);
}

type Unit = readonly [name: string, sizeMs: number];

function renderUnits(durationMs: number, [large, largeMs]: Unit, [small, smallMs]: Unit): string {
  const smallUnits = Math.round(durationMs / smallMs);
  const perLarge = largeMs / smallMs;
  const rest = smallUnits % perLarge;
  return `${Math.floor(smallUnits / perLarge)}${large}${rest === 0 ? '' : `${rest}${small}`}`;
}
