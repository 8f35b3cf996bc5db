import type { Reading } from '../resources/reading.ts';
import type { Reason } from '../resources/reason.ts';

/** How much was read and asked for in a time. */
interface ActivityCounts {
  readonly readings: number;
  readonly failedReadings: number;
  readonly requests: number;
  readonly failedRequests: number;
}

const nothing: ActivityCounts = { readings: 0, failedReadings: 0, requests: 0, failedRequests: 0 };

/** Counts what the daemon reads and asks for, between one look and the next. */
export class Activity {
  #counts = nothing;
  readonly #listed = new Set<string>();

  /** Notes a request that came to an end. */
  noteAttempt(outcome: 'ok' | Reason): void {
    const { requests, failedRequests } = this.#counts;
    const failed = outcome === 'ok' ? 0 : 1;
    this.#counts = { ...this.#counts, requests: requests + 1, failedRequests: failedRequests + failed };
  }

  /** Notes a reading that is in the history; the pages of a list are one. */
  noteReading(reading: Reading): void {
    const isPart = reading.kind === 'consumption' && reading.end === undefined;
    if (reading.kind === 'project_page' || isPart) return;
    const { readings, failedReadings } = this.#counts;
    const failed = reading.kind === 'failure' ? 1 : 0;
    this.#counts = {
      ...this.#counts,
      readings: readings + 1 - failed,
      failedReadings: failedReadings + failed,
    };
    const isOfList =
      reading.kind === 'failure' ? reading.collector === 'projects' : reading.kind === 'projects';
    if (isOfList) this.#listed.add(reading.account);
  }

  /** Whether the list of projects of an account was read in this run, or could not be. */
  hasTriedList(account: string): boolean {
    return this.#listed.has(account);
  }

  /** The counts since the last call. */
  take(): ActivityCounts {
    const counts = this.#counts;
    this.#counts = nothing;
    return counts;
  }
}
