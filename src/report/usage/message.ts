import type { MessagePort } from 'node:worker_threads';
import type { UsageOptions } from './options.ts';

/** The settings and the channel the usage worker is started with. */
export interface UsageWorkerData {
  readonly options: UsageOptions;
  /** Takes every Calculation, the latest last: whoever shows them is at the other end. */
  readonly calculations: MessagePort;
}

/** A message of the usage worker to the daemon on how the work went. */
export type UsageEvent =
  /** Nothing is known yet. */
  | { readonly kind: 'unknown' }
  /** All of it is worked out, and no part failed. */
  | { readonly kind: 'done' }
  /** It could not be worked out; it is tried again. The error has lost its code on the way. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly isDamage: boolean };
