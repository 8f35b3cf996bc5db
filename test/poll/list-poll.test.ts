import { describe, expect, it, vi } from 'vitest';
import { openPoller, pollOf } from './open-poller.ts';
import { project } from './scripted-account.ts';

const ids = (count: number) => Array.from({ length: count }, (_, index) => project(`p${index}`));

describe('a list of several pages', () => {
  it('is recorded page by page, and its projects are read before it is over', async () => {
    const { listPoll, state, account, readings, startListPoll, poller } = openPoller();
    state.projects = ids(5);
    state.projectPageSize = 2;
    const release = account.hold('projects from 4');
    const polling = startListPoll();
    await vi.waitFor(() => expect(readings.filter(({ kind }) => kind === 'project')).toHaveLength(4), 10_000);
    expect(readings.filter(({ kind }) => kind === 'projects')).toEqual([]);
    release();
    await polling;
    await poller.idle();
    const lists = readings.filter(({ kind }) => kind === 'project_page' || kind === 'projects');
    expect(lists).toMatchObject([
      { kind: 'project_page', items: [{ project_id: 'p0' }, { project_id: 'p1' }] },
      { kind: 'project_page', items: [{ project_id: 'p2' }, { project_id: 'p3' }] },
      {
        kind: 'projects',
        items: [{ project_id: 'p4' }],
        complete: true,
        earlierIds: ['p0', 'p1', 'p2', 'p3'],
      },
    ]);
    expect(await listPoll()).toEqual(['api_keys', 'project_page', 'project_page', 'projects']);
  });

  it('that fails on the way keeps the pages it had, and says of nothing that it is gone', async () => {
    const { listPoll, state, account, polled } = openPoller({ idleRefreshMs: 1 });
    state.projects = ids(4);
    state.projectPageSize = 2;
    await listPoll();
    account.fail('projects from 2', 'unavailable');
    state.projects = ids(3);
    expect(await listPoll()).toEqual(
      expect.arrayContaining(['api_keys', 'project_page', 'failure of projects: unavailable']),
    );
    expect(polled().toSorted()).toEqual(['p0', 'p1', 'p2', 'p3']);
  });

  it('of which a page could not be written is given up until the next list poll', async () => {
    const { listPoll, state, disk, calls } = openPoller();
    state.projects = ids(4);
    state.projectPageSize = 2;
    disk.refuses = reading => reading.kind === 'project_page';
    expect(await listPoll()).toEqual(['api_keys']);
    expect(calls).not.toContain('projects from 2');
    disk.refuses = () => false;
    expect(await listPoll()).toEqual(['api_keys', 'project_page', 'projects', ...Array(4).fill(pollOf)]);
  });
});

describe('list polls that cost more than the share of lists', () => {
  it('are not put off when the clock is set back during one', async () => {
    const waits: number[] = [];
    const { listPoll, state, stop, account } = openPoller({
      requestsPerMinute: 10,
      sleep: async ms => {
        waits.push(ms);
        stop.abort();
      },
    });
    state.projects = ids(4);
    state.projectPageSize = 1;
    account.onCall('projects from 3', () => {
      state.now -= 3_600_000;
    });
    await listPoll();
    expect(waits).toEqual([80_000]);
  });

  it('follow each other at the distance the budget allows', async () => {
    const waits: number[] = [];
    const { listPoll, state, stop, calls } = openPoller({
      requestsPerMinute: 10,
      sleep: async ms => {
        waits.push(ms);
        if (waits.length === 3) stop.abort();
      },
    });
    state.projects = ids(4);
    state.projectPageSize = 1;
    await listPoll();
    // Four pages at three requests a minute for lists.
    expect(waits).toEqual([80_000, 80_000, 80_000]);
    expect(calls.filter(call => call === 'projects')).toHaveLength(3);
  });
});

describe('an account that begins to be polled just before its schedule is due', () => {
  it('has its list polled at once, then as scheduled', async () => {
    let waits = 0;
    const { state, poller, stop, calls } = openPoller({
      requestsPerMinute: 300,
      scheduleMs: 60_000,
      sleep: async ms => {
        waits += 1;
        state.now += ms;
        if (waits === 100) stop.abort();
      },
    });
    state.projects = ids(1);
    for (const passedMs of [0, 300, 60_000]) {
      state.now += passedMs;
      poller.beginRound(stop.signal);
      await poller.pollProjectList(stop.signal);
    }
    expect(calls.filter(call => call === 'projects')).toHaveLength(3);
  });
});

describe('an account that was told to slow down', () => {
  it('reads its list as often as the rest of its budget allows, whatever it is while it is paused', async () => {
    const budget = { perMinute: 7 };
    const { listPoll, state, poller } = openPoller({ budgetPerMinute: () => budget.perMinute });
    state.projects = ids(1);
    const intervals: number[] = [];
    for (const perMinute of [7, 2, 0]) {
      budget.perMinute = perMinute;
      await listPoll();
      intervals.push(poller.pressure(state.now).listPollIntervalMs);
    }
    expect(intervals).toEqual([30_000, 100_000, 100_000]);
  });
});

describe('the list of API keys', () => {
  it('is read at its own pace', async () => {
    const { listPoll } = openPoller({ apiKeysRefreshMs: 90_000 });
    const read: boolean[] = [];
    for (let count = 0; count < 7; count += 1) read.push((await listPoll()).includes('api_keys'));
    expect(read).toEqual([true, false, false, true, false, false, true]);
  });

  it('is read again soon when it fails, then ever more rarely', async () => {
    const { listPoll, account } = openPoller({ apiKeysRefreshMs: 240_000 });
    account.fail('api_keys', 'timeout');
    const tried: number[] = [];
    for (let count = 0; count < 24; count += 1) {
      if ((await listPoll()).includes('failure of api_keys: timeout')) tried.push(count);
    }
    expect(tried).toEqual([0, 1, 2, 4, 8, 16]);
    account.mend('api_keys');
    expect((await listPoll()).map(String)).toContain('api_keys');
  });
});

describe('a project of which the list says that something happened', () => {
  it('is read although as many as there are readers are being read', async () => {
    const { listPoll, startListPoll, state, account, poller, polled, stop } = openPoller({
      concurrency: 1,
      busy: new Set(['p0']),
    });
    state.projects = ids(2);
    await listPoll();
    const release = account.hold('endpoints p0');
    state.now += 30_000;
    poller.beginRound(stop.signal);
    state.projects = [project('p0'), project('p1', { cpu_used_sec: 5 })];
    await startListPoll();
    await vi.waitFor(() => expect(polled()).toContain('p1'), 10_000);
    release();
    await poller.idle();
    expect(polled()).toContain('p0');
  });
});

describe('the pressure on the budget', () => {
  it('tells what everything at its pace would take, and what waits longest', async () => {
    const { listPoll, state, poller } = openPoller({ busy: new Set(['p0']) });
    state.projects = ids(11);
    await listPoll();
    await listPoll();
    poller.skipListPoll();
    expect(poller.pressure(state.now)).toEqual({
      // A list and a busy project every half minute, the keys as often, ten projects every fifteen minutes.
      demandPerMinute: expect.closeTo(2 + 4 + 2 + 20 / 15),
      lateIdle: 0,
      listPollIntervalMs: 30_000,
      listLagMs: 0,
      partialPolls: true,
      skippedListPolls: 1,
    });
    expect(poller.pressure(state.now + 40_000).oldestDueAt).toBe(state.now + 30_000);
  });

  it('counts what is read later than it should be', async () => {
    const { listPoll, state, poller } = openPoller({ idleRefreshMs: 60_000 });
    state.projects = ids(2);
    await listPoll();
    state.now += 10 * 60_000;
    await listPoll();
    expect(poller.pressure(state.now).lateIdle).toBe(2);
  });
});
