import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accountSettings } from '../../src/config/account-setting.ts';
import { globalSettings, sectionSettings } from '../../src/config/setting.ts';
import { runs } from '../support/seed.ts';
import { renderSettingList } from '../support/setting-list.ts';
import { accountEnv, loadValid } from './loading.ts';

/** For each setting outside the accounts a value that is not its default, as it is written and as it is read. */
const examples: Readonly<Record<string, readonly [text: string, value: unknown]>> = {
  'collect.collectors': ['endpoints,projects', ['projects', 'endpoints']],
  'collect.schedule': ['0 * * * * *', '0 * * * * *'],
  'collect.idle_refresh': ['1h30m', 5_400_000],
  'collect.api_keys_refresh': ['1m', 60_000],
  'collect.consumption': ['on', 'on'],
  'collect.branches': ['on', 'on'],
  'collect.longest_pause': ['10m', 600_000],
  'collect.drop_after': ['500ms', 500],
  'history.file': ['/var/lib/dbpm/history.sqlite', '/var/lib/dbpm/history.sqlite'],
  'history.backup.every': ['12h', 43_200_000],
  'history.backup.keep': ['0', 0],
  'history.backup.directory': ['/mnt/backups', '/mnt/backups'],
  'history.keep_samples': ['30d', 2_592_000_000],
  'history.keep_hours': ['500d', 43_200_000_000],
  'history.keep_days': ['3660d', 316_224_000_000],
  'history.keep_operations': ['1d', 86_400_000],
  'history.standby': ['true', true],
  'usage.timezone': ['Europe/Berlin', 'Europe/Berlin'],
  'usage.refresh': ['5m', 300_000],
  'usage.anomaly_compute_hours': ['0.25', 0.25],
  'usage.anomaly_gigabytes': ['2.5', 2.5],
  'usage.anomaly_branches': ['3', 3],
  'findings.smallest_suspend_delay': ['1m', 60_000],
  'findings.least_compute_hours': ['0.5', 0.5],
  'findings.least_amount': ['12.5', 12.5],
  'findings.unused_branch_after': ['30d', 2_592_000_000],
  'findings.least_unused_branches': ['5', 5],
  'keys.stale_after': ['90d', 7_776_000_000],
  'keys.source_addresses': ['hashed', 'hashed'],
  'keys.people': ['none', 'none'],
  'series.mode': ['compact', 'compact'],
  'series.exclude': ['dbpm_*_info, dbpm_endpoint_state', ['dbpm_*_info', 'dbpm_endpoint_state']],
  'series.limit_per_family': ['50000', 50_000],
  'rules.job': ['fleet', 'fleet'],
  'rules.runbook_url': ['https://wiki.example.com/dbpm/', 'https://wiki.example.com/dbpm'],
  'rules.dashboard_url': ['https://grafana.example.com', 'https://grafana.example.com'],
  'web.listen_address': [
    '[::1]:0,:9',
    [
      { host: '::1', port: 0 },
      { host: undefined, port: 9 },
    ],
  ],
  'web.systemd_socket': ['true', true],
  'web.enable_lifecycle': ['true', true],
  'web.health_without_login': ['true', true],
  'web.personal_data_without_login': ['true', true],
  'web.external_url': ['https://dbpm.example.com/', 'https://dbpm.example.com'],
  'web.health_address': ['127.0.0.1:10063', [{ host: '127.0.0.1', port: 10_063 }]],
  'web.telemetry_path': ['/probe/metrics', '/probe/metrics'],
  'web.console': ['false', false],
  'log.level': ['debug', 'debug'],
  'log.format': ['json', 'json'],
  'log.heartbeat': ['0s', 0],
};

/** Types that YAML knows as its own. */
const unquoted = new Set(['count', 'boolean', 'number', 'requestRate', 'seriesLimit']);

type Source = 'flags' | 'env' | 'file';

/** A value of the configuration by the key of its setting. */
function readValue(key: string, config: object): unknown {
  const [section = '', ...names] = key.split('.');
  const camel = names.join('_').replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const values: Record<string, unknown> =
    Object.entries(config).find(([each]) => each === section)?.[1] ?? {};
  return values[camel] ?? values[`${camel}Ms`];
}

function loadFrom(key: string, texts: Partial<Record<Source, string>>): unknown {
  const setting = globalSettings.find(each => each.key === key);
  const written = !unquoted.has(setting?.type ?? '') ? JSON.stringify(texts.file) : texts.file;
  const below = (outer: string, names: readonly string[]): string =>
    names.reduceRight((inner, name) => `{ ${name}: ${inner} }`, outer);
  const yaml = texts.file === undefined ? '' : below(written ?? '', key.split('.'));
  const { config } = loadValid({
    flags: { 'config.file': 'dbpm.yaml', ...(texts.flags !== undefined && { [key]: texts.flags }) },
    env: { ...accountEnv, ...(texts.env !== undefined && { [setting?.env ?? '']: texts.env }) },
    files: { 'dbpm.yaml': yaml },
  });
  return readValue(key, config);
}

test.each(sectionSettings)('$key means the same in the environment, a file and a flag', ({ key, flag }) => {
  const [text, value] = examples[key] ?? [];
  expect(text).toBeDefined();
  expect(loadFrom(key, { env: String(text) })).toEqual(value);
  expect(loadFrom(key, { file: String(text) })).toEqual(value);
  expect(loadFrom(key, {})).not.toEqual(value);
  if (flag !== undefined) expect(loadFrom(key, { flags: String(text) })).toEqual(value);
});

test('each field of an account means the same in the environment and a file', () => {
  const files = { '/key': 'k', 'dbpm.yaml': '' };
  const account = {
    name: 'prod',
    base_url: 'https://x/api/v2/',
    api_key_file: '/key',
    requests_per_minute: 60,
    projects: '{ include: shop-*, exclude: ["*-test", "7"] }',
  };
  const fields = Object.entries(account).map(([field, value]) => `${field}: ${value}`);
  const fromFile = loadValid({
    flags: { 'config.file': 'dbpm.yaml' },
    files: { ...files, 'dbpm.yaml': `accounts:\n  - ${fields.join('\n    ')}\n` },
  });
  const env = Object.entries<{ readonly env?: string }>(accountSettings).flatMap(([field, row]) => {
    const value = Object.entries(account).find(([name]) => name === field)?.[1];
    return row.env === undefined || value === undefined ? [] : [[row.env, String(value)]];
  });
  const projects = { DBPM_PROJECTS_INCLUDE: 'shop-*', DBPM_PROJECTS_EXCLUDE: '*-test, 7' };
  const fromEnv = loadValid({ files, env: { ...Object.fromEntries(env), ...projects } });
  for (const { config } of [fromFile, fromEnv]) {
    expect(config.accounts[0]?.base_url.href).toBe('https://x/api/v2/');
    expect(config.accounts[0]?.readApiKey()).toBe('k');
    expect(config.accounts).toMatchObject([{ name: 'prod', requestsPerMinute: 60 }]);
    expect(config.accounts[0]?.projects).toEqual({ include: ['shop-*'], exclude: ['*-test', '7'] });
  }
});

test('flags beat the environment, which beats the file, which beats the default, for any values', () => {
  const minutes = fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: undefined });
  const port = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined });
  fc.assert(
    fc.property(port, port, port, minutes, minutes, (flag, env, file, envMinutes, fileMinutes) => {
      const texts = {
        ...(flag !== undefined && { flags: `:${flag}` }),
        ...(env !== undefined && { env: `:${env}` }),
        ...(file !== undefined && { file: `:${file}` }),
      };
      expect(loadFrom('web.listen_address', texts)).toEqual([
        { host: undefined, port: flag ?? env ?? file ?? 10_062 },
      ]);
      const durations = {
        ...(envMinutes !== undefined && { env: `${envMinutes}m` }),
        ...(fileMinutes !== undefined && { file: `${fileMinutes}m` }),
      };
      expect(loadFrom('collect.idle_refresh', durations)).toBe((envMinutes ?? fileMinutes ?? 15) * 60_000);
    }),
    { numRuns: runs(40) },
  );
});

test('the list has a line for each setting', () => {
  const lines = renderSettingList().split('\n');
  expect(lines).toContain(
    '- `web.listen_address`, `--web.listen-address` (`:10062`): where HTTP is served: :PORT, HOST:PORT or [::1]:PORT, and more of them with commas between',
  );
  expect(lines).toContain('- `DBPM_API_KEY`: the API key itself, in the environment only');
  expect(lines).toHaveLength(globalSettings.length + Object.keys(accountSettings).length + 3);
});
