import type { ThingMetric } from '../../src/resources/price-book.ts';

/** What the oracle is asked: a bill, and all that it rests on. Instants are epoch milliseconds. */
export interface BillCase {
  /** The section as users write it. */
  readonly pricing: object;
  readonly groups?: object;
  readonly accounts: readonly string[];
  readonly account: string;
  /** An instant of the billing period. */
  readonly at: number;
  readonly as_of: number;
  /** When the history of the account begins. */
  readonly recorded_from: number;
  readonly projects: readonly CaseProject[];
  readonly endpoints: readonly CaseEndpoint[];
  /** Each at one instant. */
  readonly use: readonly { readonly project: string; readonly at: number; readonly cu_ms: number }[];
  /** What the service metered besides compute, in its units, each at one instant. */
  readonly metered?: readonly CaseAmount[];
}

export interface CaseAmount {
  readonly project: string;
  readonly metric: ThingMetric;
  readonly at: number;
  readonly amount: number;
}

interface Life {
  readonly created_at?: number;
  readonly deleted_at?: number;
}

export interface CaseProject extends Life {
  readonly id: string;
  readonly name?: string;
  readonly account: string;
  readonly region?: string;
  readonly platform?: string;
}

export interface CaseEndpoint extends Life {
  readonly project: string;
  readonly branch: string;
}
