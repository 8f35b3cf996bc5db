import { describe, expect, it } from 'vitest';
import { PollScheduler } from '../../../src/poll/scheduler/poll-scheduler.ts';
import { collectors } from '../../../src/resources/collector.ts';
import type { Operation } from '../../../src/resources/operation.ts';
import { operation, project, startAt } from '../scripted-account.ts';

const second = 1000;
const ids = ['a', 'b', 'c', 'd', 'e'];

/** Five projects of an earlier run at rest; every list poll comes ten seconds after the last. */
function openScheduler() {
  const scheduler = new PollScheduler({
    requestsPerMinute: 600,
    apiKeysRefreshMs: 300 * second,
    collectors,
    scheduleMs: 10 * second,
    idleRefreshMs: 900 * second,
    dropAfterMs: 600_000,
  });
  let now = startAt;
  for (const project_id of ids) {
    const known = { headAt: startAt, openIds: [] };
    scheduler.watchList.add(project(project_id, { cpu_used_sec: 100 }), { known, busy: false }, now);
  }
  scheduler.beginRound(now);
  const listPoll = (cpu_used_sec: number) => {
    now += 10 * second;
    scheduler.watchList.beginListPoll();
    scheduler.followPage(
      ids.map(id => project(id, { cpu_used_sec })),
      now,
      now,
    );
    scheduler.watchList.endListPoll(true, new Set(), now);
  };
  /** Reads whatever is due; everything finds the same operations. */
  const read = (...operations: readonly Operation[]) => {
    const outcome = { ok: true, full: true, requests: 2, operations, skewMs: 0 };
    for (let turn = scheduler.next(now); turn !== undefined; turn = scheduler.next(now)) {
      scheduler.settle(turn, outcome, { wasBusy: false }, now);
    }
  };
  const start = (ageMs: number) =>
    operation('start', 0, { action: 'start_compute', updated_at: now - ageMs });
  return { scheduler, listPoll, read, start };
}

describe('how far the list is behind', () => {
  it('is not learned from what the first list of a run shows', () => {
    const { scheduler, listPoll, read, start } = openScheduler();
    read();
    listPoll(110);
    read(start(5 * second));
    expect(scheduler.lag.lagMs).toBe(0);
  });

  it('is not made more by what projects used while the daemon was down', () => {
    const { scheduler, listPoll, read, start } = openScheduler();
    listPoll(110);
    read();
    listPoll(110);
    listPoll(115);
    read(start(5 * second));
    listPoll(125);
    expect(scheduler.lag.lagMs).toBe(0);
  });
});
