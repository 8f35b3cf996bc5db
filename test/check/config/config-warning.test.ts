import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { warnOfSilencedAlerts } from '../../../src/check/config/config-warning.ts';
import { loadCheckedConfig } from '../../../src/check/config/loaded-config.ts';

const account = {
  DBPM_BASE_URL: 'https://api.example.com/api/v2/',
  DBPM_API_KEY: 'canary-key',
  DBPM_WEB_LISTEN_ADDRESS: '127.0.0.1:10062',
};

async function warn(env: Readonly<Record<string, string>>, disabled: readonly string[] = []) {
  const { config, effective } = await loadCheckedConfig({ flags: {}, env: { ...account, ...env } });
  const alerts = Object.fromEntries(
    Object.entries(config.rules.alerts).map(([name, values]) => [
      name,
      { ...values, enabled: !disabled.includes(name) },
    ]),
  );
  const rules = { ...config.rules, alerts };
  return warnOfSilencedAlerts({ config: { ...config, rules }, effective, keyVariables: [] }).map(
    ({ key, found }) => [key, found],
  );
}

test('a page with everything, whole or compact, leaves no alert without its metrics', async () => {
  expect(await warn({})).toEqual([]);
  expect(await warn({ DBPM_SERIES_MODE: 'compact' })).toEqual([]);
});

test('metrics that no alert asks for may be left out without a word', async () => {
  expect(await warn({ DBPM_SERIES_EXCLUDE: 'dbpm_endpoint_pooler_enabled' })).toEqual([]);
});

test('what is recorded for an alert is one of its metrics too', async () => {
  expect(await warn({ DBPM_SERIES_EXCLUDE: 'dbpm_endpoint_state_seconds_total' })).toEqual([
    [
      'series.exclude',
      'the metrics of alerts in the rule file: DbpmEndpointNeverSuspends (dbpm_endpoint_state_seconds_total)',
    ],
  ]);
});

test('an alert that is switched off misses nothing', async () => {
  const env = { DBPM_SERIES_EXCLUDE: 'dbpm_endpoint_state_seconds_total' };
  expect(await warn(env, ['DbpmEndpointNeverSuspends'])).toEqual([]);
});

test('what is not read is not said to be left out as well', async () => {
  const warnings = await warn({
    DBPM_COLLECT_COLLECTORS: 'projects,endpoints,operations',
    DBPM_SERIES_EXCLUDE: 'dbpm_api_key_*',
  });
  expect(warnings.map(([key]) => key)).toEqual(['collect.collectors']);
});

test('API keys are read by the first shard, for the alerts of all', async () => {
  expect(await warn({ DBPM_SHARD: '1/3' })).toEqual([]);
  const collectors = 'projects,endpoints,operations';
  expect(await warn({ DBPM_SHARD: '0/3', DBPM_COLLECT_COLLECTORS: collectors })).toHaveLength(1);
});

function load(base_url: string, trust: string, more: { readonly isOffline?: boolean } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const env = {
    DBPM_BASE_URL: base_url,
    DBPM_API_KEY: 'a-key-of-some-length',
    DBPM_HISTORY_FILE: join(folder, 'h.sqlite'),
    NODE_TLS_REJECT_UNAUTHORIZED: trust,
  };
  return loadCheckedConfig({ flags: {}, env, ...more });
}

test('an environment that has every certificate believed is refused', async () => {
  await expect(load('https://api.example.com/api/v2/', '0')).rejects.toMatchObject({
    problems: [
      {
        where: 'environment',
        key: 'NODE_TLS_REJECT_UNAUTHORIZED',
        found: '"0", with which anyone who answers in the place of the service gets the API key',
        expected: 'take it away, and name the authority of the certificate with accounts[].ca_file',
      },
    ],
  });
});

test.each([
  ['https://localhost:8443/', '0', {}],
  ['https://127.0.0.1:8443/', '0', {}],
  ['https://api.example.com/api/v2/', '1', {}],
  ['https://api.example.com/api/v2/', '0', { isOffline: true }],
])('it is not where nobody else can answer or nothing is asked: %s with %s %o', async (url, trust, more) => {
  await expect(load(url, trust, more)).resolves.toBeDefined();
});
