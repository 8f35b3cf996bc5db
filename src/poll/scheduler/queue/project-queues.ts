import { hasPassed, retryWaitMs } from '../due-time.ts';
import type { WatchedProject } from '../project/watched-project.ts';
import type { Round } from '../round.ts';
import { Queue } from './queue.ts';
import { RestQueues } from './rest-queues.ts';
import { RetryQueue } from './retry-queue.ts';

/** Projects that may be polled, each in the one queue it waits in; in every queue whoever waits longest is first. */
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
   * Lets those that failed at `sinceAt` or later for the first time be tried at once: they failed with all the rest.
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
