import type { Collector } from '../../resources/collector.ts';
import { minuteMs } from '../../resources/duration.ts';
import { paceWithin } from '../../resources/request-budget.ts';

/** How the requests of an account are shared out; the scheduler and the plan both go by this. */

/** Requests that a poll of one project takes when nothing unusual is found. */
export interface PollCost {
  /** 0 when projects are not polled one by one at all. */
  readonly full: number;
  /** Its operations are read alone, where that is less than all. */
  readonly partial: number;
}

/** @param collectors the collectors that are on. */
export function costOfPoll(collectors: readonly Collector[]): PollCost {
  const full = collectors.filter(collector => collector === 'endpoints' || collector === 'operations').length;
  return { full, partial: Math.min(full, 1) };
}

/** How often the use of a project that is awake is read for itself, where the list does not tell it. */
export const useRefreshMs = minuteMs;

/** Requests for the use of a project that is awake, in a time in which its endpoints and operations are read once. */
export function useRequestsPerPoll(scheduleMs: number): number {
  return scheduleMs / Math.max(scheduleMs, useRefreshMs);
}

/** Polls of a project at rest to one that reads its endpoints too, even when the budget is scarce. */
export const pollsPerFullPoll = 4;

/** Requests that partial polls take on average, the full one among them included. */
export function averagePartialCost({ full, partial }: PollCost): number {
  return (full + partial * (pollsPerFullPoll - 1)) / pollsPerFullPoll;
}

/** Part of the whole budget that list polls may take. */
const listShare = 0.3;
/** Part of the whole budget that may be spent on what is not yet due. */
const spareShare = 0.5;
/** Part of the requests for projects that resting and failing ones are sure of. */
export const idleShare = 0.17;
/** Part of the requests for projects that first polls are sure of. */
export const firstShare = 0.5;
/** Part of the requests for projects that busy ones are sure of when the list calls everything changed. */
export const busyShare = 0.15;
/** Part of the requests for projects that goes to likely starters while the list is too far behind to show a start. */
export const probeShare = 0.6;

/** A list this many list polls behind is too far behind; below that, looking elsewhere finds fewer starts sooner than it costs. */
const listPollsOfLag = 15;
const listPollsPerLag = 8;
const longestRelaxedMs = minuteMs;

interface ListPollTerms {
  readonly pages: number;
  readonly requestsPerMinute: number;
  /** Wanted time from one list poll to the next. */
  readonly scheduleMs: number;
  /** How far the list is known to be behind. */
  readonly listLagMs: number;
}

/** Whether the list shows starts too late to wait for. */
export function isListLate({
  listLagMs,
  scheduleMs,
}: Pick<ListPollTerms, 'listLagMs' | 'scheduleMs'>): boolean {
  return listLagMs > listPollsOfLag * scheduleMs;
}

/** Time from one list poll to the next, in milliseconds: as scheduled, but within the share of lists, and rarer when the list is late anyway. */
export function listPollIntervalMs(terms: ListPollTerms): number {
  const { pages, requestsPerMinute, scheduleMs, listLagMs } = terms;
  const affordableMs = (pages * minuteMs) / (listShare * requestsPerMinute);
  const relaxedMs = isListLate(terms) ? Math.min(listLagMs / listPollsPerLag, longestRelaxedMs) : 0;
  return Math.max(scheduleMs, affordableMs, relaxedMs);
}

export interface BudgetTerms extends ListPollTerms, KeyTerms {}

export interface KeyTerms {
  readonly apiKeysRefreshMs: number;
  /** The collectors that are on. */
  readonly collectors: readonly Collector[];
}

/** Requests a minute for the list of API keys. */
export function keyRequestsPerMinute({ apiKeysRefreshMs, collectors }: KeyTerms): number {
  return collectors.includes('api_keys') ? minuteMs / apiKeysRefreshMs : 0;
}

/** Requests a minute that are left for projects when the lists are paid, for as long as one likes. */
export function projectRequestsPerMinute(terms: BudgetTerms): number {
  const lists = (terms.pages * minuteMs) / listPollIntervalMs(terms);
  return Math.max(0, paceWithin(terms.requestsPerMinute).perMinute - lists - keyRequestsPerMinute(terms));
}

/** Whether full polls of all projects at rest would not fit into the share they are sure of, and partial ones save something. */
export function isScarce(
  idle: number,
  idleRefreshMs: number,
  perMinute: number,
  { full, partial }: PollCost,
): boolean {
  return partial < full && (idle * full * minuteMs) / idleRefreshMs > idleShare * perMinute;
}

/** Part of the share of resting projects that failing ones are sure of, and get no more of while others wait. */
export const retryShare = 0.15;

const longestProbeCycleMs = 5 * minuteMs;
const cyclesPerLag = 3;

/** Milliseconds in which all likely starters are polled while the list is late: a few times before it would show a start. */
export function probeCycleMs(listLagMs: number): number {
  return Math.min(listLagMs / cyclesPerLag, longestProbeCycleMs);
}

/** The time in which what is busy or failed is polled once: how long it lasts, and what was spent in it. */
export class Round {
  /** From one round to the next, as scheduled: the first one comes at once, whenever that is. */
  readonly intervalMs: number;
  #startedAt: number | undefined;
  #budgetPerMinute: number;
  #requests = 0;

  constructor(budgetPerMinute: number, intervalMs: number) {
    this.#budgetPerMinute = budgetPerMinute;
    this.intervalMs = intervalMs;
  }

  get budgetPerMinute(): number {
    return this.#budgetPerMinute;
  }

  /** Whether the round began after an instant; undefined for what never was. Before the first round, nothing is due. */
  isAfter(at: number | undefined): boolean {
    return this.#startedAt !== undefined && (at === undefined || at < this.#startedAt);
  }

  /** @param budgetPerMinute what the account allows itself now; 0 while it is paused, which says nothing of later. */
  begin(now: number, budgetPerMinute: number): void {
    if (budgetPerMinute > 0) this.#budgetPerMinute = budgetPerMinute;
    this.#startedAt = now;
    this.#requests = 0;
  }

  spend(requests: number): void {
    this.#requests += requests;
  }

  /** Whether these requests may go to what is not yet due. */
  maySpare(requests: number): boolean {
    return this.#requests + requests <= (this.#budgetPerMinute * spareShare * this.intervalMs) / minuteMs;
  }
}
