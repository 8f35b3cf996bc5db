import type { ProjectLife } from './project-life.ts';

/** The time in which one of several histories speaks for a project; epoch milliseconds. */
export interface SpokenTime {
  /** From when on its states count: where the one before ends. */
  readonly cutAt: number;
  /** From when on its counter counts: the first reading. Between the two nobody read it. */
  readonly fromAt: number;
  readonly untilAt: number;
}

interface Lived {
  readonly life: Pick<ProjectLife, 'firstSeenAt' | 'lastKnownAt' | 'lastReadAt'>;
}

/**
 * Decides which history speaks for a project when. One that read it from earlier on and until later than another speaks
 * alone; otherwise the later one takes over at its first reading.
 *
 * @param found at least one.
 * @returns those that speak, in order of time.
 */
export function linkLives<Each extends Lived>(
  found: readonly Each[],
): readonly [Each & SpokenTime, ...(Each & SpokenTime)[]] {
  const inOrder = found.toSorted(
    (a, b) => a.life.firstSeenAt - b.life.firstSeenAt || b.life.lastKnownAt - a.life.lastKnownAt,
  );
  const kept: Each[] = [];
  for (const each of inOrder) {
    const before = kept.at(-1);
    if (before === undefined || each.life.lastKnownAt > before.life.lastKnownAt) kept.push(each);
  }
  const endOf = (index: number) => {
    const [own, next] = [kept[index]?.life, kept[index + 1]?.life];
    if (own === undefined || next === undefined) return Number.POSITIVE_INFINITY;
    return Math.min(own.lastReadAt, next.firstSeenAt);
  };
  const [first, ...later] = kept.map((each, index) => {
    const isFirst = index === 0;
    return {
      ...each,
      cutAt: isFirst ? Number.NEGATIVE_INFINITY : endOf(index - 1),
      fromAt: isFirst ? Number.NEGATIVE_INFINITY : each.life.firstSeenAt,
      untilAt: endOf(index),
    };
  });
  if (first === undefined) throw new RangeError('a project of no history');
  return [first, ...later];
}
