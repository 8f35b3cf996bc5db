import type { Operation } from '../../resources/operation.ts';
import type { CpuSourceWatch } from './cpu-source-watch.ts';
import type { WatchedProject } from './project/watched-project.ts';

/** Why a project is polled. */
export type PollCause = 'changed' | 'stopping' | 'busy' | 'first' | 'idle' | 'retry' | 'probe' | 'spare';

/** A partial poll reads the recent operations alone, unless they show something new. */
export type PollDepth = 'full' | 'partial';

/** A project to poll now. */
export interface ChosenPoll {
  readonly watched: WatchedProject;
  readonly cause: PollCause;
  readonly depth: PollDepth;
  /** The list says that something happened: it goes before what is polled only for its age. */
  readonly urgent: boolean;
  /** Where the use of the account's projects is read. */
  readonly cpuSource: CpuSourceWatch;
}

/** How a poll ended. */
export interface PollOutcome {
  readonly ok: boolean;
  /** The service answered 401. */
  readonly refused?: boolean;
  /** Its endpoints were read too. */
  readonly full: boolean;
  /** Requests it took. */
  readonly requests: number;
  readonly operations: readonly Operation[];
  /** Whether one of its endpoints is; absent where they were not read. */
  readonly isAwake?: boolean;
  /** Tells its recent operations from others (`markOperations`). */
  readonly mark?: number;
  /** The service's clock minus ours, in milliseconds. */
  readonly skewMs: number;
}

/** Whether the list says that something just happened. */
export function isUrgent(cause: PollCause): boolean {
  return cause === 'changed' || cause === 'stopping';
}
