import type { Calculation } from './calculator.ts';

/** What the thread that works out use tells the daemon. */
export type UsageEvent =
  | ({ readonly kind: 'calculated' } & Calculation)
  /** Nothing is known yet. */
  | { readonly kind: 'unknown' }
  /** It could not be worked out; it is tried again. */
  | { readonly kind: 'failed'; readonly error: unknown };
