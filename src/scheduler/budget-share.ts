import { type Collector, collectors } from '../resources/collector.ts';

/** How the requests of an account are shared out; the scheduler and the plan both go by this. */

/** Requests that a reading of one project takes when nothing unusual is found. */
export interface PollCost {
  /** 0 when projects are not read one by one at all. */
  readonly full: number;
  /** Of its operations alone, where that is less than all. */
  readonly light: number;
}

/** @param enabled the collectors that are on. */
export function costOfPoll(enabled: readonly Collector[] = collectors): PollCost {
  const full = enabled.filter(collector => collector === 'endpoints' || collector === 'operations').length;
  return { full, light: Math.min(full, 1) };
}

/** One in so many readings of a project at rest reads its endpoints too, even when the budget is scarce. */
export const pollsPerFullPoll = 4;

/** What light readings cost on average, the full one among them included. */
export function averagePartialCost({ full, light }: PollCost): number {
  return (full + light * (pollsPerFullPoll - 1)) / pollsPerFullPoll;
}

/** Of the whole budget: what the list of projects may cost. */
const listShare = 0.3;
/** Of the whole budget: what may be spent on what is not yet due. */
export const spareShare = 0.5;
/** Of the requests for projects: what those at rest and those that fail are sure of. */
export const idleShare = 0.17;
/** Of the requests for projects: what first readings are sure of. */
export const firstShare = 0.5;
/** Of the requests for projects: what busy ones are sure of when the list calls everything changed. */
export const busyShare = 0.15;
/** Of the requests for projects: what goes to likely starters while the list is too far behind to show a start. */
export const probeShare = 0.6;

const minuteMs = 60_000;
/** A list this many sweeps behind is too far behind; below that, looking elsewhere finds fewer starts sooner than it costs. */
const listPollsOfLag = 15;
const listPollsPerLag = 8;
const longestRelaxedMs = 60_000;

export interface ListPollTerms {
  readonly pages: number;
  readonly requestsPerMinute: number;
  /** How often a sweep is wanted. */
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

/** Time from one sweep to the next: as scheduled, but within the share of lists, and rarer when the list is late anyway. */
export function listPollIntervalMs(terms: ListPollTerms): number {
  const { pages, requestsPerMinute, scheduleMs, listLagMs } = terms;
  const affordableMs = (pages * minuteMs) / (listShare * requestsPerMinute);
  const relaxedMs = isListLate(terms) ? Math.min(listLagMs / listPollsPerLag, longestRelaxedMs) : 0;
  return Math.max(scheduleMs, affordableMs, relaxedMs);
}

export interface RefreshTerms extends ListPollTerms, KeyTerms {}

export interface KeyTerms {
  readonly apiKeysRefreshMs: number;
  /** Those that are on; all by default. */
  readonly collectors?: readonly Collector[];
}

/** Requests a minute for the list of API keys. */
export function keyRequestsPerMinute({ apiKeysRefreshMs, collectors }: KeyTerms): number {
  return collectors?.includes('api_keys') === false ? 0 : minuteMs / apiKeysRefreshMs;
}

/** Requests a minute that are left for projects when the lists are paid. */
export function refreshesPerMinute(terms: RefreshTerms): number {
  const lists = (terms.pages * minuteMs) / listPollIntervalMs(terms);
  return Math.max(0, terms.requestsPerMinute - lists - keyRequestsPerMinute(terms));
}

/** Whether full readings of all projects at rest would not fit into the share they are sure of, and light ones save something. */
export function isScarce(
  idle: number,
  idleRefreshMs: number,
  perMinute: number,
  { full, light }: PollCost,
): boolean {
  return light < full && (idle * full * minuteMs) / idleRefreshMs > idleShare * perMinute;
}

/** Of the share of those at rest: what those that failed are sure of, and get no more of while others wait. */
export const retryShare = 0.15;

const longestProbeCycleMs = 5 * 60_000;
const cyclesPerLag = 3;

/** How often likely starters are looked at while the list is late: a few times before it would show a start. */
export function probeCycleMs(listLagMs: number): number {
  return Math.min(listLagMs / cyclesPerLag, longestProbeCycleMs);
}
