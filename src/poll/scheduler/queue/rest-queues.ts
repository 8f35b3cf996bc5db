import { minuteMs } from '../../../resources/duration.ts';
import type { WatchedProject } from '../project/watched-project.ts';
import { Queue } from './queue.ts';

const queueCount = 36;
/** Three queues for each doubling of the expected rest, the first for what rests a minute. */
const queuesPerDoubling = 3;
const shortestRestMs = minuteMs;
/** Sooner than this a project at rest is not looked at again. */
const probePauseMs = 20_000;

/**
 * Projects at rest, by how long they are expected to go on resting; in each queue whoever was polled longest ago is
 * first. A project that started often, or came to rest just now, is likely to start soon: that is where starts are
 * looked for when the list does not show them.
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

  /** The one polled longest ago of all. */
  oldest(): WatchedProject | undefined {
    let oldest: WatchedProject | undefined;
    for (const { first } of this.#queues) oldest = older(oldest, first);
    return oldest;
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
    const touchedAt = oldest?.polls.touchedAt;
    return touchedAt === undefined || now - touchedAt >= probePauseMs ? oldest : undefined;
  }

  #queueOf(watched: WatchedProject, now: number): Queue<WatchedProject> | undefined {
    const restMs = expectedRestMs(watched, now);
    if (restMs === undefined) return this.#queues[queueCount - 1];
    const doublings = Math.log2(Math.max(shortestRestMs, restMs) / shortestRestMs);
    return this.#queues[Math.min(Math.floor(doublings * queuesPerDoubling), queueCount - 1)];
  }
}

/** Whether `a` was polled before `b`; never comes before any time. */
function isOlder({ polls: { touchedAt: a } }: WatchedProject, { polls: { touchedAt: b } }: WatchedProject) {
  return b !== undefined && (a === undefined || a < b);
}

function older(a: WatchedProject | undefined, b: WatchedProject | undefined): WatchedProject | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return isOlder(b, a) ? b : a;
}

/** Soon after it came to rest, in terms of how long it usually rests, a project is still less likely to start. */
const earlyPart = 0.2;
const earlyFactor = 3;
/** A rest is outlasted when it is this many times as long as usual: from then on rest begets rest. */
const outlastedFactor = 2;

/** How long it is expected to go on resting, in milliseconds; undefined while nothing is known of its rests. */
function expectedRestMs({ restedAt, usualRestMs }: WatchedProject, now: number): number | undefined {
  if (restedAt === undefined) return usualRestMs;
  const restedMs = Math.max(0, now - restedAt);
  if (usualRestMs === undefined) return restedMs;
  if (restedMs < earlyPart * usualRestMs) return usualRestMs * earlyFactor;
  return Math.max(restedMs / outlastedFactor, usualRestMs);
}
