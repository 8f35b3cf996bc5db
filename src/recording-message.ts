import type { KnownProject } from './history/history.ts';
import type { AccountOverview } from './resources/account.ts';
import type { BudgetState } from './resources/budget-state.ts';
import type { ProjectStanding, Reading } from './resources/reading.ts';

/** What the thread that keeps the history is started with. */
export interface RecordingOptions {
  readonly file: string;
  readonly accounts: readonly string[];
  readonly staleAfterMs: number;
  readonly dropAfterMs: number;
}

/** An account as an earlier run left it. */
export interface KnownAccount {
  readonly account: string;
  readonly projects: readonly KnownProject[];
  readonly budget: BudgetState | undefined;
}

export type RecordingRequest =
  | {
      readonly kind: 'record';
      readonly readings: readonly Reading[];
      readonly budgets: ReadonlyMap<string, BudgetState>;
    }
  | { readonly kind: 'close' };

/** What became of a reading, in the order they were sent. */
export type RecordedMessage = { readonly standing?: ProjectStanding } | { readonly problem: string };

export type RecordingEvent =
  | { readonly kind: 'opened'; readonly accounts: readonly KnownAccount[] }
  /** The history cannot be used; the thread ends. */
  | { readonly kind: 'refused'; readonly problem: string }
  | { readonly kind: 'recorded'; readonly results: readonly RecordedMessage[] }
  | { readonly kind: 'published'; readonly overviews: readonly AccountOverview[]; readonly hasData: boolean }
  | { readonly kind: 'unpublished'; readonly error: unknown };
