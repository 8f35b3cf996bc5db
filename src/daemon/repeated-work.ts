import { unwrittenReading } from '../history/file/history-error.ts';
import type { ClockJump } from '../history/upkeep/confirmed-clock.ts';
import type { Logger } from '../log/logger.ts';
import type { ProblemLog, RepeatedWork } from '../log/problem-log.ts';
import { dayMs, renderDuration } from '../resources/duration.ts';
import type { ImplausibleValue, Reading } from '../resources/reading.ts';
import type { LoginOutcome } from '../resources/web-access.ts';
import type { BackgroundWork } from './history-api.ts';

function asWarning(failed: string, recovered: string): RepeatedWork {
  return { level: 'warn', failed, recovered };
}

function asError(failed: string, recovered: string): RepeatedWork {
  return { level: 'error', failed, recovered };
}

/** The words for all that the daemon does again and again, in lines of its log. */
export const readingWork = asWarning('a reading failed', 'readings succeed again');

export const wholeListWork = asWarning('a list may not be whole', 'the list is whole again');

export const itemWork = asWarning('items are left out', 'no items are left out any more');

export const recordingWork = asError(unwrittenReading, 'readings are written to the history again');

const believingWork = asWarning(
  'the service reports what cannot be true: it counts for nothing',
  'the service reports nothing any more that cannot be true',
);

const datingWork = asWarning(
  'the Date of answers cannot be true: they are dated by the clock as it was',
  'the Date of answers is believed again',
);

export const keyFileWork = asWarning(
  'the key file cannot be used: the key in use stays, and a restart would not come up',
  'the key file can be used again',
);

export const caFileWork = asWarning(
  'the file of ca_file cannot be used: the certificates in use stay, and a restart would not come up',
  'the file of ca_file can be used again',
);

export const historyWork: Readonly<Record<BackgroundWork, RepeatedWork>> = {
  publication: asError('the metrics could not be published', 'the metrics are published again'),
  upkeep: asError('the upkeep of the history could not be done', 'the upkeep of the history is done again'),
  budgets: asError(
    'the request budgets could not be written to the history',
    'the request budgets are written to the history again',
  ),
  accruals: asError(
    'what was charged could not be written to the history',
    'what is charged is written to the history again',
  ),
  backup: asError('no backup of the history could be made', 'backups of the history are made again'),
};

export const takeoverWork = asWarning('the history could not be taken over', 'the history was taken over');

export const usageWork = asError('use and cost could not be worked out', 'use and cost are worked out again');

export const answerWork = asError('a request could not be answered', 'requests are answered again');

const loginWork = asWarning('a login failed', 'logins succeed again');

export const pageWork = asError(
  'a page of the console could not be made',
  'pages of the console are made again',
);

/** @param what is polled, such as `the list of projects`. */
export function pollWork(what: string): RepeatedWork {
  return asError(`${what} could not be polled`, `${what} can be polled again`);
}

/** Says in the log that logins fail, rarely while it lasts. Names are not told: people type passwords in their place. */
export function noteLogin(problems: ProblemLog, outcome: LoginOutcome, address: string): void {
  if (outcome === 'ok') problems.succeed(loginWork, {});
  else problems.fail(loginWork, {}, new Error(`${words[outcome]}, from ${address || 'this host'}`));
}

const words = {
  wrong: 'no such user, or another password',
  too_many: 'too many logins waited to be checked',
};

/**
 * Tells the log whether the date of an answer was believed.
 *
 * @param offMs how far it is from the instant it was taken for, in milliseconds.
 */
export function logDate(problems: ProblemLog, account: string, offMs: number): void {
  if (offMs === 0) {
    problems.succeed(datingWork, { account });
    return;
  }
  const way = offMs > 0 ? 'ahead' : 'behind';
  const error = new Error(
    `the service's clock is ${renderDuration(Math.abs(offMs))} ${way}, and nothing speaks for it`,
  );
  problems.fail(datingWork, { account }, error);
}

/** Logs that the service's clock jumped and what that means for rows that are too old, or that the jump is confirmed. */
export function logClockJump(log: Logger, { isConfirmed, fromAt, toAt }: ClockJump): void {
  const days = Math.round(((toAt - fromAt) / dayMs) * 10) / 10;
  const fields = { days, from: new Date(fromAt).toISOString(), to: new Date(toAt).toISOString() };
  log.warn(fields, `the service's clock ${describeJump(isConfirmed, days < 0)}`);
}

function describeJump(isConfirmed: boolean, isSetBack: boolean): string {
  if (!isConfirmed) {
    return 'is not where the history was left: old rows stay until it was the same for 6 hours';
  }
  return isSetBack
    ? 'was set back, which is confirmed: what was added up of the time still to come is worked out anew'
    : 'went ahead, which is confirmed: as many more days of old rows are removed from now on, a day at a time';
}

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
      this.#problems.fail(
        believingWork,
        { account, field: value.field },
        new Error(describeImplausible(value)),
      );
      if (value.field === 'cpu_used_sec') this.#held.add(account);
    }
    // A list comes in pages: the last one is complete.
    if (kind !== 'projects' || !reading.complete) return;
    if (!this.#held.delete(account))
      this.#problems.succeed(believingWork, { account, field: 'cpu_used_sec' });
  }
}

function describeImplausible({ field, id, value }: ImplausibleValue): string {
  const of = `${field} of ${JSON.stringify(id)} is`;
  if (field !== 'cpu_used_sec')
    return `${of} ${new Date(value).toISOString()}: that is before its creation or still to come`;
  const problem =
    value < 0 ? 'it cannot be below 0' : 'it cannot have grown that much since it was last read';
  return `${of} ${value}: ${problem}`;
}
