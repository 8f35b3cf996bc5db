import type { KnownProject } from '../history/history.ts';
import type { HistoryOptions } from '../history/history-options.ts';
import type { Format } from '../metrics/page/exposition.ts';
import type { EncodedPage } from '../metrics/page/page-set.ts';
import type { PageSnapshot } from '../metrics/publication/publication.ts';
import type { AccountOverview } from '../resources/account.ts';
import type { CostAccrual } from '../resources/cost-accrual.ts';
import type { PollCheckpoint, Reading } from '../resources/reading.ts';
import type { RequestBudgetState } from '../resources/request-budget-state.ts';
import type { FamilySelection } from '../resources/series/family-selection.ts';
import type { UsageView } from '../resources/usage/view.ts';

/** What the thread that keeps the history is started with. */
export interface HistoryWorkerOptions extends HistoryOptions {
  readonly selection: FamilySelection;
  /** The most series each family may have; 0, the default, for no limit. */
  readonly seriesLimit?: number;
}

/** An account as an earlier run left it. */
export interface StoredAccount {
  readonly account: string;
  readonly projects: readonly KnownProject[];
  readonly budget: RequestBudgetState | undefined;
}

/** What the daemon asks of the thread. */
export type HistoryRequest =
  /** Answered by `recorded`. */
  | {
      readonly kind: 'record';
      readonly readings: readonly Reading[];
      readonly budgets: ReadonlyMap<string, RequestBudgetState>;
    }
  /** Not answered. */
  | { readonly kind: 'save_budgets'; readonly budgets: ReadonlyMap<string, RequestBudgetState> }
  /** What is used and costs now, for the page. Not answered but by what is published. */
  /** Answered by `usage_shown`, in the order they were sent. */
  | { readonly kind: 'usage'; readonly view: UsageView; readonly accruals: readonly CostAccrual[] }
  /** The formats every issue is to bring along from now on. */
  | { readonly kind: 'want'; readonly formats: readonly Format[] }
  /** Answered by `assembled`, in the order they were sent. */
  | { readonly kind: 'assemble'; readonly format: Format }
  /** Memory of a body that is not served any more, for one to come. */
  | { readonly kind: 'recycle'; readonly memory: ArrayBuffer }
  /** Answered by the end of the thread. */
  | { readonly kind: 'close' };

/** What became of a reading, in the order they were sent. */
export type RecordOutcome =
  | { readonly checkpoints: readonly PollCheckpoint[] }
  | { readonly problem: string };

/** What the thread tells the daemon. */
export type HistoryEvent =
  | { readonly kind: 'opened'; readonly accounts: readonly StoredAccount[] }
  /** The history cannot be used; the thread ends. */
  | { readonly kind: 'refused'; readonly problem: string }
  | { readonly kind: 'recorded'; readonly results: readonly RecordOutcome[] }
  | {
      readonly kind: 'published';
      readonly snapshot: PageSnapshot;
      readonly overviews: readonly AccountOverview[];
      readonly hasData: boolean;
    }
  | { readonly kind: 'unpublished'; readonly error: unknown }
  /** What is used is on the page that was published last, or could not be written and is not. */
  | { readonly kind: 'usage_shown' }
  /** The upkeep of the history could not be done, or what was charged not written; it is tried again. */
  | { readonly kind: 'upkeep_failed'; readonly error: unknown }
  | { readonly kind: 'assembled'; readonly body: EncodedPage };
