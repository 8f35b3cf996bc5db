import type { ClockJump } from '../history/upkeep/confirmed-clock.ts';
import type { Logger } from '../log/logger.ts';
import { dayMs } from '../resources/duration.ts';

/** Logs that the service's clock jumped and what that means for rows that are too old, or that the jump is confirmed. */
export function logClockJump(log: Logger, { isConfirmed, fromAt, toAt }: ClockJump): void {
  const days = Math.round(((toAt - fromAt) / dayMs) * 10) / 10;
  const fields = { days, from: new Date(fromAt).toISOString(), to: new Date(toAt).toISOString() };
  log.warn(fields, `the service's clock ${describe(isConfirmed, days < 0)}`);
}

function describe(isConfirmed: boolean, isSetBack: boolean): string {
  if (!isConfirmed) {
    return 'is not where the history was left: rows that are too old by it stay until it was the same for 6 hours';
  }
  return isSetBack
    ? 'was set back, which is confirmed: what was rolled up of the time still to come is worked out anew'
    : 'went ahead, which is confirmed: so many days more of rows that are too old go from now on, a day at a time';
}
