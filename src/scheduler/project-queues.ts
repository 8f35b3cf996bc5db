import { Queue } from './queue.ts';
import { RestQueues } from './rest-queues.ts';
import { RetryQueue } from './retry-queue.ts';
import type { WatchedProject } from './watched-project.ts';

const longestRetryMs = 5 * 60_000;

/** An instant of the future was noted before the clock was set back: what waits for it has waited long enough. */
export function hasPassed(sinceAt: number, durationMs: number, now: number): boolean {
  return sinceAt > now || now - sinceAt >= durationMs;
}

/** What keeps failing is tried less and less often: again after as long as it has been failing. */
export function retryWaitMs(failingSince: number, lastTriedAt: number): number {
  return Math.min(Math.max(0, lastTriedAt - failingSince), longestRetryMs);
}

/** Projects that may be read, each in the one lane it waits in; in every lane whoever waits longest is first. */
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

  /** Puts a project where it belongs now; what is being read or is missing belongs nowhere. */
  place(watched: WatchedProject, now: number): void {
    watched.queue?.remove(watched);
    if (watched.running || watched.missingAt !== undefined || watched.waitsToRetry) return;
    const { failingSince, lastTriedAt } = watched;
    if (failingSince !== undefined && lastTriedAt !== undefined) {
      watched.waitsToRetry = true;
      this.#failing.push(watched, lastTriedAt + retryWaitMs(failingSince, lastTriedAt));
    } else if (watched.lastReadAt === undefined && watched.known.headAt === undefined) {
      this.unread.push(watched);
    } else if (watched.busy) {
      (watched.stopSuspected ? this.suspects : this.busy).push(watched);
    } else if (watched.changedAt !== undefined) this.changed.push(watched);
    else this.rest.push(watched, now);
  }

  /** Whether it waits with those at rest. */
  isAtRest({ queue }: WatchedProject): boolean {
    if (queue === undefined) return false;
    return queue !== this.changed && queue !== this.unread && queue !== this.suspects && queue !== this.busy;
  }

  /** A failing one that may be tried again, unless it was tried since `roundStartedAt`. */
  retry(now: number, roundStartedAt: number): WatchedProject | undefined {
    for (let top = this.#failing.peek(); top !== undefined; top = this.#failing.peek()) {
      const { item, retryAt } = top;
      if (item.dropped || item.missingAt !== undefined) {
        this.leaveRetries();
        continue;
      }
      const { lastTriedAt = now } = item;
      if (lastTriedAt > now) return item;
      return retryAt <= now && lastTriedAt < roundStartedAt ? item : undefined;
    }
    return undefined;
  }

  /** Takes out the project `retry` answered. */
  leaveRetries(): void {
    const left = this.#failing.pop();
    if (left !== undefined) left.waitsToRetry = false;
  }

  /** Those that failed at `sinceAt` or later for the first time may be tried at once: they failed with all the rest. */
  retryAtOnce(sinceAt: number, now: number): void {
    this.#failing.hasten(now, ({ failingSince = now }) => failingSince >= sinceAt);
  }

  /** The busy one read longest ago, unless it was read since `roundStartedAt`. */
  dueBusy(now: number, roundStartedAt: number): WatchedProject | undefined {
    const { first } = this.busy;
    if (first === undefined) return undefined;
    const { touchedAt } = first;
    return touchedAt < roundStartedAt || touchedAt > now ? first : undefined;
  }

  /** The one at rest read longest ago, if that is long enough ago. */
  dueIdle(now: number, idleRefreshMs: number): WatchedProject | undefined {
    const oldest = this.rest.oldest();
    return oldest !== undefined && hasPassed(oldest.touchedAt, idleRefreshMs, now) ? oldest : undefined;
  }
}
