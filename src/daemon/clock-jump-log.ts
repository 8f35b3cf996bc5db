import type { ClockJump } from '../history/upkeep/confirmed-clock.ts';
import type { Logger } from '../log/logger.ts';
import type { ProblemLog } from '../log/problem-log.ts';
import { dayMs } from '../resources/duration.ts';
import { renderDuration } from '../resources/duration-text.ts';
import { datingWork } from './repeated-work.ts';

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
  log.warn(fields, `the service's clock ${describe(isConfirmed, days < 0)}`);
}

function describe(isConfirmed: boolean, isSetBack: boolean): string {
  if (!isConfirmed) {
    return 'is not where the history was left: old rows stay until it was the same for 6 hours';
  }
  return isSetBack
    ? 'was set back, which is confirmed: what was added up of the time still to come is worked out anew'
    : 'went ahead, which is confirmed: as many more days of old rows are removed from now on, a day at a time';
}
