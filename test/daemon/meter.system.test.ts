import { expect, test } from 'vitest';
import type { Account } from '../../src/config/config.ts';
import { hourMs } from '../../src/resources/duration.ts';
import { sampleValue } from '../support/exposition-reader.ts';
import { wireConsumption, wireTimeframe } from '../support/meter-builder.ts';
import { answerJson, type ReceivedRequest, startScriptedService } from '../support/scripted-service.ts';
import {
  accountOf,
  canaryKey,
  type Daemon,
  eventually,
  type OnTestFinished,
  openDaemon,
  openFolder,
  openService,
} from './open-daemon.ts';

const route = '/consumption_history/v2/projects';

/** The hour that a request was made in: a test may go on into the next one. */
const hourOf = (request: ReceivedRequest | undefined) =>
  Math.floor(Date.parse(request?.url.searchParams.get('to') ?? '') / hourMs) * hourMs;

/** A service of a later version, with a meter as long as `status` is 200. */
async function openLaterService(onTestFinished: OnTestFinished, meter = { status: 200 }) {
  const service = await startScriptedService((request, response) => {
    const { url } = request;
    const path = url.pathname.slice('/api/v2'.length);
    if (path === '/api_keys') return answerJson(response, 200, []);
    const projects = [{ id: 'p', cpu_used_sec: 5, org_id: 'org-1', active_time: 7 }];
    if (path === '/projects') return answerJson(response, 200, { projects });
    if (path !== route) return answerJson(response, 200, { endpoints: [], operations: [] });
    if (meter.status !== 200) return answerJson(response, meter.status, { message: 'no' });
    const now = hourOf(request);
    const hour = wireTimeframe(now - hourMs, now, { compute_unit_seconds: 3600 });
    const told = url.searchParams.get('granularity') === 'hourly' ? [hour] : [];
    answerJson(response, 200, { projects: [wireConsumption('p', told), wireConsumption('gone', told)] });
  });
  onTestFinished(service.close);
  const account: Account = {
    name: 'main',
    base_url: new URL(service.base_url),
    readApiKey: () => canaryKey,
    requestsPerMinute: 60_000,
    projects: { include: ['*'], exclude: [] },
  };
  const asked = () => service.requests.filter(({ url }) => url.pathname.endsWith(route));
  return { account, asked };
}

const untilListed = (daemon: Daemon) =>
  daemon.until(found =>
    expect(sampleValue(found, 'dbpm_collector_success', { collector: 'projects' })).toBe(1),
  );

const queryOf = ({ url }: ReceivedRequest) => Object.fromEntries(url.searchParams);

test('a service that shows a later version is asked for its meter, which is on the page, also after a restart', async ({
  onTestFinished,
}) => {
  const folder = openFolder(onTestFinished);
  const { account, asked } = await openLaterService(onTestFinished);
  const shown = { account: 'main', project_id: 'p' };
  const first = await openDaemon(onTestFinished, [account], { folder });
  const samples = await first.until(found => {
    expect(sampleValue(found, 'dbpm_project_metered_compute_unit_seconds_total', shown)).toBe(3600);
    expect(sampleValue(found, 'dbpm_collector_success', { collector: 'consumption' })).toBe(1);
  });
  expect(sampleValue(samples, 'dbpm_account_metered_compute_unit_seconds_total')).toBe(7200);
  const request = asked().find(each => queryOf(each).granularity === 'hourly');
  expect(sampleValue(samples, 'dbpm_account_metered_until_timestamp_seconds')).toBe(hourOf(request) / 1000);
  const query = request && queryOf(request);
  expect(asked().map(each => queryOf(each).granularity)).toEqual(['monthly', 'daily', 'hourly']);
  expect(query).toMatchObject({ org_id: 'org-1', limit: '100' });
  expect(Date.parse(query?.from ?? '')).toBe(hourOf(request) - 167 * hourMs);
  await first.close();
  const second = await openDaemon(onTestFinished, [account], { folder });
  await untilListed(second);
  const after = await second.scrape();
  expect(sampleValue(after, 'dbpm_project_metered_compute_unit_seconds_total', shown)).toBe(3600);
  // What was read within the hour is not read again.
  expect(asked().filter(each => queryOf(each).granularity === 'hourly')).toHaveLength(1);
});

test('a service without a meter is asked once, and it is said once; nothing on the page speaks of it', async ({
  onTestFinished,
}) => {
  const { account, asked } = await openLaterService(onTestFinished, { status: 403 });
  const daemon = await openDaemon(onTestFinished, [account]);
  await untilListed(daemon);
  const samples = await daemon.until(found =>
    expect(
      sampleValue(found, 'dbpm_exporter_api_requests_total', {
        account: 'main',
        route,
        outcome: 'forbidden',
      }),
    ).toBe(1),
  );
  // The request is counted before its refusal is written down and said.
  const told = () => daemon.lines.filter(line => line.includes('does not offer its meter'));
  await eventually(async () => expect(told()).toHaveLength(1));
  expect(asked()).toHaveLength(1);
  expect(samples.filter(({ labels }) => labels.collector === 'consumption')).toEqual([]);
  expect(sampleValue(samples, 'dbpm_up')).toBe(1);
});

test('a meter that is asked too often slows nothing else', async ({ onTestFinished }) => {
  const { account, asked } = await openLaterService(onTestFinished, { status: 429 });
  const daemon = await openDaemon(onTestFinished, [account]);
  await untilListed(daemon);
  const lists = { account: 'main', route: '/projects', outcome: 'ok' };
  await daemon.until(found => {
    expect(asked().length).toBeGreaterThan(0);
    expect(sampleValue(found, 'dbpm_exporter_api_requests_total', lists)).toBeGreaterThan(6);
    expect(sampleValue(found, 'dbpm_exporter_request_budget_per_minute')).toBe(60_000);
  });
});

test('a service as specified is never asked for a meter, and its page has not a word of one', async ({
  onTestFinished,
}) => {
  const service = await openService(onTestFinished);
  const daemon = await openDaemon(onTestFinished, [accountOf(service)]);
  await untilListed(daemon);
  const page = await daemon.read('/metrics');
  expect(page).toContain('dbpm_project_cpu_used_seconds_total');
  expect(page).not.toMatch(/metered|consumption/);
});
