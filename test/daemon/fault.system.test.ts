import { describe, it } from 'vitest';
import { collectors } from '../../src/resources/collector.ts';
import { type Sample, sampleValue } from '../support/exposition-reader.ts';
import { seriesKey } from '../support/openmetrics-rules.ts';
import {
  accountOf,
  errorCount,
  eventually,
  openDaemon,
  openService,
  openWatched,
  projectIds,
  untilTrue,
} from './open-daemon.ts';

const projectsCall = 'GET /projects';
const endpointsCall = 'GET /projects/*/endpoints';
const operationsCall = 'GET /projects/*/operations';
const keysCall = 'GET /api_keys';
const html = '<!doctype html><title>Bad gateway</title>';

/** What live services have been seen to answer, what it must be counted as, and by whom. */
const faults = [
  ['401 for every project', { match: endpointsCall, status: 401 }, 'endpoints', 'unauthorized'],
  ['401 for a list', { match: projectsCall, status: 401 }, 'projects', 'unauthorized'],
  ['403', { match: keysCall, status: 403 }, 'api_keys', 'forbidden'],
  ['404 for a whole list', { match: projectsCall, status: 404 }, 'projects', 'not_found'],
  ['423', { match: operationsCall, status: 423 }, 'operations', 'locked'],
  ['429 without Retry-After', { match: operationsCall, status: 429 }, 'operations', 'rate_limited'],
  [
    '429 with Retry-After',
    { match: keysCall, status: 429, headers: { 'retry-after': '1' } },
    'api_keys',
    'rate_limited',
  ],
  ['500 with a page of HTML', { match: endpointsCall, status: 500, body: html }, 'endpoints', 'unavailable'],
  ['503', { match: operationsCall, status: 503 }, 'operations', 'unavailable'],
  ['524 of a gateway', { match: projectsCall, status: 524, body: html }, 'projects', 'unavailable'],
  ['a connection that is cut', { match: keysCall, close: true }, 'api_keys', 'network'],
  [
    'a body that is torn',
    { match: projectsCall, status: 200, body: '{"projects":[{"id":"half"}]}', close: true },
    'projects',
    'network',
  ],
  ['200 with a page of HTML', { match: operationsCall, status: 200, body: html }, 'operations', 'malformed'],
  ['an empty 200', { match: endpointsCall, status: 200, body: '' }, 'endpoints', 'malformed'],
  ['another shape', { match: projectsCall, status: 200, body: '{"projects":{}}' }, 'projects', 'malformed'],
  [
    'operations without an action',
    { match: operationsCall, status: 200, body: '{"operations":[{"id":"o-1","status":"finished"}]}' },
    'operations',
    'malformed',
  ],
  ['keys without an id', { match: keysCall, status: 200, body: '[{"name":"a"}]' }, 'api_keys', 'malformed'],
  ['an array for an object', { match: endpointsCall, status: 200, body: '[]' }, 'endpoints', 'malformed'],
  ['an object for an array', { match: keysCall, status: 200, body: '{}' }, 'api_keys', 'malformed'],
  ['a redirect', { match: keysCall, status: 302, headers: { location: '/' } }, 'api_keys', 'malformed'],
] as const;

/** The series of what the account holds, without those that say how the daemon itself is doing. */
const watchedSeries = (samples: readonly Sample[]) =>
  samples
    .filter(({ name }) => /^dbpm_(project|endpoint|operation|api_key|account)/.test(name))
    .map(seriesKey);

describe.concurrent('a service that answers with', () => {
  it.for(faults)('%s fails one collector and nothing else', async (row, { expect, onTestFinished }) => {
    const [, fault, collector, reason] = row;
    const { service, daemon, before } = await openWatched(onTestFinished);
    await service.fault(fault);
    const during = await daemon.until(samples => {
      const errors = sampleValue(samples, 'dbpm_collector_errors_total', { collector, reason });
      expect(errors).toBeGreaterThanOrEqual(1);
      expect(sampleValue(samples, 'dbpm_collector_success', { collector })).toBe(0);
    });
    const others = collectors.filter(other => other !== collector);
    expect(others.map(other => errorCount(during, other))).toEqual([0, 0, 0]);
    expect(others.map(other => sampleValue(during, 'dbpm_collector_success', { collector: other }))).toEqual([
      1, 1, 1,
    ]);
    expect(errorCount(during, collector)).toBe(
      sampleValue(during, 'dbpm_collector_errors_total', { collector, reason }),
    );
    expect(watchedSeries(during)).toEqual(expect.arrayContaining(watchedSeries(before)));
    const isList = collector === 'projects' || collector === 'api_keys';
    expect(sampleValue(during, 'dbpm_up')).toBe(isList ? 0 : 1);
    expect(sampleValue(during, 'dbpm_auth_ok')).toBe(reason === 'unauthorized' && isList ? 0 : 1);
    await service.clearFaults();
    await service.control('POST', '/advance', { seconds: 3600 });
    const after = await untilTrue(daemon, service);
    expect(sampleValue(after, 'dbpm_up')).toBe(1);
    expect(sampleValue(after, 'dbpm_auth_ok')).toBe(1);
  });

  it('a delay is waited for, and is no failure', async ({ expect, onTestFinished }) => {
    const service = await openService(onTestFinished);
    await service.fault({ match: '*', delay_ms: 700 });
    const daemon = await openDaemon(onTestFinished, [accountOf(service)]);
    const samples = await untilTrue(daemon, service);
    expect(collectors.map(collector => errorCount(samples, collector))).toEqual([0, 0, 0, 0]);
    const took = sampleValue(samples, 'dbpm_collector_last_duration_seconds', { collector: 'projects' });
    expect(took).toBeGreaterThanOrEqual(0.7);
  });

  it('some items that cannot be used loses only those, and counts them', async ({
    expect,
    onTestFinished,
  }) => {
    const { service, daemon, before } = await openWatched(onTestFinished);
    const ids = projectIds(before);
    const { projects } = await service.call<{ projects: object[] }>('GET', '/projects');
    const body = JSON.stringify({ projects: [...projects, null] });
    await service.fault({ match: projectsCall, status: 200, body });
    await eventually(async () => {
      const malformed = { collector: 'projects', reason: 'malformed' };
      const samples = await daemon.scrape();
      expect(sampleValue(samples, 'dbpm_collector_errors_total', malformed)).toBeGreaterThanOrEqual(3);
      expect(sampleValue(samples, 'dbpm_collector_success', { collector: 'projects' })).toBe(1);
      expect(projectIds(samples)).toEqual(ids);
    });
  });

  it('a partial list deletes nothing, and what it alone could tell is dropped only after drop_after', async ({
    expect,
    onTestFinished,
  }) => {
    const { service, daemon, before } = await openWatched(onTestFinished, { daemon: { dropAfterMs: 8000 } });
    const ids = projectIds(before);
    const { projects } = await service.call<{ projects: { id: string }[] }>('GET', '/projects');
    const [first, second] = projects;
    const body = JSON.stringify({ projects: [first], unavailable_project_ids: [second?.id] });
    await service.fault({ match: projectsCall, status: 200, body, times: 2 });
    await eventually(async () => {
      const { faults: left } = await service.control<{ faults: object[] }>('GET', '/faults');
      expect(left).toEqual([]);
    });
    const samples = await daemon.until(found =>
      expect(sampleValue(found, 'dbpm_account_projects_unavailable')).toBeTypeOf('number'),
    );
    expect(projectIds(samples)).toEqual(ids);
    await service.fault({ match: projectsCall, status: 200, body });
    const listed = 'dbpm_project_cpu_used_reported_seconds';
    await eventually(async () => {
      const samples = (await daemon.scrape()).filter(({ name }) => name === listed);
      expect(samples.map(({ labels }) => labels.project_id)).toEqual([first?.id]);
    });
    // What is still read of them stays: their endpoints, operations and what names them.
    expect(projectIds(await daemon.scrape())).toEqual(ids);
    await service.clearFaults();
    await untilTrue(daemon, service);
  });

  it('404 for everything drops nothing before drop_after, and says so', async ({
    expect,
    onTestFinished,
  }) => {
    const { service, daemon, before } = await openWatched(onTestFinished, { daemon: { dropAfterMs: 8000 } });
    await service.fault({ match: 'GET /projects*', status: 404 });
    const failing = ['projects', 'endpoints', 'operations'];
    const during = await daemon.until(samples => {
      for (const collector of ['projects', 'endpoints']) {
        expect(sampleValue(samples, 'dbpm_collector_success', { collector })).toBe(0);
        const missing = { collector, reason: 'not_found' };
        expect(sampleValue(samples, 'dbpm_collector_errors_total', missing)).toBeGreaterThanOrEqual(1);
      }
    });
    expect(watchedSeries(during)).toEqual(expect.arrayContaining(watchedSeries(before)));
    expect(sampleValue(during, 'dbpm_up')).toBe(0);
    expect(sampleValue(during, 'dbpm_account_last_project_gone_timestamp_seconds')).toBeUndefined();
    await daemon.until(samples => expect(projectIds(samples)).toEqual([]));
    await service.clearFaults();
    const after = await untilTrue(daemon, service);
    expect(sampleValue(after, 'dbpm_account_last_project_gone_timestamp_seconds')).toBeUndefined();
    expect(failing.map(collector => sampleValue(after, 'dbpm_collector_success', { collector }))).toEqual([
      1, 1, 1,
    ]);
  });

  it('an empty list keeps everything until drop_after; what comes back has the counters it had', async ({
    expect,
    onTestFinished,
  }) => {
    const { service, daemon, before } = await openWatched(onTestFinished, { daemon: { dropAfterMs: 3000 } });
    const startedAt = performance.now();
    await service.fault({ match: projectsCall, status: 200, body: '{"projects":[]}' });
    const total = 'dbpm_account_cpu_used_seconds_total';
    await daemon.until(samples => {
      expect(projectIds(samples)).toEqual([]);
      expect(sampleValue(samples, total)).toBe(sampleValue(before, total));
    });
    expect(performance.now() - startedAt).toBeGreaterThan(3000);
    await service.clearFaults();
    expect(sampleValue(await untilTrue(daemon, service), total)).toBe(sampleValue(before, total));
  });

  it('404 for a project that was just listed lets its series go without a failure', async ({
    expect,
    onTestFinished,
  }) => {
    const { service, daemon, before } = await openWatched(onTestFinished);
    const [gone, left] = projectIds(before);
    const { projects } = await service.call<{ projects: { id: string }[] }>('GET', '/projects');
    // A slow list, or the next one might bring it back before the page shows that it is gone.
    const body = JSON.stringify({ projects });
    await service.fault({ match: projectsCall, status: 200, body, delay_ms: 8000 });
    await service.fault({ match: `GET /projects/${gone}/*`, status: 404, times: 1 });
    await eventually(async () => expect(projectIds(await daemon.scrape())).toEqual([left]));
    await service.clearFaults();
    const after = await untilTrue(daemon, service);
    expect(projectIds(after)).toEqual([gone, left]);
    expect(collectors.map(collector => errorCount(after, collector))).toEqual([0, 0, 0, 0]);
  });
});
