import { Queue } from './queue.ts';
import type { WatchedProject } from './watched-project.ts';

const queueCount = 36;
/** Three lanes for each doubling of the expected rest, the first for what rests a minute. */
const queuesPerDoubling = 3;
const shortestRestMs = 60_000;
/** Sooner than this a sleeper is not looked at again. */
const probePauseMs = 20_000;

/**
 * Projects at rest, by how long they are expected to go on resting; in each lane whoever was read longest ago is first.
 * Who started often, or fell asleep just now, is likely to start soon: that is where starts are looked for when the
 * list does not show them.
 */
export class RestQueues {
  readonly #queues: readonly Queue<WatchedProject>[] = Array.from({ length: queueCount }, () => new Queue());

  get size(): number {
    return this.#queues.reduce((sum, { size }) => sum + size, 0);
  }

  push(watched: WatchedProject, now: number): void {
    this.#queueOf(watched, now)?.push(watched);
  }

  /** Puts a project at rest where it belongs by now. */
  rank(watched: WatchedProject, now: number): void {
    const queue = this.#queueOf(watched, now);
    if (queue !== watched.queue) queue?.join(watched, isOlder);
  }

  /** Read or tried longest ago of all. */
  oldest(): WatchedProject | undefined {
    let oldest: WatchedProject | undefined;
    for (const { first } of this.#queues) oldest = older(oldest, first);
    return oldest;
  }

  #queueOf(watched: WatchedProject, now: number): Queue<WatchedProject> | undefined {
    const restMs = Math.max(shortestRestMs, expectedRestMs(watched, now));
    const index = Math.floor(Math.log2(restMs / shortestRestMs) * queuesPerDoubling);
    return this.#queues[Math.min(index, queueCount - 1)];
  }

  /** The likely starter looked at longest ago, among about as many of the likeliest as `mostWatched`. */
  likelyStarter(mostWatched: number, now: number): WatchedProject | undefined {
    let watched = 0;
    let oldest: WatchedProject | undefined;
    for (const { first, size } of this.#queues) {
      if (watched >= mostWatched) break;
      watched += size;
      oldest = older(oldest, first);
    }
    return oldest !== undefined && now - oldest.touchedAt >= probePauseMs ? oldest : undefined;
  }
}

function isOlder(a: WatchedProject, b: WatchedProject): boolean {
  return a.touchedAt < b.touchedAt;
}

function older(a: WatchedProject | undefined, b: WatchedProject | undefined): WatchedProject | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return b.touchedAt < a.touchedAt ? b : a;
}

/** Soon after it fell asleep, in terms of how long it usually sleeps, a project is still less likely to start. */
const earlyPart = 0.2;
const earlyFactor = 3;
/** A rest is outlasted when it is this many times as long as usual: from then on rest begets rest. */
const outlastedFactor = 2;

function expectedRestMs({ restedAt, usualRestMs }: WatchedProject, now: number): number {
  if (Number.isNaN(restedAt)) return Number.isNaN(usualRestMs) ? Number.MAX_SAFE_INTEGER : usualRestMs;
  const restedMs = Math.max(0, now - restedAt);
  if (Number.isNaN(usualRestMs)) return restedMs;
  if (restedMs < earlyPart * usualRestMs) return usualRestMs * earlyFactor;
  return Math.max(restedMs / outlastedFactor, usualRestMs);
}
