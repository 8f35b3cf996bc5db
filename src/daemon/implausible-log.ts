import type { ProblemLog } from '../log/problem-log.ts';
import type { ImplausibleValue } from '../resources/implausible.ts';
import type { Reading } from '../resources/reading.ts';
import { believingWork } from './repeated-work.ts';

/** Tells the log which values of readings were held back, and when a whole list of projects holds none any more. */
export class ImplausibleLog {
  readonly #problems: ProblemLog;
  /** Accounts with a project whose use was held back since their last whole list. */
  readonly #held = new Set<string>();

  constructor(problems: ProblemLog) {
    this.#problems = problems;
  }

  /** Notes a reading that was committed, with its values that were held back. */
  note(reading: Reading, implausible: readonly ImplausibleValue[]): void {
    const { account, kind } = reading;
    for (const value of implausible) {
      this.#problems.fail(believingWork, { account, field: value.field }, new Error(describe(value)));
      if (value.field === 'cpu_used_sec') this.#held.add(account);
    }
    // A list comes in pages: the last one is complete.
    if (kind !== 'projects' || !reading.complete) return;
    if (!this.#held.delete(account))
      this.#problems.succeed(believingWork, { account, field: 'cpu_used_sec' });
  }
}

function describe({ field, id, value }: ImplausibleValue): string {
  const of = `${field} of ${JSON.stringify(id)} is`;
  if (field !== 'cpu_used_sec')
    return `${of} ${new Date(value).toISOString()}: that is before its creation or still to come`;
  const problem =
    value < 0 ? 'it cannot be below 0' : 'it cannot have grown that much since it was last read';
  return `${of} ${value}: ${problem}`;
}
