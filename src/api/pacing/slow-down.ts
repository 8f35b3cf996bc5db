import { type RequestBudget, settleBudget } from './request-budget.ts';

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
