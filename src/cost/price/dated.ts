import type { Dated } from '../../resources/price-book.ts';
import { clip, type Period } from '../calendar/calendar.ts';

export const allTime: Period = {
  fromAt: Number.NEGATIVE_INFINITY,
  untilAt: Number.POSITIVE_INFINITY,
};

/** The time in which something holds; without ends it is endless. */
export function timeOf({ fromAt = allTime.fromAt, untilAt = allTime.untilAt }: Dated): Period {
  return { fromAt, untilAt };
}

export function holdsAt(dated: Dated, at: number): boolean {
  const { fromAt, untilAt } = timeOf(dated);
  return fromAt <= at && at < untilAt;
}

/** The time that two lists of stretches share, in the order of the first. */
export function sharedTime(some: readonly Period[], others: readonly Period[]): Period[] {
  return some.flatMap(one =>
    others.map(other => clip(one, other)).filter(({ fromAt, untilAt }) => fromAt < untilAt),
  );
}

/** A period cut at the instants within it. */
export function cutAt({ fromAt, untilAt }: Period, instants: readonly number[]): Period[] {
  const inside = instants.filter(at => at > fromAt && at < untilAt);
  const starts = [...new Set([fromAt, ...inside])].sort((a, b) => a - b);
  return starts.map((at, index) => ({ fromAt: at, untilAt: starts[index + 1] ?? untilAt }));
}

/** Stretches in order of time; ones that overlap or touch become one. */
export function joinStretches(stretches: readonly Period[]): Period[] {
  const joined: { fromAt: number; untilAt: number }[] = [];
  for (const { fromAt, untilAt } of stretches.toSorted((a, b) => a.fromAt - b.fromAt)) {
    const last = joined.at(-1);
    if (last !== undefined && fromAt <= last.untilAt) last.untilAt = Math.max(last.untilAt, untilAt);
    else joined.push({ fromAt, untilAt });
  }
  return joined;
}

/** The parts of a stretch that lie outside of others within it, in order of time. */
export function subtractStretches(stretch: Period, others: readonly Period[]): Period[] {
  const sorted = others.toSorted((a, b) => a.fromAt - b.fromAt);
  const starts = [stretch.fromAt, ...sorted.map(({ untilAt }) => untilAt)];
  const ends = [...sorted.map(({ fromAt }) => fromAt), stretch.untilAt];
  return starts
    .map((fromAt, index) => ({ fromAt, untilAt: ends[index] ?? fromAt }))
    .filter(({ fromAt, untilAt }) => fromAt < untilAt);
}

/** How long stretches are together. */
export function lengthOf(stretches: readonly Period[]): number {
  return stretches.reduce((sum, { fromAt, untilAt }) => sum + untilAt - fromAt, 0);
}
