import { minuteMs } from '../../../resources/duration.ts';
import type { Operation } from '../../../resources/operation.ts';
import type { Project } from '../../../resources/project.ts';
import type { PollCheckpoint } from '../../../resources/reading.ts';
import { useRefreshMs } from '../budget-share.ts';
import type { Queue, QueueMember } from '../queue/queue.ts';
import { Listing } from './listing.ts';
import { PollHistory } from './poll-history.ts';
import { findComputeChanges, RestHistory } from './rest-history.ts';

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

/** Whether an account still has a project, by its list and by what the service answers about the project itself. */
class Presence {
  #listPoll = 0;
  #isMissed = false;
  #isDropped = false;
  #missingAt: number | undefined;
  #isDisputed = false;

  /** Number of the list poll that last showed it; 0 if none did. */
  get listPoll(): number {
    return this.#listPoll;
  }

  /** Whether the last complete list did not show it. */
  get isMissed(): boolean {
    return this.#isMissed;
  }

  /** Whether it is not watched any more. */
  get isDropped(): boolean {
    return this.#isDropped;
  }

  /** When the service said that it does not exist; epoch milliseconds by this host's clock. */
  get missingAt(): number | undefined {
    return this.#missingAt;
  }

  /** Whether the service said that it does not exist, and its list said otherwise later. */
  get isDisputed(): boolean {
    return this.#isDisputed;
  }

  /** Whether the next list should show it. */
  get isExpected(): boolean {
    return !this.#isDropped && this.#missingAt === undefined;
  }

  /**
   * The list shows the project.
   *
   * @returns whether it is back after it was dropped or missing.
   */
  show(listPoll: number): boolean {
    const isMissing = this.#missingAt !== undefined;
    const isBack = isMissing || this.#isDropped;
    this.#listPoll = listPoll;
    this.#isMissed = false;
    this.#isDropped = false;
    if (isMissing) this.#isDisputed = true;
    this.#missingAt = undefined;
    return isBack;
  }

  /** A complete list does not show the project. */
  miss(): void {
    this.#isMissed = true;
  }

  /** The project is watched no more. */
  drop(): void {
    this.#isDropped = true;
  }

  /** The service says that the project does not exist. */
  lose(now: number): void {
    this.#missingAt = now;
  }
}

/** The latest that use shows up, as seen on live services. */
const longestLagMs = 15 * minuteMs;

/** When the use of a project was read for itself, and whether it is to be read again. Instants are of the service's clock. */
export class UsageAge {
  #readAt: number | undefined;
  #triedAt: number | undefined;
  #awakeAt: number | undefined;

  /** Goes on from when an earlier run read it. */
  continueFrom(readAt: number): void {
    this.#readAt = Math.max(readAt, this.#readAt ?? readAt);
  }

  /** Notes that an endpoint was awake at an instant. */
  noteAwake(at: number): void {
    this.#awakeAt = Math.max(at, this.#awakeAt ?? at);
  }

  noteTried(at: number): void {
    this.#triedAt = at;
  }

  noteRead(at: number): void {
    this.#readAt = at;
  }

  /** Whether it was awake since it was last read; and once more when all it used then must show. */
  isDue(now: number): boolean {
    const readAt = this.#readAt;
    const awakeAt = this.#awakeAt;
    // Further ahead than that, the clock was set back.
    if (this.#triedAt !== undefined && Math.abs(now - this.#triedAt) < useRefreshMs) return false;
    if (readAt === undefined || readAt > now) return true;
    if (awakeAt === undefined) return false;
    return readAt < awakeAt || (readAt < awakeAt + longestLagMs && now >= awakeAt + longestLagMs);
  }
}
