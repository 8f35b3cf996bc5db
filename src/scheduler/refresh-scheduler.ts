import type { Collector } from '../resources/collector.ts';
import type { Project } from '../resources/project.ts';
import type { PollCheckpoint } from '../resources/reading.ts';
import {
  busyShare,
  costOfPoll,
  firstShare,
  idleShare,
  isListLate,
  isScarce,
  type PollCost,
  pollsPerFullPoll,
  probeCycleMs,
  probeShare,
  type RefreshTerms,
  refreshesPerMinute,
  retryShare,
} from './budget-share.ts';
import { followReading } from './change-watch.ts';
import { ListLag } from './list-lag.ts';
import { isUrgent, type PollCause, type PollOutcome, type ProjectPoll } from './project-poll.ts';
import { hasPassed, ProjectQueues } from './project-queues.ts';
import { type Claim, QueueShare } from './queue-share.ts';
import { Round } from './round.ts';
import { learnRests } from './start-record.ts';
import { WatchList } from './watch-list.ts';
import type { WatchedProject } from './watched-project.ts';

export type SchedulerOptions = Omit<RefreshTerms, 'pages' | 'scheduleMs' | 'listLagMs'> & {
  readonly idleRefreshMs: number;
};

interface Waiting extends Claim<PollCause> {
  readonly watched: WatchedProject;
  readonly depth: ProjectPoll['depth'];
}

/** Decides which project is read next, and how. Pure: told what the lists and the readings say, and the time. */
export class RefreshScheduler {
  readonly queues = new ProjectQueues();
  readonly lag = new ListLag();
  readonly watchList = new WatchList(this.queues, this.lag);
  /** What the readings cost that the collectors make which are on. */
  readonly cost: PollCost;
  readonly #options: SchedulerOptions;
  readonly #shares = new QueueShare<PollCause>();
  readonly #round: Round;
  #lateIdle = 0;
  #pollsTaken = 0;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#round = new Round(options.requestsPerMinute);
    this.cost = costOfPoll(options.collectors);
  }

  /** What the shares of the budget follow from. */
  get terms(): RefreshTerms {
    const { apiKeysRefreshMs, collectors } = this.#options;
    return {
      requestsPerMinute: this.#round.budgetPerMinute,
      apiKeysRefreshMs,
      ...(collectors && { collectors }),
      pages: this.watchList.pages,
      scheduleMs: this.#round.intervalMs,
      listLagMs: this.lag.lagMs,
    };
  }

  /** Whether full readings of all at rest do not fit into the budget. */
  get isScarce(): boolean {
    const perMinute = refreshesPerMinute(this.terms);
    return isScarce(this.queues.rest.size, this.#options.idleRefreshMs, perMinute, this.cost);
  }

  /** How many projects at rest were read later than they should have been. */
  get lateIdle(): number {
    return this.#lateIdle;
  }

  get idleRefreshMs(): number {
    return this.#options.idleRefreshMs;
  }

  /**
   * Begins a round: once in each, what is busy or failed is read again.
   *
   * @param budgetPerMinute what the account allows itself now; 0 while it is paused, which says nothing of later.
   */
  beginRound(now: number, budgetPerMinute = this.#round.budgetPerMinute): void {
    this.#round.begin(now, budgetPerMinute);
  }

  /**
   * Follows a page of the sweep that was asked for at `askedAt`.
   *
   * @param standings how those stand that are new or back, as far as they were known before.
   */
  followPage(
    projects: readonly Project[],
    askedAt: number,
    now: number,
    checkpoints: readonly PollCheckpoint[] = [],
  ): void {
    for (const checkpoint of checkpoints) this.watchList.expect(checkpoint);
    this.watchList.followPage(projects, askedAt, isListLate(this.terms), now);
  }

  /**
   * The project to read now; undefined while nothing is due and nothing may be spared. `settle` or `lose` must follow.
   *
   * @param urgentOnly for a reader beyond those there always are: only for what just happened.
   */
  next(now: number, urgentOnly = false): ProjectPoll | undefined {
    if (this.cost.full === 0 || (urgentOnly && !this.queues.hasUrgent)) return undefined;
    const picked = this.#shares.pick(this.#claims(now), ({ kind }) => !urgentOnly || isUrgent(kind));
    if (picked === undefined) return undefined;
    const { watched, kind, depth, requests } = picked;
    if (kind === 'retry') this.queues.leaveRetries();
    if (
      kind === 'idle' &&
      Number.isFinite(watched.touchedAt) &&
      hasPassed(watched.touchedAt, this.#lateMs(), now)
    )
      this.#lateIdle += 1;
    watched.queue?.remove(watched);
    watched.running = true;
    watched.polls += 1;
    watched.changedAt = undefined;
    watched.stopSuspected = false;
    this.#round.spend(requests);
    return { watched, kind, depth, urgent: isUrgent(kind) };
  }

  /** Takes note of how a turn ended. */
  settle(
    { watched, kind, depth }: ProjectPoll,
    outcome: PollOutcome,
    before: { wasBusy: boolean },
    now: number,
  ): void {
    watched.running = false;
    const extra = outcome.requests - this.cost[depth];
    this.#shares.charge(kind, extra);
    this.#round.spend(extra);
    if (!outcome.ok) {
      watched.failingSince ??= now;
      watched.lastTriedAt = now;
    } else this.#noteReading(watched, outcome, before.wasBusy, now);
    if (!watched.dropped) this.queues.place(watched, now);
  }

  /** The service says that the project does not exist. */
  lose({ watched }: ProjectPoll, now: number): void {
    watched.running = false;
    watched.missingAt = now;
    this.watchList.leaveImport(watched);
  }

  #noteReading(watched: WatchedProject, outcome: PollOutcome, wasBusy: boolean, now: number): void {
    const { operations, skewMs, mark, full } = outcome;
    const { restedAt, operationMark } = watched;
    const startedAt = learnRests(watched, operations, skewMs);
    // Without a look at its endpoints, a project is busy while the list shows that it uses compute.
    if (!this.#reads('endpoints')) watched.busy ||= watched.cpuRate > 0;
    const news = this.#reads('operations') ? mark !== operationMark : watched.busy !== wasBusy;
    // Growth from before the first reading may have been anything.
    if (watched.lastReadAt === undefined) watched.growthSeenAt = Number.NaN;
    else {
      followReading(watched, { wasBusy, restedAt, startedAt, news }, this.lag, now);
    }
    watched.failingSince = undefined;
    watched.lastTriedAt = undefined;
    // First readings come one right after the other: their next full ones must not.
    const pollsTaken = watched.lastReadAt === undefined ? this.#nextPollsTaken() : 0;
    watched.partialPolls = full ? pollsTaken : watched.partialPolls + 1;
    watched.lastReadAt = now;
    watched.operationMark = mark;
    if (full) watched.lastFullAt = now;
  }

  #reads(collector: Collector): boolean {
    return this.#options.collectors?.includes(collector) !== false;
  }

  #nextPollsTaken(): number {
    this.#pollsTaken = (this.#pollsTaken + 1) % pollsPerFullPoll;
    return this.#pollsTaken;
  }

  /** What waits, by rank. */
  #claims(now: number): readonly Waiting[] {
    const { queues } = this;
    const { idleRefreshMs } = this.#options;
    const claims: Waiting[] = [];
    const claim = (
      kind: PollCause,
      share: number,
      watched: WatchedProject | undefined,
      mayBePartial = false,
    ) => {
      if (watched === undefined) return;
      const depth = mayBePartial ? this.#depth(watched, now) : 'full';
      claims.push({ kind, share, watched, depth, requests: this.cost[depth] });
    };
    claim('changed', 0, queues.changed.first);
    claim('stopping', 0, queues.suspects.first);
    claim('busy', busyShare, queues.dueBusy(now, this.#round.startedAt));
    claim('first', firstShare, queues.unread.first);
    claim('probe', probeShare, this.#likelyStarter(now), true);
    const retry = queues.retry(now, this.#round.startedAt);
    const shareOfRetries = retry === undefined ? 0 : retryShare;
    claim('idle', idleShare * (1 - shareOfRetries), queues.dueIdle(now, idleRefreshMs), true);
    claim('retry', idleShare * shareOfRetries, retry);
    if (claims.length === 0 && this.#round.maySpare(this.cost.full)) claim('spare', 0, this.#spare());
    return claims;
  }

  /** What comes a round after it was due is still in time. */
  #lateMs(): number {
    return this.#options.idleRefreshMs + 2 * this.#round.intervalMs;
  }

  #depth(watched: WatchedProject, now: number): ProjectPoll['depth'] {
    const { known, operationMark, partialPolls, lastFullAt } = watched;
    if (!watched.imported || known.openIds.length > 0 || operationMark === undefined) return 'full';
    const isFullPoll =
      partialPolls >= pollsPerFullPoll - 1 && hasPassed(lastFullAt, this.#options.idleRefreshMs, now);
    return !isFullPoll && this.isScarce ? 'light' : 'full';
  }

  #likelyStarter(now: number): WatchedProject | undefined {
    const { terms } = this;
    if (!isListLate(terms)) return undefined;
    const perMinute = probeShare * refreshesPerMinute(terms);
    return this.queues.rest.likelyStarter((perMinute * probeCycleMs(terms.listLagMs)) / 60_000, now);
  }

  /** Nothing is read twice in a round only because there is time. */
  #spare(): WatchedProject | undefined {
    const oldest = this.queues.rest.oldest();
    return oldest !== undefined && oldest.touchedAt < this.#round.startedAt ? oldest : undefined;
  }
}
