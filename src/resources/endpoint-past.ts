import type { EndpointHistory } from './endpoint-history.ts';

/** The limits of an endpoint's size from an instant on. */
export interface DatedSize {
  /** Epoch milliseconds. */
  readonly fromAt: number;
  readonly minCu: number;
  readonly maxCu: number;
}

/** What an endpoint did in a stretch of time, whether or not it is there still. */
export interface EndpointPast {
  readonly past: EndpointHistory;
  /** In order of time, each where it differs from the one before; empty where no size is known. */
  readonly sizes: readonly DatedSize[];
  /** Epoch milliseconds; absent while it is there. */
  readonly goneAt?: number;
}
