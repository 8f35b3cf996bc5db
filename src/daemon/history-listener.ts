import type { SetAside } from '../history/file/damaged-file.ts';
import type { ClockJump } from '../history/upkeep/confirmed-clock.ts';
import type { RequestBudgetState } from '../resources/request-budget-state.ts';
import type { BackgroundWork } from './history-message.ts';
import type { RecordedListener } from './reading-batch.ts';

/** The daemon as the thread that keeps the history tells it things, and asks it. */
export interface HistoryListeners {
  /** How fast the accounts may be asked now, to be written beside the next readings. */
  readonly readBudgets: () => ReadonlyMap<string, RequestBudgetState>;
  /** It is tried again. */
  readonly onFailed: (work: BackgroundWork, error: Error) => void;
  /** Told when work that had failed succeeds. */
  readonly onRecovered?: (work: BackgroundWork) => void;
  readonly onRecorded?: RecordedListener;
  /** Told of the damaged history in whose place this one was begun last. */
  readonly onSetAside?: (setAside: SetAside) => void;
  /** Told when the newest backup was made: one of an earlier run, and each new one. */
  readonly onBackup?: (at: number, isNew: boolean) => void;
  /** Told that the history is a copy, and that all of it was read again. */
  readonly onCopy?: (what: 'opened' | 'caught_up') => void;
  /** Told of a jump of the service's clock when it is first seen, and when it is confirmed. */
  readonly onClockJump?: (jump: ClockJump) => void;
}
