import { minuteMs } from '../../resources/duration.ts';
import type { RequestBudgetState } from '../../resources/request-budget-state.ts';
import { largestBurst, paceWithin, spreadEvenly } from '../../resources/request-pace.ts';

/** Share of the ceiling won back per minute after a slow-down: from half to full in ten minutes. */
const recoveryPerMinute = 0.05;
/** Absorbs floating-point dust, so that a token due at an instant is there at that instant. */
const dust = 1e-9;

/** How fast an account may be asked: a token bucket that a 429 halves (`slowDown`) and that recovers by and by. */
export interface RequestBudget {
  readonly ceilingPerMinute: number;
  readonly burst: number;
  readonly perMinute: number;
  readonly tokens: number;
  /** Epoch milliseconds `tokens` and `perMinute` belong to. */
  readonly settledAt: number;
  /** Epoch milliseconds before which no token is given. */
  readonly pausedUntil: number;
  /** Absent where it is shared with nobody. */
  readonly loans?: BudgetLoans;
}

/** Parts of the ceilings of budgets that lend to each other. Bursts are not lent: so all together stay what they were. */
export interface BudgetLoans {
  /** Requests a minute that others use, until told otherwise: four fifths of the ceiling at most, as a burst is not lent. */
  readonly lentPerMinute: number;
  /** Requests a minute of others. */
  readonly borrowedPerMinute: number;
  /** Epoch milliseconds from which nothing is borrowed any more, told or not. */
  readonly borrowedUntil: number;
}

/** Lends and borrows from `now` on. */
export function useLoans(budget: RequestBudget, loans: BudgetLoans, now: number): RequestBudget {
  return { ...settleBudget(budget, now), loans };
}

/** A full budget of at least one request a minute. */
export function openBudget(ceilingPerMinute: number, now: number): RequestBudget {
  const { burst } = paceWithin(ceilingPerMinute);
  return {
    ceilingPerMinute,
    burst,
    perMinute: ceilingPerMinute,
    tokens: burst,
    settledAt: now,
    pausedUntil: now,
  };
}

/** A budget for one of several that share what may come at once. */
export function shareBurst(budget: RequestBudget, sharers: number): RequestBudget {
  const burst = Math.min(budget.burst, Math.max(1, Math.floor(largestBurst / sharers)));
  return { ...budget, burst, tokens: Math.min(budget.tokens, burst) };
}

/** The budget an earlier run left: tokens it had not used are not given again, only those earned since. */
export function resumeBudget(
  ceilingPerMinute: number,
  earlier: RequestBudgetState,
  now: number,
): RequestBudget {
  const perMinute = Math.min(ceilingPerMinute, earlier.perMinute);
  const { settledAt, pausedUntil } = earlier;
  return settleBudget(
    { ...openBudget(ceilingPerMinute, now), perMinute, tokens: 0, settledAt, pausedUntil },
    now,
  );
}

/** The part of a budget that a later run may go on from. */
export function budgetState({ perMinute, settledAt, pausedUntil }: RequestBudget): RequestBudgetState {
  return { perMinute, settledAt, pausedUntil };
}

/** The budget at `now`: refilled and recovered for the time that passed outside a pause. */
export function settleBudget(budget: RequestBudget, now: number): RequestBudget {
  const setBackMs = Math.max(0, budget.settledAt - now);
  // A clock that was set back must not stretch a pause, so the pause moves back with it.
  const pausedUntil = budget.pausedUntil - setBackMs;
  const since = Math.max(budget.settledAt - setBackMs, pausedUntil);
  const minutes = Math.max(0, now - since) / minuteMs;
  const recovered = budget.perMinute + budget.ceilingPerMinute * recoveryPerMinute * minutes;
  const borrowed = borrowedRefillPerMinute(budget) * borrowedMinutes(budget, since, now);
  return {
    ...budget,
    perMinute: Math.min(budget.ceilingPerMinute, recovered),
    tokens: Math.min(budget.burst, budget.tokens + refillPerMinute(budget) * minutes + borrowed),
    settledAt: now,
    pausedUntil,
  };
}

/** The first instant, in epoch milliseconds and not before `now`, at which `takeToken` succeeds if nothing else happens. */
export function nextTokenAt(budget: RequestBudget, now: number): number {
  const settled = settleBudget(budget, now);
  const from = Math.max(now, settled.pausedUntil);
  if (settled.tokens >= 1 - dust) return from;
  const missing = 1 - settled.tokens;
  const own = refillPerMinute(settled);
  const both = own + borrowedRefillPerMinute(settled);
  const minutes = borrowedMinutes(settled, from, Number.POSITIVE_INFINITY);
  if (missing <= both * minutes) return from + Math.ceil((missing / both) * minuteMs);
  return from + Math.ceil((minutes + (missing - both * minutes) / own) * minuteMs);
}

/** The budget with one token less; undefined when there is none to take at `now`. */
export function takeToken(budget: RequestBudget, now: number): RequestBudget | undefined {
  const settled = settleBudget(budget, now);
  if (now < settled.pausedUntil || settled.tokens < 1 - dust) return undefined;
  return { ...settled, tokens: Math.max(0, settled.tokens - 1) };
}

/** Requests a minute the budget allows at `now`: 0 while it is paused. */
export function allowedPerMinute(budget: RequestBudget, now: number): number {
  const settled = settleBudget(budget, now);
  return now < settled.pausedUntil ? 0 : settled.perMinute * useOfCeiling(settled, now);
}

/** The part of its ceiling that the budget has at `now`: more than 1 where it borrows. */
function useOfCeiling({ ceilingPerMinute, loans }: RequestBudget, now: number): number {
  if (loans === undefined) return 1;
  const { lentPerMinute, borrowedPerMinute, borrowedUntil } = loans;
  const borrowed = now < borrowedUntil ? borrowedPerMinute : 0;
  return (ceilingPerMinute - lentPerMinute + borrowed) / ceilingPerMinute;
}

/**
 * A full burst and a minute of refilling stay within `perMinute`: the ceiling holds in every minute, not on average. Where
 * it is lent, each of several may have a part of a request more in a minute, so that one is kept back.
 */
function refillPerMinute({ perMinute, ceilingPerMinute, loans }: RequestBudget): number {
  const { perMinute: whole } = paceWithin(ceilingPerMinute);
  const kept = loans === undefined ? whole : whole - spreadEvenly(loans.lentPerMinute + 1);
  return (perMinute * Math.max(0, kept)) / ceilingPerMinute;
}

function borrowedRefillPerMinute({ perMinute, ceilingPerMinute, loans }: RequestBudget): number {
  return (perMinute * spreadEvenly(loans?.borrowedPerMinute ?? 0)) / ceilingPerMinute;
}

/** Minutes between two instants in which something is borrowed. */
function borrowedMinutes({ loans }: RequestBudget, from: number, until: number): number {
  return Math.max(0, Math.min(until, loans?.borrowedUntil ?? from) - from) / minuteMs;
}
