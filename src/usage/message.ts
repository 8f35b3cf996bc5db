import type { MessagePort } from 'node:worker_threads';
import type { UsageOptions } from './options.ts';

/** What the usage worker is started with. */
export interface UsageWorkerData {
  readonly options: UsageOptions;
  /** Takes every Calculation, the latest last: whoever shows them is at the other end. */
  readonly calculations: MessagePort;
}

/** What the usage worker tells the daemon when there is no calculation. */
export type UsageEvent =
  /** Nothing is known yet. */
  | { readonly kind: 'unknown' }
  /** It could not be worked out; it is tried again. */
  | { readonly kind: 'failed'; readonly error: unknown };
