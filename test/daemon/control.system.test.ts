import { describe, expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { readExposition, type Sample, sampleValue } from '../support/exposition-reader.ts';
import {
  accountOf,
  type Daemon,
  errorCount,
  openDaemon,
  openLeftHistory,
  openService,
  projectIds,
  untilTrue,
} from './open-daemon.ts';

const requests = 'dbpm_exporter_api_requests_total';

/** How often each route was asked that is counted at all. */
function askedRoutes(samples: readonly Sample[]): ReadonlyMap<string, number> {
  const counted = samples.filter(({ name }) => name === requests);
  const byRoute = Map.groupBy(counted, ({ labels }) => labels.route ?? '');
  return new Map(
    [...byRoute].map(([route, each]) => [route, each.reduce((sum, { value }) => sum + value, 0)]),
  );
}

/** The page once the list of projects was read five times, and shows. */
const untilListed = (daemon: Daemon) =>
  daemon.until(samples => {
    expect(sampleValue(samples, requests, { route: '/projects', outcome: 'ok' }) ?? 0).toBeGreaterThanOrEqual(
      5,
    );
    // Requests are counted before what they brought is written and published.
    expect(sampleValue(samples, 'dbpm_collector_success', { collector: 'projects' })).toBe(1);
  });

const endpointsRoute = '/projects/{project_id}/endpoints';
const operationsRoute = '/projects/{project_id}/operations';
const hasSeries = (samples: readonly Sample[], prefix: string) =>
  samples.some(({ name }) => name.startsWith(prefix));

describe.concurrent('a daemon whose collectors are off', () => {
  const cases: readonly [collectors: Config['collect']['collectors'], asked: readonly string[]][] = [
    [['projects'], []],
    [['projects', 'endpoints'], [endpointsRoute]],
    [['projects', 'operations'], [operationsRoute]],
    [['projects', 'api_keys'], ['/api_keys']],
    [
      ['projects', 'endpoints', 'operations'],
      [endpointsRoute, operationsRoute],
    ],
  ];
  it.for(cases)('asks for %j alone, and shows nothing else', async ([enabled, asked], context) => {
    const { expect, onTestFinished } = context;
    const service = await openService(onTestFinished);
    const daemon = await openDaemon(onTestFinished, [accountOf(service)], { enabled });
    await untilListed(daemon);
    const samples = await daemon.until(found => {
      for (const route of asked) expect(askedRoutes(found).get(route), route).toBeGreaterThan(1);
      expect(hasSeries(found, 'dbpm_endpoint_')).toBe(enabled.includes('endpoints'));
      expect(hasSeries(found, 'dbpm_operations_')).toBe(enabled.includes('operations'));
      expect(hasSeries(found, 'dbpm_api_key_')).toBe(enabled.includes('api_keys'));
      expect(hasSeries(found, 'dbpm_project_last_refresh_')).toBe(asked.some(route => route.includes('{')));
      expect(projectIds(found)).toHaveLength(2);
    });
    // Single operations are asked for only while one has not ended.
    const routes = [...askedRoutes(samples).keys()].filter(route => !route.endsWith('{operation_id}'));
    expect(new Set(routes)).toEqual(new Set(['/projects', ...asked]));
    expect(sampleValue(samples, 'dbpm_up')).toBe(1);
  });
});

describe.concurrent('a project that is left out', () => {
  it('is not read or shown after a restart, nor gone, and goes on counting when it is back', async ({
    expect,
    onTestFinished,
  }) => {
    const { service, folder, before } = await openLeftHistory(onTestFinished);
    const [out = '', left = ''] = projectIds(before);
    const match = `GET /projects/${out}/endpoints`;
    await service.fault({ match, status: 500 });

    const projects = { include: ['*'], exclude: [out] };
    const second = await openDaemon(onTestFinished, [accountOf(service, { projects })], { folder });
    expect(projectIds(readExposition(await second.read('/metrics')))).toEqual([left]);
    const without = await untilListed(second);
    expect(without.filter(({ labels }) => labels.project_id === out)).toEqual([]);
    expect(errorCount(without, 'endpoints')).toBe(0);
    expect(sampleValue(without, 'dbpm_account_last_project_gone_timestamp_seconds')).toBeUndefined();
    await second.close();

    await service.clearFaults();
    await service.control('POST', '/advance', { seconds: 3600 });
    const third = await openDaemon(onTestFinished, [accountOf(service)], { folder });
    const after = await untilTrue(third, service);
    const total = 'dbpm_project_cpu_used_seconds_total';
    const usedBefore = sampleValue(before, total, { project_id: out }) ?? Number.NaN;
    expect(sampleValue(after, total, { project_id: out })).toBeGreaterThanOrEqual(usedBefore);
  });

  it('is left out from the start, by its name', async ({ expect, onTestFinished }) => {
    const service = await openService(onTestFinished);
    await service.control('POST', '/projects', { name: 'scratch 1' });
    await service.control('POST', '/projects', { name: 'scratch 2' });
    const projects = { include: ['scratch *'], exclude: ['* 2'] };
    const daemon = await openDaemon(onTestFinished, [accountOf(service, { projects })]);
    const samples = await untilListed(daemon);
    const names = samples
      .filter(({ name }) => name === 'dbpm_project_info')
      .map(({ labels }) => labels.project_name);
    expect(names).toEqual(['scratch 1']);
  });
});

describe.concurrent('a limit on the series of a metric', () => {
  const dropped = 'dbpm_exporter_series_dropped';

  it('keeps whole projects off the page, and says how many series are missing', async ({
    expect,
    onTestFinished,
  }) => {
    const service = await openService(onTestFinished);
    const series = { limitPerFamily: 1 };
    const daemon = await openDaemon(onTestFinished, [accountOf(service)], { series });
    await daemon.until(samples => {
      expect(projectIds(samples)).toHaveLength(1);
      expect(sampleValue(samples, dropped, { family: 'dbpm_project_info' })).toBe(1);
      expect(sampleValue(samples, dropped, { family: 'dbpm_up' })).toBe(0);
    });
  });

  it('is not spoken of where there is none', async ({ expect, onTestFinished }) => {
    const service = await openService(onTestFinished);
    const daemon = await openDaemon(onTestFinished, [accountOf(service)]);
    expect((await untilListed(daemon)).filter(({ name }) => name === dropped)).toEqual([]);
  });
});
