import type { Collector } from '../../resources/collector.ts';
import { minuteMs } from '../../resources/duration.ts';
import { minOf } from '../../resources/min-max.ts';
import type { Project } from '../../resources/project.ts';
import type { CpuSource, CpuSourceChoice } from '../../resources/project-usage.ts';
import type { PollCheckpoint } from '../../resources/reading.ts';
import type { RequestPressure } from '../../resources/request-budget.ts';
import {
  type BudgetTerms,
  costOfPoll,
  isListLate,
  isScarce,
  keyRequestsPerMinute,
  listPollIntervalMs,
  type PollCost,
  pollsPerFullPoll,
  projectRequestsPerMinute,
  Round,
  useRequestsPerPoll,
} from './budget-share.ts';
import { type ChosenPoll, isUrgent, type PollCause, type PollOutcome } from './chosen-poll.ts';
import { CpuSourceWatch } from './cpu-source-watch.ts';
import { hasPassed } from './due-time.ts';
import { ListLag } from './list-lag.ts';
import { QueueShare, rankPolls } from './next-poll.ts';
import type { WatchedProject } from './project/watched-project.ts';
import { ProjectQueues } from './queue/project-queues.ts';
import { WatchList } from './watch-list.ts';

type SchedulerOptions = Omit<BudgetTerms, 'pages' | 'listLagMs'> & {
  readonly idleRefreshMs: number;
  /** How long what cannot be refreshed is kept. */
  readonly dropAfterMs: number;
  /** Where the use of projects is read; found out unless told. */
  readonly cpuSource?: CpuSourceChoice | undefined;
  /** Where an earlier run read it. */
  readonly knownCpuSource?: CpuSource | undefined;
};

/** Decides which project is polled next, and how. Pure: told what the lists and the polls say, and the time. */
export class PollScheduler {
  readonly queues = new ProjectQueues();
  readonly lag = new ListLag();
  readonly cpuSource: CpuSourceWatch;
  readonly watchList: WatchList;
  readonly round: Round;
  /** Requests that polls take with the collectors that are on. */
  readonly cost: PollCost;
  readonly #options: SchedulerOptions;
  readonly #shares = new QueueShare<PollCause>();
  #lateIdle = 0;
  #firstPolls = 0;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.watchList = new WatchList(this.queues, this.lag, options.dropAfterMs);
    this.round = new Round(options.requestsPerMinute, options.scheduleMs);
    this.cost = costOfPoll(options.collectors);
    const { cpuSource: choice = 'auto', knownCpuSource: known } = options;
    this.cpuSource = new CpuSourceWatch({ choice, known, readsProjects: this.cost.full > 0 });
  }

  /** The figures from which the shares of the budget follow. */
  get terms(): BudgetTerms {
    const { apiKeysRefreshMs, collectors } = this.#options;
    return {
      requestsPerMinute: this.round.budgetPerMinute,
      apiKeysRefreshMs,
      collectors,
      pages: this.watchList.pages,
      scheduleMs: this.round.intervalMs,
      listLagMs: this.lag.lagMs,
    };
  }

  /** Whether full polls of all at rest do not fit into the budget. */
  get isScarce(): boolean {
    const perMinute = projectRequestsPerMinute(this.terms);
    return isScarce(this.queues.rest.size, this.#options.idleRefreshMs, perMinute, this.cost);
  }

  /** How many projects at rest were polled later than they should have been. */
  get lateIdle(): number {
    return this.#lateIdle;
  }

  get idleRefreshMs(): number {
    return this.#options.idleRefreshMs;
  }

  /**
   * Begins a round: once in each, what is busy or failed is polled again.
   *
   * @param budgetPerMinute what the account allows itself now; 0 while it is paused, which says nothing of later.
   */
  beginRound(now: number, budgetPerMinute = this.round.budgetPerMinute): void {
    this.round.begin(now, budgetPerMinute);
  }

  /**
   * Follows a page of the list poll that was asked for at `askedAt`.
   *
   * @param checkpoints of projects that are new or back, as far as they were known before.
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
   * The project to poll now; undefined while nothing is due and nothing may be spared. `settle` or `lose` must follow.
   *
   * @param urgentOnly for a reader beyond those there always are: only for what just happened.
   */
  next(now: number, urgentOnly = false): ChosenPoll | undefined {
    if (this.cost.full === 0 || (urgentOnly && !this.queues.hasUrgent)) return undefined;
    const picked = this.#shares.pick(rankPolls(this, now), ({ kind }) => !urgentOnly || isUrgent(kind));
    if (picked === undefined) return undefined;
    const { watched, kind: cause, depth, requests } = picked;
    if (cause === 'retry') this.queues.leaveRetries();
    if (cause === 'idle') this.#countLate(watched, now);
    watched.queue?.remove(watched);
    watched.polls.begin();
    watched.listing.clearReasons();
    this.round.spend(requests);
    return { watched, cause, depth, urgent: isUrgent(cause), cpuSource: this.cpuSource };
  }

  /** Takes note of how a poll ended: well or not, with what it read. */
  settle(
    { watched, cause, depth }: ChosenPoll,
    outcome: PollOutcome,
    before: { wasBusy: boolean },
    now: number,
  ): void {
    const extra = outcome.requests - this.cost[depth];
    this.#shares.charge(cause, extra);
    this.round.spend(extra);
    if (outcome.ok) this.#noteSuccess(watched, outcome, before.wasBusy, now);
    else watched.polls.fail(outcome, now);
    if (!watched.presence.isDropped) this.queues.place(watched, now);
  }

  /** The service says that the project does not exist. */
  lose({ watched }: ChosenPoll, now: number): void {
    watched.polls.abandon();
    watched.presence.lose(now);
    this.watchList.leaveImport(watched);
  }

  #noteSuccess(watched: WatchedProject, outcome: PollOutcome, wasBusy: boolean, now: number): void {
    const { operations, skewMs, mark, full, isAwake } = outcome;
    if (isAwake !== undefined) this.cpuSource.noteAwake(watched.project_id, isAwake);
    const { listing, polls, restedAt } = watched;
    const startedAt = watched.learnRests(operations, skewMs);
    // Without a look at its endpoints, a project is busy while the list shows that it uses compute.
    if (!this.#reads('endpoints') && listing.usesCompute) polls.presumeBusy();
    const news = this.#reads('operations') ? mark !== polls.operationMark : polls.busy !== wasBusy;
    const isFirst = polls.lastReadAt === undefined;
    if (isFirst) listing.forgetGrowth();
    else listing.learn({ wasBusy, restedAt, startedAt, news }, this.lag, now);
    polls.succeed({ full, mark, headStart: isFirst ? this.#nextHeadStart() : 0 }, now);
  }

  #reads(collector: Collector): boolean {
    return this.#options.collectors.includes(collector);
  }

  /** First polls come one right after the other: their next full ones must not. */
  #nextHeadStart(): number {
    this.#firstPolls = (this.#firstPolls + 1) % pollsPerFullPoll;
    return this.#firstPolls;
  }

  /** Counts a poll that was late; one a round after it was due is still in time. */
  #countLate({ polls: { touchedAt } }: WatchedProject, now: number): void {
    const lateMs = this.#options.idleRefreshMs + 2 * this.round.intervalMs;
    if (touchedAt !== undefined && hasPassed(touchedAt, lateMs, now)) this.#lateIdle += 1;
  }
}

/** How hard the budget is pressed, but for the list polls left out, which the schedule counts. */
type Pressure = Omit<RequestPressure, 'skippedListPolls'>;

/** Measures the pressure in a time that does not depend on how many projects there are. */
export function measurePressure(scheduler: PollScheduler, now: number): Pressure {
  const { terms, queues, cost, idleRefreshMs, cpuSource } = scheduler;
  const { pages, scheduleMs, listLagMs } = terms;
  const use = cpuSource.current === 'project' ? useRequestsPerPoll(scheduleMs) : 0;
  const busy = queues.busy.size + queues.suspects.size;
  const urgent = queues.changed.size + queues.unread.size;
  const demand =
    (pages + (busy + urgent) * (cost.full + use)) / scheduleMs +
    ((queues.rest.size + queues.failingCount) * cost.full) / idleRefreshMs;
  const oldestDueAt = findOldestDue(scheduler, now);
  return {
    demandPerMinute: demand * minuteMs + keyRequestsPerMinute(terms),
    ...(oldestDueAt !== undefined && { oldestDueAt }),
    lateIdle: scheduler.lateIdle,
    listPollIntervalMs: listPollIntervalMs(terms),
    listLagMs,
    partialPolls: scheduler.isScarce,
  };
}

/** When what waits longest became due, in epoch milliseconds. What an earlier run polled last is due since this one began. */
function findOldestDue(scheduler: PollScheduler, now: number): number | undefined {
  const { terms, queues, cost, idleRefreshMs } = scheduler;
  if (cost.full === 0) return undefined;
  const busy = queues.busy.first;
  const rest = queues.rest.oldest();
  const dueAts = [
    queues.changed.first?.listing.changedAt,
    queues.unread.first?.addedAt,
    busy && dueAt(busy, terms.scheduleMs),
    rest && dueAt(rest, idleRefreshMs),
  ].filter(at => at !== undefined && at <= now);
  return dueAts.length === 0 ? undefined : minOf(dueAts.map(at => at ?? now));
}

function dueAt({ polls: { lastReadAt }, addedAt }: WatchedProject, intervalMs: number): number {
  return lastReadAt === undefined ? addedAt : lastReadAt + intervalMs;
}
