import type { Operation } from '../../../resources/operation.ts';
import type { Project } from '../../../resources/project.ts';
import type { PollCheckpoint } from '../../../resources/reading.ts';
import type { Queue, QueueMember } from '../queue/queue.ts';
import { Listing } from './listing.ts';
import { PollHistory } from './poll-history.ts';
import { Presence } from './presence.ts';
import { findComputeChanges, RestHistory } from './rest-history.ts';
import { UsageAge } from './usage-age.ts';

/**
 * A project of the account with what is remembered of it from poll to poll, each group written by its own class alone.
 * The unknown is undefined. There are tens of thousands: rests take no memory before there is one to learn from.
 */
export class WatchedProject implements QueueMember<WatchedProject> {
  /** Epoch milliseconds by this host's clock. */
  readonly addedAt: number;
  readonly listing: Listing;
  readonly presence = new Presence();
  readonly polls = new PollHistory();
  #rests: RestHistory | undefined;
  #usage: UsageAge | undefined;
  /** Where it waits; written by the queue alone, as are its neighbours there. */
  readonly queue: Queue<WatchedProject> | undefined = undefined;
  readonly before: WatchedProject | undefined = undefined;
  readonly after: WatchedProject | undefined = undefined;

  constructor(project: Project, addedAt: number) {
    this.listing = new Listing(project);
    this.addedAt = addedAt;
  }

  get project_id(): string {
    return this.listing.project.project_id;
  }

  /** When its use was read for itself, of an account whose list does not tell it. */
  get usage(): UsageAge {
    this.#usage ??= new UsageAge();
    return this.#usage;
  }

  /** Takes over what the history knows. */
  continueFrom(checkpoint: Omit<PollCheckpoint, 'project_id'>): void {
    this.polls.continueFrom(checkpoint);
    if (checkpoint.usageReadAt !== undefined) this.usage.continueFrom(checkpoint.usageReadAt);
  }

  /** Since when it is at rest. */
  get restedAt(): number | undefined {
    return this.#rests?.restedAt;
  }

  /** How long it usually rests, in milliseconds. */
  get usualRestMs(): number | undefined {
    return this.#rests?.usualRestMs;
  }

  /**
   * Learns from operations when it came to rest and how long it usually does.
   *
   * @param skewMs the service's clock minus ours.
   * @returns when it last started, of operations not learned from before; by this host's clock.
   */
  learnRests(operations: readonly Operation[], skewMs: number): number | undefined {
    const changes = findComputeChanges(operations);
    if (changes.length === 0) return undefined;
    this.#rests ??= new RestHistory();
    return this.#rests.learn(changes, skewMs);
  }
}
