import type { MessagePort } from 'node:worker_threads';
import type { KnownProject } from '../history/history.ts';
import type { HistoryOptions } from '../history/history-options.ts';
import type { Format } from '../metrics/page/exposition.ts';
import type { EncodedPage } from '../metrics/page/page-set.ts';
import type { PageSnapshot } from '../metrics/publication/publication.ts';
import type { AccountOverview } from '../resources/account.ts';
import type { BudgetState } from '../resources/budget-state.ts';
import type { PollCheckpoint, Reading } from '../resources/reading.ts';
import type { FamilySelection } from '../resources/series/family-selection.ts';
import type { SentError } from './sent-error.ts';

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
  readonly budget: BudgetState | undefined;
}

/** What the daemon asks of the thread. */
export type HistoryRequest =
  /** Answered by `recorded`. */
  | {
      readonly kind: 'record';
      readonly readings: readonly Reading[];
      readonly budgets: ReadonlyMap<string, BudgetState>;
    }
  /** Not answered. */
  | { readonly kind: 'save_budgets'; readonly budgets: ReadonlyMap<string, BudgetState> }
  /** Every Calculation that comes over the channel is shown from now on, each answered by `usage_shown`. */
  | { readonly kind: 'show_usage'; readonly calculations: MessagePort }
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
  | { readonly error: SentError };

/** Work of the thread besides recording readings: publishing, upkeep, writing request budgets and cost accruals. */
export type BackgroundWork = 'publication' | 'upkeep' | 'budgets' | 'accruals';

/** What the thread tells the daemon. */
export type HistoryEvent =
  | { readonly kind: 'opened'; readonly accounts: readonly StoredAccount[] }
  /** The history cannot be used; the thread ends. */
  | { readonly kind: 'refused'; readonly error: SentError }
  | { readonly kind: 'recorded'; readonly results: readonly RecordOutcome[] }
  | {
      readonly kind: 'published';
      readonly snapshot: PageSnapshot;
      readonly overviews: readonly AccountOverview[];
      readonly hasData: boolean;
    }
  /** What is used is on the page that was published last, or could not be written and is not. */
  | { readonly kind: 'usage_shown' }
  /** It is tried again. */
  | { readonly kind: 'failed'; readonly work: BackgroundWork; readonly error: SentError }
  | { readonly kind: 'assembled'; readonly body: EncodedPage };
