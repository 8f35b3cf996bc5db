import type { EndpointHistory } from '../../resources/endpoint-history.ts';
import type { Finding, Saving } from '../../resources/finding.ts';

/** A finding of one detector, before the findings of the same endpoint are set off against each other. */
export interface Recommendation
  extends Pick<
    Finding,
    'kind' | 'evidence' | 'advice' | 'periodMs' | 'delayMs' | 'advisedDelayMs' | 'share'
  > {
  /** The part of each awake span that the change would spare, 0 to 1; absent where too little is known of its uses. */
  readonly spared?: Saving<readonly number[]>;
  /** What it is weighed by against others where that is not the likely figure, or else the most. */
  readonly weighedBy?: readonly number[];
  /** Whether it spares waiting for auto-suspend, as others of these do: what one spares no other does. */
  readonly isOfWaiting?: boolean;
}

/** Settings that advice may not go beyond. */
interface AdviceLimit {
  /** The smallest auto-suspend delay that can be set, in milliseconds. */
  readonly smallestDelayMs: number;
}

/** Looks for one kind of finding; undefined if there is none, or too little is known to say so. */
export type Detector = (past: EndpointHistory, limit: AdviceLimit) => Recommendation | undefined;
