import { minuteMs } from '../../resources/duration.ts';
import { largestBurst, paceWithin, type RequestBudgetState } from '../../resources/request-budget.ts';

/** Share of the ceiling won back per minute after a slow-down: from half to full in ten minutes. */
const recoveryPerMinute = 0.05;
/** Absorbs floating-point dust, so that a token due at an instant is there at that instant. */
const dust = 1e-9;

/** How fast an account may be asked: a token bucket that a 429 halves (`slowDown`) and that recovers slowly. */
export interface RequestBudget {
  readonly ceilingPerMinute: number;
  readonly burst: number;
  readonly perMinute: number;
  readonly tokens: number;
  /** Epoch milliseconds `tokens` and `perMinute` belong to. */
  readonly settledAt: number;
  /** Epoch milliseconds before which no token is given. */
  readonly pausedUntil: number;
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
  return {
    ...budget,
    perMinute: Math.min(budget.ceilingPerMinute, recovered),
    tokens: Math.min(budget.burst, budget.tokens + refillPerMinute(budget) * minutes),
    settledAt: now,
    pausedUntil,
  };
}

/** The first instant, in epoch milliseconds and not before `now`, at which `takeToken` succeeds if nothing else happens. */
export function nextTokenAt(budget: RequestBudget, now: number): number {
  const settled = settleBudget(budget, now);
  const from = Math.max(now, settled.pausedUntil);
  if (settled.tokens >= 1 - dust) return from;
  return from + Math.ceil(((1 - settled.tokens) / refillPerMinute(settled)) * minuteMs);
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
  return now < settled.pausedUntil ? 0 : settled.perMinute;
}

/** A full burst and a minute of refilling stay within `perMinute`: the ceiling holds in every minute, not on average. */
function refillPerMinute({ perMinute, ceilingPerMinute }: RequestBudget): number {
  return (perMinute * paceWithin(ceilingPerMinute).perMinute) / ceilingPerMinute;
}

/**
 * The budget after the service answered 429: paused until `retryAt`, and halved once however many requests of the same
 * rush were refused. One token at most is left for the end of the pause, so that a single request tries the water.
 *
 * @param refused when the request was sent and when the service takes one again, in epoch milliseconds.
 */
export function slowDown(
  budget: RequestBudget,
  refused: { readonly sentAt: number; readonly retryAt: number },
  now: number,
): RequestBudget {
  const settled = settleBudget(budget, now);
  const isNewRush = refused.sentAt >= settled.pausedUntil;
  const leastPerMinute = Math.max(1, settled.ceilingPerMinute / 100);
  return {
    ...settled,
    perMinute: isNewRush ? Math.max(leastPerMinute, settled.perMinute / 2) : settled.perMinute,
    tokens: Math.min(settled.tokens, 1),
    pausedUntil: Math.max(settled.pausedUntil, refused.retryAt, now + 1),
  };
}
