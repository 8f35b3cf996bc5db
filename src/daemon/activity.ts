import type { Reading } from '../resources/reading.ts';
import type { Reason } from '../resources/reason.ts';

/** How much was read and asked for in a time. */
interface ActivityCounts {
  readings: number;
  failedReadings: number;
  requests: number;
  failedRequests: number;
}

const nothing: Readonly<ActivityCounts> = { readings: 0, failedReadings: 0, requests: 0, failedRequests: 0 };

/** Counts what the daemon reads and asks for, between one look and the next. */
export class Activity {
  #counts = { ...nothing };
  readonly #listed = new Set<string>();

  /** Notes a request that came to an end. */
  noteAttempt(outcome: 'ok' | Reason): void {
    this.#counts.requests += 1;
    if (outcome !== 'ok') this.#counts.failedRequests += 1;
  }

  /** Notes a reading that is in the history; the pages of a list are one. */
  noteReading(reading: Reading): void {
    const isPart = reading.kind === 'consumption' && reading.end === undefined;
    if (reading.kind === 'project_page' || isPart) return;
    this.#counts[reading.kind === 'failure' ? 'failedReadings' : 'readings'] += 1;
    const list = reading.kind === 'failure' ? reading.collector : reading.kind;
    if (list === 'projects') this.#listed.add(reading.account);
  }

  /** Whether the list of projects of an account was read in this run, or could not be. */
  hasTriedList(account: string): boolean {
    return this.#listed.has(account);
  }

  /** The counts since the last call. */
  take(): Readonly<ActivityCounts> {
    const counts = this.#counts;
    this.#counts = { ...nothing };
    return counts;
  }
}
