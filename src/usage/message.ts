import type { MessagePort } from 'node:worker_threads';
import type { UsageOptions } from './options.ts';

/** The settings and the channel the usage worker is started with. */
export interface UsageWorkerData {
  readonly options: UsageOptions;
  /** Takes every Calculation, the latest last: whoever shows them is at the other end. */
  readonly calculations: MessagePort;
}

/** A message of the usage worker to the daemon when there is no calculation. */
export type UsageEvent =
  /** Nothing is known yet. */
  | { readonly kind: 'unknown' }
  /** It could not be worked out; it is tried again. */
  | { readonly kind: 'failed'; readonly error: unknown };
