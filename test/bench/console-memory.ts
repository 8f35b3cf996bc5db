import { setTimeout as sleep } from 'node:timers/promises';
import type { Row } from './benchmark.ts';
import { median } from './percentile.ts';
import type { IdleMemory } from './process/idle-memory.ts';
import type { ProbedDaemon } from './process/probed-daemon.ts';

const mebibyte = 2 ** 20;
const readingPauseMs = 500;

/** Resident bytes while something goes on: what garbage a thread keeps is another amount every second. */
export async function watchMemory<Result>(
  daemon: Pick<ProbedDaemon, 'readUsage'>,
  work: Promise<Result>,
): Promise<readonly [Result, number]> {
  const readings: number[] = [];
  const done = work.then(() => true);
  do readings.push((await daemon.readUsage()).residentBytes);
  while (!(await Promise.race([done, sleep(readingPauseMs, false)])));
  return [await work, median(readings)];
}

interface WatchedMemory {
  readonly idle: IdleMemory;
  /** Resident bytes of a daemon that nobody looked at, while the first people look, while others do later, and some time after. */
  readonly before: number;
  readonly early: number;
  readonly after: number;
  readonly atRest: number;
}

export function renderMemory({ idle, before, early, after, atRest }: WatchedMemory): readonly Row[] {
  const added = (what: string, bytes: number, base: number) =>
    ({ what, value: Math.max(0, bytes - base) / mebibyte, unit: 'MiB' }) as const;
  const goal = { of: 'value', atMost: 40 } as const;
  return [
    { what: 'memory before anything is looked at', value: before / mebibyte, unit: 'MiB' },
    added('memory of an empty thread', idle.emptyThread, idle.loaded),
    added('memory of a thread and of reports that are loaded and idle', idle.console, idle.loaded),
    added('memory added while the first people look', early, before),
    { ...added('memory added while people look later', after, before), goal },
    { ...added('memory added 25 s after the last view', atRest, before), goal },
  ];
}
