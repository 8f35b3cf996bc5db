import { minuteMs } from '../../resources/duration.ts';
import { smallest } from '../../resources/extreme.ts';
import type { RequestPressure } from '../../resources/request-pressure.ts';
import { keyRequestsPerMinute, listPollIntervalMs, useRequestsPerPoll } from './budget-share.ts';
import type { PollScheduler } from './poll-scheduler.ts';
import type { WatchedProject } from './project/watched-project.ts';

/** How hard the budget is pressed, but for the list polls left out, which the schedule counts. */
type Pressure = Omit<RequestPressure, 'skippedListPolls'>;

/** Measures the pressure in a time that does not depend on how many projects there are. */
export function measurePressure(scheduler: PollScheduler, now: number): Pressure {
  const { terms, queues, cost, idleRefreshMs, cpuSource } = scheduler;
  const { pages, scheduleMs, listLagMs } = terms;
  const use = cpuSource.current === 'project' ? useRequestsPerPoll(scheduleMs) : 0;
  const busy = queues.busy.size + queues.suspects.size;
  const urgent = queues.changed.size + queues.unread.size;
  const demand =
    (pages + (busy + urgent) * (cost.full + use)) / scheduleMs +
    ((queues.rest.size + queues.failingCount) * cost.full) / idleRefreshMs;
  const oldestDueAt = findOldestDue(scheduler, now);
  return {
    demandPerMinute: demand * minuteMs + keyRequestsPerMinute(terms),
    ...(oldestDueAt !== undefined && { oldestDueAt }),
    lateIdle: scheduler.lateIdle,
    listPollIntervalMs: listPollIntervalMs(terms),
    listLagMs,
    partialPolls: scheduler.isScarce,
  };
}

/** When what waits longest became due, in epoch milliseconds. What an earlier run polled last is due since this one began. */
function findOldestDue(scheduler: PollScheduler, now: number): number | undefined {
  const { terms, queues, cost, idleRefreshMs } = scheduler;
  if (cost.full === 0) return undefined;
  const busy = queues.busy.first;
  const rest = queues.rest.oldest();
  const dueAts = [
    queues.changed.first?.listing.changedAt,
    queues.unread.first?.addedAt,
    busy && dueAt(busy, terms.scheduleMs),
    rest && dueAt(rest, idleRefreshMs),
  ].filter(at => at !== undefined && at <= now);
  return dueAts.length === 0 ? undefined : smallest(dueAts.map(at => at ?? now));
}

function dueAt({ polls: { lastReadAt }, addedAt }: WatchedProject, intervalMs: number): number {
  return lastReadAt === undefined ? addedAt : lastReadAt + intervalMs;
}
