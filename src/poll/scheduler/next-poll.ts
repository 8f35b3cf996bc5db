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
import type { Claim } from './queue/queue-share.ts';

/** The state of an account from which the next poll is chosen. */
export interface PollChoice {
  readonly queues: ProjectQueues;
  readonly round: Round;
  readonly terms: BudgetTerms;
  readonly cost: PollCost;
  readonly idleRefreshMs: number;
  /** Full polls of all at rest do not fit into the budget. */
  readonly isScarce: boolean;
}

/** A project that may be polled now, with the share of requests its cause is sure of. */
export interface PollCandidate extends Claim<PollCause> {
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
