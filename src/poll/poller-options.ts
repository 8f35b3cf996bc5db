import type { Collector } from '../resources/collector.ts';
import type { Project } from '../resources/project.ts';
import type { CpuSource, CpuSourceChoice } from '../resources/project-usage.ts';
import type { PollCheckpoint, Reading } from '../resources/reading.ts';
import type { AccountSource } from './account-source.ts';

/** Everything a poller needs from the rest of the daemon. */
export interface PollerOptions {
  readonly account: string;
  readonly source: AccountSource;
  /** The collectors that are on: what the others would read is not asked for. */
  readonly collectors: readonly Collector[];
  /** The same account, for polling what just happened: its requests go before the others. */
  readonly urgentSource: AccountSource;
  /**
   * Takes a reading and answers the checkpoints once it is committed: of the project that was read, and of projects that a
   * list brought back. When it rejects, the reading is lost and will be made again.
   */
  readonly commit: (reading: Reading) => Promise<readonly PollCheckpoint[]>;
  /** Projects of the account from an earlier run: they are polled although the list of projects may not be. */
  readonly knownProjects: () => Iterable<{ readonly project: Project; readonly checkpoint: PollCheckpoint }>;
  readonly onProblem: (problem: PollProblem) => void;
  readonly onImport: (progress: ImportProgress) => void;
  /** Wanted time from one list poll to the next. */
  readonly scheduleMs: number;
  /** Where the use of projects is read; found out unless told. */
  readonly cpuSource?: CpuSourceChoice | undefined;
  /** Where an earlier run read it. */
  readonly knownCpuSource?: CpuSource | undefined;
  /** Whether the service is asked for its meter: no by default. */
  readonly awaitsMeter?: () => boolean;
  readonly idleRefreshMs: number;
  /** How long what cannot be refreshed is kept. */
  readonly dropAfterMs: number;
  readonly apiKeysRefreshMs: number;
  readonly requestsPerMinute: number;
  /** Requests a minute the account allows itself now, as the service turned requests away; 0 while it is paused. */
  readonly budgetPerMinute: () => number;
  /**
   * Projects polled at the same time; as many again when the list shows that something happened to them. What
   * was read and is being committed does not count, up to as many once more.
   */
  readonly concurrency: number;
  readonly now: () => number;
  /** Resolves after `ms` milliseconds; rejects as soon as the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** How far the first reading of an account's operations has come. */
export interface ImportProgress {
  /** Read in this run. */
  readonly operations: number;
  readonly projectsLeft: number;
}

export interface PollProblem {
  readonly collector: Collector;
  /** Part of a list is missing, or may be; the rest of it was read. */
  readonly isPartial?: true;
  readonly project_id?: string;
  readonly error: unknown;
}
