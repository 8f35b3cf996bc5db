import { describe, expect, it } from 'vitest';
import { AccountPoller } from '../../src/poll/account-poller.ts';
import { planPolls } from '../../src/poll/scheduler/poll-plan.ts';
import { PollScheduler } from '../../src/poll/scheduler/poll-scheduler.ts';
import { type Collector, collectors } from '../../src/resources/collector.ts';
import type { Reading } from '../../src/resources/reading.ts';
import { describeReading, operation, project, scriptedAccount } from './scripted-account.ts';

const listPollMs = 10_000;
const minuteMs = 60_000;

/** A poller for which only these collectors are on; a round comes every ten seconds. */
function openPoller(collectors: readonly Collector[], { awake = new Set<string>() } = {}) {
  const account = scriptedAccount();
  const readings: Reading[] = [];
  const stop = new AbortController();
  const poller = new AccountPoller({
    account: 'main',
    source: account.source,
    urgentSource: {
      ...account.source,
      endpoints(project_id, signal) {
        account.calls.push('urgently');
        return account.source.endpoints(project_id, signal);
      },
      operationPages(project_id, options, signal) {
        account.calls.push('urgently');
        return account.source.operationPages(project_id, options, signal);
      },
    },
    collectors,
    async commit(reading) {
      readings.push(reading);
      if (reading.kind !== 'project') return [];
      const { project_id, operations } = reading;
      return [{ project_id, known: { ...operations?.progress, openIds: [] }, busy: awake.has(project_id) }];
    },
    knownProjects: () => [],
    onProblem: ({ error }) => {
      throw error;
    },
    onImport: () => {},
    scheduleMs: listPollMs,
    idleRefreshMs: 15 * minuteMs,
    dropAfterMs: 600_000,
    apiKeysRefreshMs: 5 * minuteMs,
    requestsPerMinute: 20,
    budgetPerMinute: () => 20,
    concurrency: 4,
    now: () => account.state.now,
    sleep: async () => {},
  });
  /** @returns what the service was asked for in one round. */
  const round = async (): Promise<readonly string[]> => {
    account.state.now += listPollMs;
    await Promise.all([poller.pollProjectList(stop.signal), poller.pollApiKeys(stop.signal)]);
    poller.beginRound(stop.signal);
    await poller.idle();
    return account.takeCalls();
  };
  /** Whether the project, the only one, is to be read in every round. */
  const isBusy = () => Math.round(poller.pressure(account.state.now).demandPerMinute) === 6 + 6;
  const pressure = () => poller.pressure(account.state.now);
  return { ...account, awake, readings, round, pressure, isBusy };
}

describe('a collector that is off', () => {
  it('is not asked for: API keys', async () => {
    const { state, round } = openPoller(['projects', 'endpoints', 'operations']);
    state.projects = [project('a')];
    expect(await round()).toEqual(['projects', 'endpoints a', 'operations a from 0']);
    state.now += 60 * minuteMs;
    expect(await round()).not.toContain('api_keys');
  });

  it('is not asked for: endpoints', async () => {
    const { state, readings, round } = openPoller(['projects', 'operations']);
    state.projects = [project('a')];
    state.operations.set('a', [operation('o', 60)]);
    expect(await round()).toEqual(['projects', 'operations a from 0']);
    expect(readings.map(describeReading)).toEqual(['projects', 'project: 1 operations']);
  });

  it('is not asked for: operations', async () => {
    const { state, readings, round } = openPoller(['projects', 'endpoints']);
    state.projects = [project('a')];
    expect(await round()).toEqual(['projects', 'endpoints a']);
    expect(readings.map(describeReading)).toEqual(['projects', 'project: endpoints']);
    state.now += 60 * minuteMs;
    expect(await round()).toEqual(['projects', 'endpoints a']);
  });

  it('is not asked for: with neither endpoints nor operations no project is read, nor waits to be', async () => {
    const { state, round, pressure } = openPoller(['projects', 'api_keys']);
    state.projects = [project('a', { cpu_used_sec: 1 })];
    expect(await round()).toEqual(['projects', 'api_keys']);
    state.projects = [project('a', { cpu_used_sec: 100 })];
    expect(await round()).toEqual(['projects']);
    expect(pressure()).not.toHaveProperty('oldestDueAt');
    expect(pressure().demandPerMinute).toBeCloseTo(6 + 0.2);
  });
});

describe('a scheduler', () => {
  it('gives no polls where no project is to be polled', () => {
    const terms = {
      requestsPerMinute: 300,
      scheduleMs: minuteMs,
      idleRefreshMs: minuteMs,
      apiKeysRefreshMs: minuteMs,
      dropAfterMs: minuteMs,
    };
    const causeOf = (...collectors: readonly Collector[]) => {
      const scheduler = new PollScheduler({ ...terms, collectors });
      scheduler.followPage([project('a')], 0, 0);
      return scheduler.next(0)?.cause;
    };
    expect(causeOf('projects', 'endpoints')).toBe('first');
    expect(causeOf('projects', 'api_keys')).toBeUndefined();
  });
});

describe('a project without a look at its endpoints', () => {
  it('is busy while the list shows that it uses compute, and is read at once when it starts or stops', async () => {
    const { state, round, isBusy } = openPoller(['projects', 'operations']);
    const use = (seconds: number) => {
      state.projects = [project('a', { cpu_used_sec: seconds })];
    };
    use(100);
    await round();
    expect(await round()).not.toContain('urgently');
    expect(isBusy()).toBe(false);
    use(110);
    state.operations.set('a', [operation('start', 0, { action: 'start_compute' })]);
    expect(await round()).toEqual(['projects', 'urgently', 'operations a from 0']);
    expect(isBusy()).toBe(true);
    for (const seconds of [120, 130, 140]) {
      use(seconds);
      expect(await round()).toEqual(['projects', 'operations a from 0']);
      expect(isBusy()).toBe(true);
    }
    expect(await round()).toEqual(['projects', 'urgently', 'operations a from 0']);
    expect(isBusy()).toBe(false);
  });
});

describe('a project without a look at its operations', () => {
  it('is read at once at every start the list shows, as each was found to be one', async () => {
    const { state, awake, round, isBusy } = openPoller(['projects', 'endpoints']);
    state.projects = [project('a', { cpu_used_sec: 100 })];
    await round();
    await round();
    for (const seconds of [110, 120, 130, 140]) {
      state.projects = [project('a', { cpu_used_sec: seconds })];
      awake.add('a');
      expect(await round()).toEqual(['projects', 'urgently', 'endpoints a']);
      expect(isBusy()).toBe(true);
      awake.delete('a');
      await round();
      expect(isBusy()).toBe(false);
    }
  });
});

describe('the plan for collectors', () => {
  const fleet = {
    ...{ projects: 1000, busyShare: 0.1, pageSize: 400, requestsPerMinute: 6000 },
    ...{ scheduleMs: 10_000, idleRefreshMs: 15 * minuteMs, apiKeysRefreshMs: 5 * minuteMs, collectors },
  };
  const wantedOf = (...on: readonly Collector[]) => planPolls({ ...fleet, collectors: on }).wanted;

  it('counts only the requests of those that are on', () => {
    const all = { lists: 18, keys: 0.2, changed: 20, busy: 1200, idle: 120 };
    expect(planPolls(fleet).wanted).toEqual(all);
    expect(wantedOf('projects', 'endpoints', 'operations')).toEqual({ ...all, keys: 0 });
    const half = { ...all, changed: 10, busy: 600, idle: 60 };
    expect(wantedOf('projects', 'operations', 'api_keys')).toEqual(half);
    expect(wantedOf('projects', 'endpoints', 'api_keys')).toEqual(half);
    expect(wantedOf('projects')).toEqual({ ...all, keys: 0, changed: 0, busy: 0, idle: 0 });
  });

  it('makes no partial polls where they would save no request', () => {
    const scarce = { ...fleet, requestsPerMinute: 60 };
    expect(planPolls(scarce).partialPolls).toBe(true);
    expect(planPolls({ ...scarce, collectors: ['projects', 'operations'] }).partialPolls).toBe(false);
  });
});
