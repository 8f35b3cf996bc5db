import { minuteMs } from '../../resources/duration.ts';
import {
  type BudgetTerms,
  busyShare,
  firstShare,
  idleShare,
  isListLate,
  type PollCost,
  probeCycleMs,
  probeShare,
  projectRequestsPerMinute,
  type Round,
  retryShare,
} from './budget-share.ts';
import type { PollCause, PollDepth } from './chosen-poll.ts';
import type { WatchedProject } from './project/watched-project.ts';
import type { ProjectQueues } from './queue/project-queues.ts';

/** The state of an account from which the next poll is chosen. */
interface PollChoice {
  readonly queues: ProjectQueues;
  readonly round: Round;
  readonly terms: BudgetTerms;
  readonly cost: PollCost;
  readonly idleRefreshMs: number;
  /** Full polls of all at rest do not fit into the budget. */
  readonly isScarce: boolean;
}

/** A project that may be polled now, with the share of requests its cause is sure of. */
interface PollCandidate extends Claim<PollCause> {
  readonly watched: WatchedProject;
  readonly depth: PollDepth;
}

/** The projects that may be polled at `now`, one for each cause, most urgent first. */
export function rankPolls(choice: PollChoice, now: number): readonly PollCandidate[] {
  const { queues, round, cost, idleRefreshMs } = choice;
  const candidates: PollCandidate[] = [];
  const add = (kind: PollCause, share: number, watched: WatchedProject | undefined, mayBePartial = false) => {
    if (watched === undefined) return;
    const depth = mayBePartial ? chooseDepth(choice, watched, now) : 'full';
    candidates.push({ kind, share, watched, depth, requests: cost[depth] });
  };
  add('changed', 0, queues.changed.first);
  add('stopping', 0, queues.suspects.first);
  add('busy', busyShare, queues.dueBusy(now, round));
  add('first', firstShare, queues.unread.first);
  add('probe', probeShare, findLikelyStarter(choice, now), true);
  const retry = queues.retry(now, round);
  const shareOfRetries = retry === undefined ? 0 : retryShare;
  add('idle', idleShare * (1 - shareOfRetries), queues.dueIdle(now, idleRefreshMs), true);
  add('retry', idleShare * shareOfRetries, retry);
  if (candidates.length === 0 && round.maySpare(cost.full)) add('spare', 0, findSpare(choice));
  return candidates;
}

function chooseDepth(choice: PollChoice, { polls }: WatchedProject, now: number): PollDepth {
  return polls.mayBePartial(choice.idleRefreshMs, now) && choice.isScarce ? 'partial' : 'full';
}

/** While the list shows starts too late to wait for, one of the projects most likely to have started. */
function findLikelyStarter({ queues, terms }: PollChoice, now: number): WatchedProject | undefined {
  if (!isListLate(terms)) return undefined;
  const perMinute = probeShare * projectRequestsPerMinute(terms);
  return queues.rest.likelyStarter((perMinute * probeCycleMs(terms.listLagMs)) / minuteMs, now);
}

/** A project polled only because there is time; none twice in a round. */
function findSpare({ queues, round }: PollChoice): WatchedProject | undefined {
  const oldest = queues.rest.oldest();
  return oldest !== undefined && round.isAfter(oldest.polls.touchedAt) ? oldest : undefined;
}

/** A kind of poll that waits, with what it costs and what share of all requests it is sure of. */
interface Claim<Kind extends string> {
  readonly kind: Kind;
  readonly requests: number;
  /** 0 for one that only goes by its rank. */
  readonly share: number;
}

/** Part of all requests that shares may promise together: the rest goes by rank. */
const mostPromised = 0.9;

/** Shares out requests among kinds of polls: by rank, except that each kind gets what it is sure of. Counts requests, never time. */
export class QueueShare<Kind extends string> {
  readonly #credits = new Map<Kind, number>();

  /**
   * The claim that is met next; the poll is taken to be made.
   *
   * @param claims what waits now, by rank.
   * @param accepts says which claims to take: for the others everything stays as it is.
   */
  pick<Waiting extends Claim<Kind>>(
    claims: readonly Waiting[],
    accepts: (claim: Waiting) => boolean = () => true,
  ): Waiting | undefined {
    const owed = claims.filter(({ kind, requests }) => this.#credit(kind) >= requests);
    const picked =
      owed.length > 0
        ? owed.reduce((most, claim) => (this.#credit(claim.kind) > this.#credit(most.kind) ? claim : most))
        : claims[0];
    if (picked === undefined || !accepts(picked)) return undefined;
    this.#settle(claims, picked);
    return picked;
  }

  /** Counts requests that a poll took beyond what it was expected to. */
  charge(kind: Kind, requests: number): void {
    if (this.#credits.has(kind)) this.#credits.set(kind, this.#credit(kind) - requests);
  }

  /** Credits the shares of a poll that is made. A kind that does not wait saves nothing up: its share is for when it needs it. */
  #settle(claims: readonly Claim<Kind>[], picked: Claim<Kind>): void {
    const promised = claims.reduce((sum, { share }) => sum + share, 0);
    const scale = Math.min(1, mostPromised / Math.max(promised, mostPromised));
    for (const kind of this.#credits.keys()) {
      if (!claims.some(claim => claim.kind === kind)) this.#credits.delete(kind);
    }
    for (const { kind, share } of claims) {
      this.#credits.set(kind, this.#credit(kind) + share * scale * picked.requests);
    }
    this.#credits.set(picked.kind, Math.max(0, this.#credit(picked.kind) - picked.requests));
  }

  #credit(kind: Kind): number {
    return this.#credits.get(kind) ?? 0;
  }
}
