const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** A duration as one says it, in the largest unit of which it has two or a whole one: `1 hour`, `90 minutes`, `28 days`. */
export function sayDuration(durationMs: number): string {
  const [name, sizeMs] = units.find(([, unitMs]) => durationMs >= 2 * unitMs || durationMs === unitMs) ?? [
    'second',
    1000,
  ];
  return sayCount(durationMs / sizeMs, name);
}

/** `every 5 minutes`, `every hour`, `every day`. */
export function sayEvery(periodMs: number): string {
  return `every ${sayDuration(periodMs).replace(/^1 /, '')}`;
}

/** `1 wake`, `2.5 hours`, `112 wakes`: with one decimal below ten. */
export function sayCount(count: number, noun: string): string {
  const rounded = count < 10 ? Math.round(count * 10) / 10 : Math.round(count);
  return `${rounded} ${noun}${rounded === 1 ? '' : 's'}`;
}

/** `92 %`; never 100 % for less than all. */
export function sayShare(share: number): string {
  const percent = share > 0.99 && share < 1 ? Math.floor(share * 1000) / 10 : Math.round(share * 100);
  return `${percent} %`;
}
