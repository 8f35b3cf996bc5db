import type { SetAside } from '../history/file/damaged-file.ts';
import type { HistoryState } from '../history/merge/history-states.ts';
import type { LastingProblem } from '../log/problem-log.ts';
import type { AccountOverview } from '../resources/account.ts';
import type { RequestPressure } from '../resources/request-budget.ts';

/** An account as the daemon has it now. */
export interface LiveAccount {
  readonly account: string;
  /** Requests a minute that the daemon allows itself now. */
  readonly budgetPerMinute: number;
  readonly pressure?: RequestPressure;
  /** Until when the service wants it left alone, in epoch milliseconds; absent where it does not. */
  readonly pausedUntil?: number;
  /** Since when its list of projects is being read; absent while it is not. */
  readonly listingSince?: number;
  /** When the list is read next. */
  readonly nextListAt?: number;
}

/** The import of an account that goes on. */
export interface ImportBegin {
  readonly account: string;
  /** When it began in this run, in epoch milliseconds. */
  readonly at: number;
  /** Projects that were left to be imported at most. */
  readonly left: number;
}

/** The state of the running daemon that no history has, at one moment; instants in epoch milliseconds by the host's clock. */
export interface LiveState {
  readonly now: number;
  readonly startedAt: number;
  readonly overviews: readonly AccountOverview[];
  /** Absent where nothing is polled. */
  readonly imports?: readonly ImportBegin[];
  readonly accounts: readonly LiveAccount[];
  readonly problems: readonly LastingProblem[];
  readonly stalled: readonly { readonly account: string; readonly what: string }[];
  /** The last reload of the configuration; absent before the first. */
  readonly lastReload?: { readonly at: number; readonly succeeded: boolean };
  readonly historySizeBytes: number;
  /** The damaged history in whose place this one was begun last; absent where none was. */
  readonly setAside?: SetAside;
  /** Whether a part of the history turned out damaged since the daemon was started. */
  readonly isDamaged?: boolean;
  /** When the newest backup was made; absent where there is none. */
  readonly newestBackupAt?: number;
  /** The histories that are looked at where no daemon runs here, and nothing is polled; absent of a daemon. */
  readonly histories?: readonly HistoryState[];
  /** Its place among the daemons of its history; absent where it waits for no other one. */
  readonly succession?: {
    readonly isStandby: boolean;
    readonly takeovers: number | undefined;
    /** When what a standby shows was read from the history. */
    readonly shownAt: number | undefined;
  };
}
