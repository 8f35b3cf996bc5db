import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { planPolls } from '../../src/poll/scheduler/poll-plan.ts';
import { collectors } from '../../src/resources/collector.ts';
import { percentile } from '../bench/percentile.ts';
import { readExposition, type Sample } from '../support/exposition-reader.ts';
import type { Truth } from '../support/truth.ts';
import { onStage, simulatedMinute } from './stage.ts';
import { StateWatch } from './state-watch.ts';

const fleet = { projects: 1000, busyProjects: 20, pageSize: 200, requestsPerMinute: 1500 };
const terms = {
  ...fleet,
  scheduleMs: 10_000,
  idleRefreshMs: 2 * simulatedMinute,
  apiKeysRefreshMs: 5 * simulatedMinute,
};
/** The plan is of a load that lasts: computes start and stop for so long before anything is measured. */
const settlingMs = 2 * terms.idleRefreshMs;
const watchedMs = 4 * simulatedMinute;
const lookMs = 1000;
/** Beyond what is planned: a page is published once a second, and looked at as often. */
const allowance = 1.3;
/** The shortest delay of auto-suspend there is among quiet endpoints. */
const restlessSeconds = 60;

it('reads a fleet within a request limit as fresh as planned, and never meets the limit', () =>
  onStage(
    {
      seed: 5,
      longestWayMs: 20,
      service: {
        projects: 0,
        historyDays: 0,
        pageProjects: fleet.pageSize,
        rateLimitPerMinute: fleet.requestsPerMinute,
      },
    },
    async ({ service, startDaemon }) => {
      for (let index = 0; index < fleet.projects; index += 1) {
        await service.call('POST', '/projects', { name: `project-${index}`, branches: 1, profile: 'quiet' });
      }
      service.advance(3600);
      const connect = (endpoint_id: string, seconds: number) =>
        service.call('POST', `/endpoints/${endpoint_id}/connect`, { seconds });
      const endpoints = (await service.truth()).projects.flatMap(project => project.endpoints);
      const [restless = [], others = []] = [true, false].map(isRestless =>
        endpoints.filter(each => (each.suspend_timeout_seconds === restlessSeconds) === isRestless),
      );
      for (const { endpoint_id } of others.slice(0, fleet.busyProjects)) await connect(endpoint_id, 3600);
      const daemon = startDaemon({
        env: {
          DBPM_REQUESTS_PER_MINUTE: `${terms.requestsPerMinute}`,
          DBPM_COLLECT_SCHEDULE: `*/${terms.scheduleMs / 1000} * * * * *`,
          DBPM_COLLECT_IDLE_REFRESH: `${terms.idleRefreshMs / 1000}s`,
          DBPM_SERIES_MODE: 'compact',
        },
      });
      await daemon.untilServing();
      const scrape = async () => readExposition((await daemon.readPage()) ?? '');
      for (let read = 0; read < fleet.projects; read = readInstants(await scrape()).size) await pause(lookMs);

      const watch = new StateWatch();
      let oldestIdleMs = 0;
      const settledAt = Date.now() + settlingMs;
      for (let look = 0; Date.now() < settledAt + watchedMs; look += 1, await pause(lookMs)) {
        // There are enough of them for each to sleep again before its next turn.
        const sleeper = restless[look % restless.length];
        if (sleeper !== undefined) await connect(sleeper.endpoint_id, 1);
        if (Date.now() < settledAt) continue;
        const truth = awakeEndpoints(await service.truth());
        const samples = await scrape();
        watch.look(truth, Date.now(), shownAwake(samples), Date.now());
        for (const readAt of readInstants(samples).values())
          oldestIdleMs = Math.max(oldestIdleMs, Date.now() - readAt);
      }

      const plan = planPolls({ ...terms, collectors, busyShare: watch.awakeShare });
      const { starts, stops } = watch.delaysMs;
      expect([...service.answers.keys()]).toEqual([200]);
      expect(starts.length).toBeGreaterThan(100);
      expect(stops.length).toBeGreaterThan(50);
      expect(watch.missed).toBe(0);
      for (const delays of [starts, stops]) {
        expect(percentile(delays, 0.5)).toBeLessThan(allowance * plan.startNoticedMs.p50);
        expect(percentile(delays, 0.99)).toBeLessThan(allowance * plan.startNoticedMs.p99);
      }
      expect(oldestIdleMs).toBeLessThan(allowance * plan.idleIntervalMs);
      // Everything that changes is shown wrong for as long as it goes unnoticed.
      const changes = starts.length + stops.length;
      const allowedWrong = (changes * plan.startNoticedMs.p50) / (fleet.projects * watchedMs);
      expect(watch.wrongShare).toBeLessThan(allowance * allowedWrong);
    },
  ));

function awakeEndpoints({ projects }: Truth): ReadonlyMap<string, boolean> {
  const endpoints = projects.flatMap(project => project.endpoints);
  return new Map(
    endpoints.map(({ endpoint_id, current_state }) => [endpoint_id, current_state === 'active']),
  );
}

function shownAwake(samples: readonly Sample[]): ReadonlySet<string> {
  return new Set(
    samples
      .filter(
        ({ name, labels, value }) =>
          name === 'dbpm_endpoint_state' && labels.state === 'active' && value === 1,
      )
      .map(({ labels: { endpoint_id = '' } }) => endpoint_id),
  );
}

/** When each project was last read, in epoch milliseconds. */
function readInstants(samples: readonly Sample[]): ReadonlyMap<string, number> {
  return new Map(
    samples
      .filter(({ name }) => name === 'dbpm_project_last_refresh_timestamp_seconds')
      .map(({ labels: { project_id = '' }, value }) => [project_id, value * 1000]),
  );
}
