import type { Operation } from '../resources/operation.ts';
import type { WatchedProject } from './watched-project.ts';

/** Why a project is read. */
export type PollCause = 'changed' | 'stopping' | 'busy' | 'first' | 'idle' | 'retry' | 'probe' | 'spare';

/** A project to read now. `light`: its operations alone will do unless they show something new. */
export interface ProjectPoll {
  readonly watched: WatchedProject;
  readonly kind: PollCause;
  readonly depth: 'full' | 'light';
  /** The list says that something happened: it goes before what is read only for its age. */
  readonly urgent: boolean;
}

/** How a reading ended. */
export interface PollOutcome {
  readonly ok: boolean;
  /** Its endpoints were read too. */
  readonly full: boolean;
  /** Requests it took. */
  readonly requests: number;
  readonly operations: readonly Operation[];
  /** Of its recent operations: see `markOperations`. */
  readonly mark?: number;
  /** How far this host's clock is ahead of the service's. */
  readonly skewMs: number;
}

/** Whether the list says that something just happened. */
export function isUrgent(kind: PollCause): boolean {
  return kind === 'changed' || kind === 'stopping';
}
