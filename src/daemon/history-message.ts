import type { MessagePort } from 'node:worker_threads';
import type { SetAside } from '../history/file/damaged-file.ts';
import type { KnownProject } from '../history/history.ts';
import type { HistoryOptions } from '../history/history-options.ts';
import type { ClockJump } from '../history/upkeep/confirmed-clock.ts';
import type { Format } from '../metrics/page/exposition.ts';
import type { EncodedPage } from '../metrics/page/page-set.ts';
import type { PageSnapshot } from '../metrics/publication/publication.ts';
import type { AccountOverview } from '../resources/account.ts';
import type { ImplausibleValue } from '../resources/implausible.ts';
import type { MeterState, PollCheckpoint, Reading } from '../resources/reading.ts';
import type { RequestBudgetState } from '../resources/request-budget-state.ts';
import type { FamilySelection } from '../resources/series/family-selection.ts';
import type { SentError } from '../thread/sent-error.ts';

/** The settings the history worker is started with. */
export interface HistoryWorkerOptions extends HistoryOptions {
  readonly selection: FamilySelection;
  /** The most series each family may have; 0, the default, for no limit. */
  readonly seriesLimit?: number;
  /** Whether it shows what another daemon writes, and writes nothing. */
  readonly isStandby?: boolean;
}

/** An account as an earlier run left it. */
export interface StoredAccount {
  readonly account: string;
  readonly projects: readonly KnownProject[];
  readonly budget: RequestBudgetState | undefined;
  readonly skewMs: number | undefined;
  /** The state from which the next reading of the service's meter goes on; undefined before the first. */
  readonly meter: MeterState | undefined;
}

/** A request of the daemon to the history worker. */
export type HistoryRequest =
  /** Answered by `recorded`. */
  | {
      readonly kind: 'record';
      readonly readings: readonly Reading[];
      readonly budgets: ReadonlyMap<string, RequestBudgetState>;
    }
  /** Not answered. */
  | { readonly kind: 'save_budgets'; readonly budgets: ReadonlyMap<string, RequestBudgetState> }
  /** Every Calculation that comes over the channel is shown from now on, each answered by `usage_shown`. */
  | { readonly kind: 'show_usage'; readonly calculations: MessagePort }
  /** The formats every snapshot of the page is to bring along from now on. */
  | { readonly kind: 'want'; readonly formats: readonly Format[] }
  /** Answered by `assembled`, in the order they were sent. */
  | { readonly kind: 'assemble'; readonly format: Format }
  /** Memory of a page that is not served any more, for one to come. */
  | { readonly kind: 'recycle'; readonly memory: ArrayBuffer }
  /** Answered by the end of the thread. */
  | { readonly kind: 'close' };

/** The outcome of a reading: checkpoints it leads to, or why it was not written. */
export type RecordOutcome =
  | {
      readonly checkpoints: readonly PollCheckpoint[];
      readonly implausible: readonly ImplausibleValue[];
      readonly meter?: MeterState;
    }
  | { readonly error: SentError };

/** Work of the history worker besides recording readings. */
export type BackgroundWork = 'publication' | 'upkeep' | 'budgets' | 'accruals' | 'backup';

/** An answer or a message of the history worker to the daemon. */
export type HistoryEvent =
  /** The history is this daemon's, and others may read it; what it knows is about to be published. */
  | {
      readonly kind: 'readable';
      /** By which the history says whose it is. */
      readonly ownerToken: string;
    }
  | {
      readonly kind: 'opened';
      readonly accounts: readonly StoredAccount[];
      /** The damaged history in whose place this one was begun last. */
      readonly setAside: SetAside | undefined;
      /** Whether it is a copy of which not all was read again: that is shown only then. */
      readonly isCopy: boolean;
      /** When the newest backup was made, in epoch milliseconds by the host's clock; undefined where there is none. */
      readonly newestBackupAt: number | undefined;
    }
  /** A backup was made, begun at that instant in epoch milliseconds by the host's clock. */
  | { readonly kind: 'backed_up'; readonly at: number }
  /** All of a copy was read again, and is shown. */
  | { readonly kind: 'caught_up' }
  /** The history cannot be used; the worker ends. */
  | { readonly kind: 'refused'; readonly error: SentError }
  /** Nothing can be recorded any more, as that work found. */
  | { readonly kind: 'lost'; readonly work: BackgroundWork | 'readings'; readonly error: SentError }
  /** Outcomes in the order the readings were sent. */
  | { readonly kind: 'recorded'; readonly results: readonly RecordOutcome[] }
  | {
      readonly kind: 'published';
      readonly snapshot: PageSnapshot;
      readonly overviews: readonly AccountOverview[];
      readonly hasData: boolean;
      /** How often a standby took the history over, ever; undefined while it cannot be read. */
      readonly takeovers: number | undefined;
    }
  /** Use and cost are on the page that was published last, or could not be written and are not. */
  | { readonly kind: 'usage_shown' }
  /** The service's clock jumped: by it nothing is pruned until the jump is confirmed. */
  | { readonly kind: 'clock_jumped'; readonly jump: ClockJump }
  /** It is tried again. */
  | { readonly kind: 'failed'; readonly work: BackgroundWork; readonly error: SentError }
  /** Work that had failed succeeded. */
  | { readonly kind: 'recovered'; readonly work: BackgroundWork }
  | { readonly kind: 'assembled'; readonly page: EncodedPage };
