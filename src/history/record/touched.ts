import type { StoredProject } from '../view/stored-project.ts';

/** The rows a reading changed, for the memory of the account to follow. */
export interface Touched {
  /** Projects to be read back. */
  readonly project_ids: Iterable<string>;
  /** The project that was polled: all but its list entry is to be read back. */
  readonly refreshed?: string;
  /** Projects whose list entry alone changed, as they are now. */
  readonly stored?: Iterable<StoredProject>;
  /** Whether API keys are to be read back. */
  readonly keys: boolean;
}
