import type { RequestPressure } from '../resources/request-pressure.ts';
import { keyRequestsPerMinute, listPollIntervalMs } from './budget-share.ts';
import type { RefreshScheduler } from './refresh-scheduler.ts';

/** All of it but what the schedule counts. */
type Pressure = Omit<RequestPressure, 'skippedListPolls'>;

const minuteMs = 60_000;

/** Measures it in a time that does not depend on how many projects there are. */
export function measurePressure(scheduler: RefreshScheduler, now: number): Pressure {
  const { terms, queues, cost, idleRefreshMs } = scheduler;
  const { pages, scheduleMs, listLagMs } = terms;
  const busy = queues.busy.size + queues.suspects.size;
  const urgent = queues.changed.size + queues.unread.size;
  const demand =
    (pages + (busy + urgent) * cost.full) / scheduleMs +
    ((queues.rest.size + queues.failingCount) * cost.full) / idleRefreshMs;
  const oldestDueAt = findOldestDue(scheduler, now);
  return {
    demandPerMinute: demand * minuteMs + keyRequestsPerMinute(terms),
    ...(oldestDueAt !== undefined && { oldestDueAt }),
    lateIdle: scheduler.lateIdle,
    listPollIntervalMs: listPollIntervalMs(terms),
    listLagMs,
    light: scheduler.isScarce,
  };
}

/** What an earlier run read last is due since this one began. */
function findOldestDue(scheduler: RefreshScheduler, now: number): number | undefined {
  const { terms, queues, cost, idleRefreshMs } = scheduler;
  if (cost.full === 0) return undefined;
  const busy = queues.busy.first;
  const rest = queues.rest.oldest();
  const dueAts = [
    queues.changed.first?.changedAt,
    queues.unread.first?.addedAt,
    busy && (busy.lastReadAt === undefined ? busy.addedAt : busy.lastReadAt + terms.scheduleMs),
    rest && (rest.lastReadAt === undefined ? rest.addedAt : rest.lastReadAt + idleRefreshMs),
  ].filter(at => at !== undefined && at <= now);
  return dueAts.length === 0 ? undefined : Math.min(...dueAts.map(at => at ?? now));
}
