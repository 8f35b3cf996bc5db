import { minuteMs } from '../../resources/duration.ts';
import { sumOf } from '../../resources/sum.ts';
import {
  averagePartialCost,
  busyShare,
  costOfPoll,
  idleShare,
  isScarce,
  type KeyTerms,
  keyRequestsPerMinute,
  listPollIntervalMs,
  projectRequestsPerMinute,
  useRequestsPerPoll,
} from './budget-share.ts';

export interface PlanTerms extends KeyTerms {
  readonly projects: number;
  /** Projects of the list, where other shards watch some of them; `projects` by default. */
  readonly listed?: number;
  /** Part of the projects that have something running, 0 to 1. */
  readonly busyShare: number;
  /** Projects on a page of the list. */
  readonly pageSize: number;
  readonly requestsPerMinute: number;
  readonly scheduleMs: number;
  readonly idleRefreshMs: number;
  /** How far the list is behind; 0 unless it is known. */
  readonly listLagMs?: number;
  /** The use of projects that are awake is read for itself, as the list does not tell it. */
  readonly readsUse?: boolean;
}

/** Requests a minute by what they are for. */
export interface RequestsByPurpose {
  readonly lists: number;
  readonly keys: number;
  readonly changed: number;
  readonly busy: number;
  readonly idle: number;
}

interface Spread {
  readonly p50: number;
  readonly p99: number;
}

export interface PollPlan {
  /** Requests that everything at its own pace would take. */
  readonly wanted: RequestsByPurpose;
  /** The part of them that the budget allows. */
  readonly allowed: RequestsByPurpose;
  readonly wantedPerMinute: number;
  readonly allowedPerMinute: number;
  readonly listPollIntervalMs: number;
  /** The time from one reading of a page of the list to the next: longer where reading all pages takes longer. */
  readonly pageIntervalMs: number;
  /** From a start or a stop until a poll shows it. */
  readonly startNoticedMs: Spread;
  readonly busyAgeMs: Spread;
  /** From one poll of a project at rest to the next. */
  readonly idleIntervalMs: number;
  /** Whether most polls of projects at rest are partial. */
  readonly partialPolls: boolean;
}

/** Time that a compute is taken to run at once: each run is a start and a stop that are polled at once. */
const usualRunMinutes = 20;
const changesPerRun = 2;
/** Time that a page of the list is taken to need; the next one is asked for once it has come. */
const pageMs = 100;
/** From the list poll that shows a start until its project poll is committed, as simulated: half of all, and nearly all. */
const noticingMs: Spread = { p50: 1_500, p99: 2_500 };

/**
 * Plans how an account's budget is spent and how fresh its projects can be, with the shares the scheduler goes by. It is
 * of a load that lasts: while more projects are busy than `busyShare` says, those at rest are read later.
 */
export function planPolls(terms: PlanTerms): PollPlan {
  const { projects, listed = projects, pageSize, scheduleMs, idleRefreshMs } = terms;
  const { listLagMs = 0 } = terms;
  const cost = costOfPoll(terms.collectors);
  const pages = Math.max(1, Math.ceil(listed / pageSize));
  const listPoll = { ...terms, pages, listLagMs };
  const intervalMs = listPollIntervalMs(listPoll);
  const pageIntervalMs = Math.max(intervalMs, pages * pageMs);
  const perMinute = projectRequestsPerMinute(listPoll);
  const busy = projects * terms.busyShare;
  const idle = projects - busy;
  const partialPolls = isScarce(idle, idleRefreshMs, perMinute, cost);
  const keys = keyRequestsPerMinute(terms);
  const use = terms.readsUse && cost.full > 0 ? useRequestsPerPoll(scheduleMs) : 0;
  const lastUse = use > 0 ? 1 : 0;
  const wanted = {
    lists: (pages * minuteMs) / scheduleMs,
    keys,
    changed: (busy / usualRunMinutes) * (changesPerRun * (cost.full + lastUse) + lastUse),
    busy: (busy * (cost.full + use) * minuteMs) / scheduleMs,
    idle: (idle * cost.full * minuteMs) / idleRefreshMs,
  };
  const allowed = { lists: (pages * minuteMs) / intervalMs, keys, ...shareOut(wanted, perMinute) };
  const perPoll = partialPolls ? averagePartialCost(cost) : cost.full;
  const busyMs = interval(busy * (cost.full + use), allowed.busy, scheduleMs);
  return {
    wanted,
    allowed,
    wantedPerMinute: sumOf(Object.values(wanted)),
    allowedPerMinute: sumOf(Object.values(allowed)),
    listPollIntervalMs: intervalMs,
    pageIntervalMs,
    startNoticedMs: {
      p50: listLagMs + pageIntervalMs / 2 + noticingMs.p50,
      p99: listLagMs + pageIntervalMs + noticingMs.p99,
    },
    busyAgeMs: { p50: busyMs / 2, p99: busyMs },
    idleIntervalMs: interval(idle * perPoll, allowed.idle, idleRefreshMs),
    partialPolls,
  };
}

/** Shares out the requests: changed projects first, then busy ones; those busy or at rest are sure of their share. */
function shareOut(wanted: RequestsByPurpose, perMinute: number) {
  const sureOfIdle = Math.min(wanted.idle, idleShare * perMinute);
  const sureOfBusy = Math.min(wanted.busy, busyShare * perMinute);
  const changed = Math.min(wanted.changed, perMinute - sureOfIdle - sureOfBusy);
  const busy = Math.min(wanted.busy, perMinute - sureOfIdle - changed);
  const idle = Math.min(wanted.idle, perMinute - changed - busy);
  return { changed, busy, idle };
}

/** How often each is read when all together take `requests`. */
function interval(requests: number, perMinute: number, leastMs: number): number {
  return requests === 0 ? leastMs : Math.max(leastMs, (requests * minuteMs) / perMinute);
}
