import { renderDuration } from '../../../resources/duration-text.ts';

/** How far the sending is. */
export interface Sent {
  /** The part of this run that is done, 0 to 1. */
  readonly done: number;
  readonly samples: number;
  readonly elapsedMs: number;
}

/** Before this a guess of the time left is worth nothing. */
const leastElapsedMs = 2000;

/** The rate and the time left: `410k samples/s, 3m20s left`. */
export function renderPace({ done, samples, elapsedMs }: Sent): string {
  const rate = `${renderCount(samples / (elapsedMs / 1000))} samples/s`;
  if (elapsedMs < leastElapsedMs || done <= 0) return rate;
  return `${rate}, ${renderDuration((elapsedMs * (1 - done)) / done)} left`;
}

/** In three digits or so: `950`, `41k`, `1.2M`. */
export function renderCount(count: number): string {
  if (count < 1000) return String(Math.round(count));
  const [value, unit] = count < 999_500 ? [count / 1000, 'k'] : [count / 1_000_000, 'M'];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)}${unit}`;
}
