import type { MessagePort } from 'node:worker_threads';
import type { ShownUsage } from '../resources/usage/view.ts';
import type { UsageOptions } from './options.ts';

/** The settings and the channel the usage worker is started with. */
export interface UsageWorkerData {
  readonly options: UsageOptions;
  /** Takes every Calculation, the latest last: whoever shows them is at the other end. */
  readonly calculations: MessagePort;
  /** The name of the channel that views go to, for others to show; absent where nobody does. */
  readonly viewChannel?: string;
}

/** A message of the usage worker to the daemon on how the work went. */
export type UsageEvent =
  /** Nothing is known yet. */
  | { readonly kind: 'unknown' }
  /** All of it is worked out, and no part failed. */
  | { readonly kind: 'done' }
  /** It could not be worked out; it is tried again. The error has lost its code on the way. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly isDamage: boolean };

/**
 * A message on the channel of views: the latest view, undefined before the first; the wish to be told it; or that another
 * thread tells it from now on.
 */
export type ViewMessage =
  | { readonly view: ShownUsage | undefined }
  | { readonly again: true }
  | { readonly begun: true };
