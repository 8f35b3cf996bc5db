import type { RequestPressure } from '../resources/request-pressure.ts';
import { keyRequestsPerMinute, sweepIntervalMs } from './budget-share.ts';
import type { RefreshScheduler } from './refresh-scheduler.ts';

/** All of it but what the schedule counts. */
type Pressure = Omit<RequestPressure, 'skippedSweeps'>;

const minuteMs = 60_000;

/** Measures it in a time that does not depend on how many projects there are. */
export function measurePressure(scheduler: RefreshScheduler, now: number): Pressure {
  const { terms, lanes, cost, idleRefreshMs } = scheduler;
  const { pages, scheduleMs, listLagMs } = terms;
  const busy = lanes.busy.size + lanes.suspects.size;
  const urgent = lanes.changed.size + lanes.unread.size;
  const demand =
    (pages + (busy + urgent) * cost.full) / scheduleMs +
    ((lanes.rest.size + lanes.failingCount) * cost.full) / idleRefreshMs;
  const oldestDueAt = findOldestDue(scheduler, now);
  return {
    demandPerMinute: demand * minuteMs + keyRequestsPerMinute(terms),
    ...(oldestDueAt !== undefined && { oldestDueAt }),
    lateIdle: scheduler.lateIdle,
    sweepIntervalMs: sweepIntervalMs(terms),
    listLagMs,
    light: scheduler.isScarce,
  };
}

/** What an earlier run read last is due since this one began. */
function findOldestDue(scheduler: RefreshScheduler, now: number): number | undefined {
  const { terms, lanes, cost, idleRefreshMs } = scheduler;
  if (cost.full === 0) return undefined;
  const busy = lanes.busy.first;
  const rest = lanes.rest.oldest();
  const dueAts = [
    lanes.changed.first?.changedAt,
    lanes.unread.first?.addedAt,
    busy && (busy.lastReadAt === undefined ? busy.addedAt : busy.lastReadAt + terms.scheduleMs),
    rest && (rest.lastReadAt === undefined ? rest.addedAt : rest.lastReadAt + idleRefreshMs),
  ].filter(at => at !== undefined && at <= now);
  return dueAts.length === 0 ? undefined : Math.min(...dueAts.map(at => at ?? now));
}
