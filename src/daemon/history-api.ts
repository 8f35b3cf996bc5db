import type { MessagePort } from 'node:worker_threads';
import type { WrittenReading } from '../history/commit/commit.ts';
import type { SetAside } from '../history/file/damaged-file.ts';
import type { KnownProject } from '../history/history.ts';
import type { HistoryOptions } from '../history/history-options.ts';
import type { ClockJump } from '../history/upkeep/confirmed-clock.ts';
import type { Format } from '../metrics/page/exposition.ts';
import type { EncodedPage } from '../metrics/page/page-set.ts';
import type { RenderedPage } from '../metrics/publication/publication.ts';
import type { AccountOverview } from '../resources/account.ts';
import type { FamilySelection } from '../resources/family-selection.ts';
import type { MeterState, Reading } from '../resources/reading.ts';
import type { RequestBudgetState } from '../resources/request-budget.ts';
import type { SentError } from '../thread/sent-error.ts';

/** The settings that the thread of the history is started with. */
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
  /** How fast it was allowed to ask; undefined before the first run. */
  readonly budget: RequestBudgetState | undefined;
  /** The service's clock minus the host's, in milliseconds; undefined before the first run. */
  readonly skewMs: number | undefined;
  /** The state from which the next reading of the service's meter goes on; undefined before the first. */
  readonly meter: MeterState | undefined;
}

/** What is known of a history once it is open. */
export interface OpenedHistory {
  readonly accounts: readonly StoredAccount[];
  /** The damaged history in whose place this one was begun last. */
  readonly setAside: SetAside | undefined;
  /** Whether it is a copy that was not wholly read again: what was not is shown only then. */
  readonly isCopy: boolean;
  /** When the newest backup was made, in epoch milliseconds by the host's clock; undefined where there is none. */
  readonly newestBackupAt: number | undefined;
}

/** The methods of the thread that keeps the history and the page over it. Once they can be called, others may read the history. */
export interface HistoryApi {
  /** By which the history says that it is this daemon's; undefined for a standby. */
  ownerToken(): string | undefined;
  /** Publishes what is known. */
  open(): OpenedHistory;
  /** Begins what is done again and again. */
  begin(): void;
  /**
   * Commits readings at once, and how fast the accounts may be asked.
   *
   * @returns outcomes in their order.
   * @throws HistoryTakenOver when nothing can be committed any more.
   */
  commit(readings: readonly Reading[], budgets: RequestBudgets): readonly CommitOutcome[];
  saveBudgets(budgets: RequestBudgets): void;
  /** Has every calculation that comes over a link shown, once what was charged is written; a later link takes its place. */
  followUsage(port: MessagePort): void;
  /** The formats every snapshot of the page is to bring along from now on. */
  want(formats: readonly Format[]): void;
  /** The page that was published last; each is a page of its own, whose memory goes back with it alone. */
  assemble(format: Format): EncodedPage;
  /** Takes memory of a page that is not served any more, for one to come. */
  recycle(memory: ArrayBuffer): void;
  /** Writes what is still to be written. */
  close(): Promise<void>;
}

/** How fast each account may be asked. */
export type RequestBudgets = ReadonlyMap<string, RequestBudgetState>;

/** The outcome of a reading: what it leads to, or why it was not written. */
export type CommitOutcome = WrittenReading | { readonly error: SentError };

/** Work of that thread besides committing readings. */
export type BackgroundWork = 'publication' | 'upkeep' | 'budgets' | 'accruals' | 'backup';

/** A page as it was published, with what it was made of. */
export interface PublishedPage {
  readonly page: RenderedPage;
  readonly overviews: readonly AccountOverview[];
  readonly hasData: boolean;
  /** How often a standby took the history over, ever; undefined while it cannot be read. */
  readonly takeovers: number | undefined;
}

/** The daemon as the thread tells it things. */
export interface HistoryListeners {
  /** It is tried again. */
  onFailed(work: BackgroundWork, error: Error): void;
  /** Told when work that had failed succeeds. */
  onRecovered?(work: BackgroundWork): void;
  /** Told when the newest backup was made, by the host's clock: one of an earlier run, and each new one. */
  onBackup?(at: number, isNew: boolean): void;
  /** Told that the history is a copy, and that all of it was read again. */
  onCopy?(what: 'opened' | 'caught_up'): void;
  /** Told of a jump of the service's clock when it is first seen, and when it is confirmed: until then nothing is pruned. */
  onClockJump?(jump: ClockJump): void;
}

/** The thread's owner, which listens for more. */
export interface HistoryOwner extends HistoryListeners {
  onPublished(page: PublishedPage): void;
  /** Use and cost are on the page that was published last, or could not be written and are not. */
  onUsageShown(): void;
  /** Nothing can be committed any more. */
  onLost(error: Error): void;
}
