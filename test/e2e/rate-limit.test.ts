import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { collectors } from '../../src/resources/collector.ts';
import { planPolls } from '../../src/scheduler/poll-plan.ts';
import { percentile } from '../bench/percentile.ts';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { readExposition, type Sample } from '../support/exposition-reader.ts';
import type { Truth } from '../support/truth.ts';
import { type FleetOptions, fleetKey, type LimitedFleet, startLimitedFleet } from './limited-fleet.ts';
import { StateWatch } from './state-watch.ts';

const minuteMs = 60_000;
const fleetOptions: FleetOptions = {
  projects: 2000,
  busyProjects: 40,
  pageSize: 400,
  requestsPerMinute: 3000,
};
const terms = {
  ...fleetOptions,
  scheduleMs: 10_000,
  idleRefreshMs: 2 * minuteMs,
  apiKeysRefreshMs: 5 * minuteMs,
};
const watchedMs = 2.25 * minuteMs;
const lookMs = 1000;
/** Beyond what is planned: a page is published once a second, and looked at as often. */
const allowance = 1.3;

test('a fleet within a request limit is read as fresh as planned, and the limit is never met', async () => {
  const fleet = await startLimitedFleet(fleetOptions);
  onTestFinished(() => fleet.close());
  const url = await startDaemon(fleet);
  const warmedUpMs = await warmUp(url);
  const refused = countRefused(await scrape(url));
  const { watch, oldestIdleMs, requestsPerMinute } = await keepLooking(fleet, url);

  const plan = planPolls({ ...terms, collectors, busyShare: watch.awakeShare });
  const { starts, stops } = watch.delaysMs;
  const figures = { refused, warmedUpMs, oldestIdleMs, requestsPerMinute, wrong: watch.wrongShare };
  report({ ...figures, awake: watch.awakeShare, planned: plan.idleIntervalMs }, { starts, stops });
  expect(countRefused(await scrape(url)) - refused).toBe(0);
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
  const allowedWrong = (changes * plan.startNoticedMs.p50) / (fleetOptions.projects * watchedMs);
  expect(watch.wrongShare).toBeLessThan(allowance * allowedWrong);
}, 420_000);

async function startDaemon({ base_url }: LimitedFleet): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-e2e-'));
  const daemon = startDaemonProcess({
    base_url,
    apiKey: fleetKey,
    historyFile: join(folder, 'history.sqlite'),
    env: {
      DBPM_REQUESTS_PER_MINUTE: `${terms.requestsPerMinute}`,
      DBPM_COLLECT_SCHEDULE: `*/${terms.scheduleMs / 1000} * * * * *`,
      DBPM_COLLECT_IDLE_REFRESH: `${terms.idleRefreshMs / 1000}s`,
      DBPM_SERIES_MODE: 'compact',
    },
  });
  onTestFinished(async () => {
    await daemon.stop('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });
  return daemon.untilServing();
}

/** Until every project was read. */
async function warmUp(url: string): Promise<number> {
  const startedAt = Date.now();
  for (let read = 0; read < fleetOptions.projects; read = readInstants(await scrape(url)).size) {
    if (Date.now() - startedAt > 4 * minuteMs) throw new Error(`${read} projects were read in four minutes`);
    await pause(lookMs);
  }
  return Date.now() - startedAt;
}

async function keepLooking(fleet: LimitedFleet, url: string) {
  const watch = new StateWatch();
  const startedAt = Date.now();
  const asked = countRequests(await scrape(url));
  let oldestIdleMs = 0;
  let samples: readonly Sample[] = [];
  for (let lookAt = startedAt; lookAt < startedAt + watchedMs; lookAt += lookMs) {
    await pause(Math.max(0, lookAt - Date.now()));
    await fleet.wakeOne();
    const truth = await fleet.truth();
    const at = Date.now();
    samples = await scrape(url);
    const shownAt = Date.now();
    watch.look(awakeEndpoints(truth), at, shownAwake(samples), shownAt);
    for (const readAt of readInstants(samples).values())
      oldestIdleMs = Math.max(oldestIdleMs, shownAt - readAt);
  }
  const minutes = (Date.now() - startedAt) / minuteMs;
  return { watch, oldestIdleMs, requestsPerMinute: (countRequests(samples) - asked) / minutes };
}

async function scrape(url: string): Promise<readonly Sample[]> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const wanted =
    /^dbpm_(?:endpoint_state|project_last_refresh_timestamp_seconds|exporter_api_requests_total)\{/;
  return readExposition(
    text
      .split('\n')
      .filter(line => wanted.test(line))
      .join('\n'),
  );
}

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

function countRequests(samples: readonly Sample[], outcome?: string): number {
  return samples
    .filter(
      ({ name, labels }) =>
        name === 'dbpm_exporter_api_requests_total' && (outcome ?? labels.outcome) === labels.outcome,
    )
    .reduce((sum, { value }) => sum + value, 0);
}

function countRefused(samples: readonly Sample[]): number {
  return countRequests(samples, 'rate_limited');
}

function report(
  figures: Readonly<Record<string, number>>,
  delays: Readonly<Record<string, readonly number[]>>,
): void {
  const named = Object.entries(figures).map(([name, value]) => `${name} ${Number(value.toPrecision(4))}`);
  const spread = Object.entries(delays).map(
    ([name, all]) => `${all.length} ${name} ${percentile(all, 0.5)}/${percentile(all, 0.99)} ms`,
  );
  process.stdout.write(`rate limit test: ${[...named, ...spread].join(', ')}\n`);
}
