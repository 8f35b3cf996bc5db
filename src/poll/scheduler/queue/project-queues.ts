import { minuteMs } from '../../../resources/duration.ts';
import type { Round } from '../budget-share.ts';
import { hasPassed, retryWaitMs } from '../due-time.ts';
import type { WatchedProject } from '../project/watched-project.ts';
import { Queue, RetryQueue } from './queue.ts';

/** Projects that may be polled, each in the one queue it waits in; in every queue the one that waits longest is first. */
export class ProjectQueues {
  readonly changed = new Queue<WatchedProject>();
  readonly unread = new Queue<WatchedProject>();
  readonly suspects = new Queue<WatchedProject>();
  readonly busy = new Queue<WatchedProject>();
  readonly rest = new RestQueues();
  readonly #failing = new RetryQueue<WatchedProject>();

  get hasUrgent(): boolean {
    return this.changed.size + this.suspects.size > 0;
  }

  get failingCount(): number {
    return this.#failing.size;
  }

  /** Puts a project where it belongs now; what is being polled or is missing belongs nowhere. */
  place(watched: WatchedProject, now: number): void {
    watched.queue?.remove(watched);
    const { listing, polls, presence } = watched;
    if (polls.isRunning || presence.missingAt !== undefined || this.#failing.has(watched)) return;
    const { failure } = polls;
    if (failure !== undefined) {
      this.#failing.push(watched, failure.lastTriedAt + retryWaitMs(failure));
    } else if (polls.lastReadAt === undefined && polls.known.headAt === undefined) this.unread.push(watched);
    else if (polls.busy) (listing.stopSuspected ? this.suspects : this.busy).push(watched);
    else if (listing.changedAt !== undefined) this.changed.push(watched);
    else this.rest.push(watched, now);
  }

  /** Whether it waits with those at rest. */
  isAtRest({ queue }: WatchedProject): boolean {
    if (queue === undefined) return false;
    return queue !== this.changed && queue !== this.unread && queue !== this.suspects && queue !== this.busy;
  }

  /** A failing one that may be tried again, unless it was tried in this round. */
  retry(now: number, round: Round): WatchedProject | undefined {
    for (let top = this.#failing.peek(); top !== undefined; top = this.#failing.peek()) {
      const { item, retryAt } = top;
      const { isDropped, missingAt } = item.presence;
      if (isDropped || missingAt !== undefined) {
        this.#failing.pop();
        continue;
      }
      const lastTriedAt = item.polls.failure?.lastTriedAt ?? now;
      if (lastTriedAt > now) return item;
      return retryAt <= now && round.isAfter(lastTriedAt) ? item : undefined;
    }
    return undefined;
  }

  /** Takes out the project `retry` answered. */
  leaveRetries(): void {
    this.#failing.pop();
  }

  /**
   * Lets projects that failed at `sinceAt` or later for the first time be tried at once: they failed with all the rest.
   *
   * @param sinceAt epoch milliseconds; undefined for all.
   */
  retryAtOnce(sinceAt: number | undefined, now: number): void {
    this.#failing.hasten(now, ({ polls: { failure } }) => {
      return sinceAt === undefined || (failure?.sinceAt ?? now) >= sinceAt;
    });
  }

  /** The busy one polled longest ago, unless it was polled in this round. */
  dueBusy(now: number, round: Round): WatchedProject | undefined {
    const { first } = this.busy;
    if (first === undefined) return undefined;
    const { touchedAt } = first.polls;
    return round.isAfter(touchedAt) || (touchedAt !== undefined && touchedAt > now) ? first : undefined;
  }

  /** The one at rest polled longest ago, if that is long enough ago. */
  dueIdle(now: number, idleRefreshMs: number): WatchedProject | undefined {
    const oldest = this.rest.oldest();
    if (oldest === undefined) return undefined;
    const { touchedAt } = oldest.polls;
    return touchedAt === undefined || hasPassed(touchedAt, idleRefreshMs, now) ? oldest : undefined;
  }
}

const queueCount = 36;
/** Three queues for each doubling of the expected rest, the first for what rests a minute. */
const queuesPerDoubling = 3;
const shortestRestMs = minuteMs;
/** Sooner than this a project at rest is not looked at again. */
const probePauseMs = 20_000;

/**
 * Projects at rest, by how long they are expected to go on resting; in each queue the one polled longest ago is
 * first. A project that started often, or came to rest just now, is likely to start soon: that is where starts are
 * looked for when the list does not show them.
 */
class RestQueues {
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
