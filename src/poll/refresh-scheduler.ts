import type { Collector } from '../resources/collector.ts';
import type { Project } from '../resources/project.ts';
import type { ProjectStanding } from '../resources/reading.ts';
import {
  busyShare,
  costReading,
  firstShare,
  idleShare,
  isListLate,
  isScarce,
  lightTurns,
  probeCycleMs,
  probeShare,
  type ReadingCost,
  type RefreshTerms,
  refreshesPerMinute,
  retryShare,
} from './budget-share.ts';
import { followReading } from './change-watch.ts';
import { type Claim, LaneShare } from './lane-share.ts';
import { ListLag } from './list-lag.ts';
import { hasPassed, ProjectLanes } from './project-lanes.ts';
import { Round } from './round.ts';
import { learnRests } from './start-record.ts';
import { isUrgent, type Kind, type Turn, type TurnOutcome } from './turn.ts';
import { WatchList } from './watch-list.ts';
import type { WatchedProject } from './watched-project.ts';

export type SchedulerOptions = Omit<RefreshTerms, 'pages' | 'scheduleMs' | 'listLagMs'> & {
  readonly idleRefreshMs: number;
};

interface Waiting extends Claim<Kind> {
  readonly watched: WatchedProject;
  readonly depth: Turn['depth'];
}

/** Decides which project is read next, and how. Pure: told what the lists and the readings say, and the time. */
export class RefreshScheduler {
  readonly lanes = new ProjectLanes();
  readonly lag = new ListLag();
  readonly watchList = new WatchList(this.lanes, this.lag);
  /** What the readings cost that the collectors make which are on. */
  readonly cost: ReadingCost;
  readonly #options: SchedulerOptions;
  readonly #shares = new LaneShare<Kind>();
  readonly #round: Round;
  #lateIdle = 0;
  #turnsTaken = 0;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#round = new Round(options.requestsPerMinute);
    this.cost = costReading(options.collectors);
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
    return isScarce(this.lanes.rest.size, this.#options.idleRefreshMs, perMinute, this.cost);
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
    standings: readonly ProjectStanding[] = [],
  ): void {
    for (const standing of standings) this.watchList.expect(standing);
    this.watchList.followPage(projects, askedAt, isListLate(this.terms), now);
  }

  /**
   * The project to read now; undefined while nothing is due and nothing may be spared. `settle` or `lose` must follow.
   *
   * @param urgentOnly for a reader beyond those there always are: only for what just happened.
   */
  next(now: number, urgentOnly = false): Turn | undefined {
    if (this.cost.full === 0 || (urgentOnly && !this.lanes.hasUrgent)) return undefined;
    const picked = this.#shares.pick(this.#claims(now), ({ kind }) => !urgentOnly || isUrgent(kind));
    if (picked === undefined) return undefined;
    const { watched, kind, depth, requests } = picked;
    if (kind === 'retry') this.lanes.leaveRetries();
    if (
      kind === 'idle' &&
      Number.isFinite(watched.touchedAt) &&
      hasPassed(watched.touchedAt, this.#lateMs(), now)
    )
      this.#lateIdle += 1;
    watched.lane?.remove(watched);
    watched.running = true;
    watched.turns += 1;
    watched.changedAt = undefined;
    watched.stopSuspected = false;
    this.#round.spend(requests);
    return { watched, kind, depth, urgent: isUrgent(kind) };
  }

  /** Takes note of how a turn ended. */
  settle(
    { watched, kind, depth }: Turn,
    outcome: TurnOutcome,
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
    if (!watched.dropped) this.lanes.place(watched, now);
  }

  /** The service says that the project does not exist. */
  lose({ watched }: Turn, now: number): void {
    watched.running = false;
    watched.missingAt = now;
    this.watchList.leaveImport(watched);
  }

  #noteReading(watched: WatchedProject, outcome: TurnOutcome, wasBusy: boolean, now: number): void {
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
    const turnsTaken = watched.lastReadAt === undefined ? this.#nextTurnsTaken() : 0;
    watched.lightReadings = full ? turnsTaken : watched.lightReadings + 1;
    watched.lastReadAt = now;
    watched.operationMark = mark;
    if (full) watched.lastFullAt = now;
  }

  #reads(collector: Collector): boolean {
    return this.#options.collectors?.includes(collector) !== false;
  }

  #nextTurnsTaken(): number {
    this.#turnsTaken = (this.#turnsTaken + 1) % lightTurns;
    return this.#turnsTaken;
  }

  /** What waits, by rank. */
  #claims(now: number): readonly Waiting[] {
    const { lanes } = this;
    const { idleRefreshMs } = this.#options;
    const claims: Waiting[] = [];
    const claim = (kind: Kind, share: number, watched: WatchedProject | undefined, mayBeLight = false) => {
      if (watched === undefined) return;
      const depth = mayBeLight ? this.#depth(watched, now) : 'full';
      claims.push({ kind, share, watched, depth, requests: this.cost[depth] });
    };
    claim('changed', 0, lanes.changed.first);
    claim('stopping', 0, lanes.suspects.first);
    claim('busy', busyShare, lanes.dueBusy(now, this.#round.startedAt));
    claim('first', firstShare, lanes.unread.first);
    claim('probe', probeShare, this.#likelyStarter(now), true);
    const retry = lanes.retry(now, this.#round.startedAt);
    const shareOfRetries = retry === undefined ? 0 : retryShare;
    claim('idle', idleShare * (1 - shareOfRetries), lanes.dueIdle(now, idleRefreshMs), true);
    claim('retry', idleShare * shareOfRetries, retry);
    if (claims.length === 0 && this.#round.maySpare(this.cost.full)) claim('spare', 0, this.#spare());
    return claims;
  }

  /** What comes a round after it was due is still in time. */
  #lateMs(): number {
    return this.#options.idleRefreshMs + 2 * this.#round.intervalMs;
  }

  #depth(watched: WatchedProject, now: number): Turn['depth'] {
    const { known, operationMark, lightReadings, lastFullAt } = watched;
    if (!watched.imported || known.openIds.length > 0 || operationMark === undefined) return 'full';
    const isFullTurn =
      lightReadings >= lightTurns - 1 && hasPassed(lastFullAt, this.#options.idleRefreshMs, now);
    return !isFullTurn && this.isScarce ? 'light' : 'full';
  }

  #likelyStarter(now: number): WatchedProject | undefined {
    const { terms } = this;
    if (!isListLate(terms)) return undefined;
    const perMinute = probeShare * refreshesPerMinute(terms);
    return this.lanes.rest.likelyStarter((perMinute * probeCycleMs(terms.listLagMs)) / 60_000, now);
  }

  /** Nothing is read twice in a round only because there is time. */
  #spare(): WatchedProject | undefined {
    const oldest = this.lanes.rest.oldest();
    return oldest !== undefined && oldest.touchedAt < this.#round.startedAt ? oldest : undefined;
  }
}
