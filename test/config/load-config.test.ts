import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { renderProblem } from '../../src/config/problem.ts';
import { accountEnv, load, loadInvalid, loadValid } from './loading.ts';

const yamlAccount = (name: string) =>
  `  - {name: ${name}, base_url: "https://${name}.example.com/api/v2/", api_key_env: KEY_OF_${name.toUpperCase()}}\n`;

test('two environment variables are a whole configuration', () => {
  const { config, warnings } = loadValid({ env: accountEnv });
  expect(warnings).toEqual([]);
  expect(config).toMatchObject({
    accounts: [{ name: 'main', requestsPerMinute: 300 }],
    collect: { schedule: '*/10 * * * * *', idleRefreshMs: 900_000, dropAfterMs: 600_000 },
    history: { file: 'data/dbpm.sqlite' },
    keys: { staleAfterMs: 3_888_000_000 },
    web: {
      listenAddress: [{ host: undefined, port: 10_062 }],
      telemetryPath: '/metrics',
      systemdSocket: false,
      enableLifecycle: false,
      healthWithoutLogin: false,
    },
    log: { level: 'info', format: 'logfmt' },
  });
  expect(config.accounts[0]?.base_url.href).toBe('https://api.example.com/api/v2/');
  expect(config.accounts[0]?.readApiKey()).toBe('canary-key');
});

test('problems of flags, environment and file come all at once, in the order to mend them', () => {
  const problems = loadInvalid({
    flags: { 'config.file': 'dbpm.yaml', 'web.listen_address': 'nowhere', 'log.level': 'loud' },
    env: { DBPM_KEYS_STALE_AFTER: 'a while', DBPM_BASE_URL: 'http://x', DBPM_REQUESTS_PER_MINUTE: 'many' },
    files: { 'dbpm.yaml': 'log:\n  format: xml\ncollect:\n  idle_refresh: 15 minutes\n  idle: 1\n' },
  });
  expect(problems).toEqual([
    'flag: --web.listen-address: found "nowhere", write :PORT, HOST:PORT or [::1]:PORT with a port from 0 to 65535',
    'flag: --log.level: found "loud", write debug, info, warn or error',
    'environment: DBPM_KEYS_STALE_AFTER: found "a while", write a duration such as 30s, 15m or 45d',
    'environment: DBPM_BASE_URL: found "http://x", which must start with https://',
    'environment: DBPM_REQUESTS_PER_MINUTE: found "many", write a whole number of at least 1, such as 300',
    'environment: DBPM_API_KEY: found nothing, set it, or DBPM_API_KEY_FILE',
    'dbpm.yaml:2: log.format: found "xml", write logfmt or json',
    'dbpm.yaml:4: collect.idle_refresh: found "15 minutes", write a duration such as 30s, 15m or 45d',
    'dbpm.yaml:5: collect.idle: found an unknown setting, write collect.idle_refresh',
  ]);
});

test('no account at all is a problem that tells both ways to give one', () => {
  expect(loadInvalid({})).toEqual([
    'configuration: accounts: found nothing, set DBPM_BASE_URL and DBPM_API_KEY (or DBPM_API_KEY_FILE), or list the accounts in a file given with --config.file',
  ]);
});

test('a configuration file that does not exist is one problem, not also a missing account', () => {
  expect(loadInvalid({ env: { DBPM_CONFIG_FILE: 'gone.yaml' } })).toEqual([
    'environment: DBPM_CONFIG_FILE: found "gone.yaml", which does not exist, write the path of a readable YAML file',
  ]);
});

test('a file this user may not read says so', () => {
  const denied = Object.assign(new Error('denied'), { code: 'EACCES' });
  const files = { '/etc/dbpm.yaml': denied };
  expect(loadInvalid({ flags: { 'config.file': '/etc/dbpm.yaml' }, files })).toEqual([
    'flag: --config.file: found "/etc/dbpm.yaml", which this user may not read, write the path of a readable YAML file',
  ]);
});

test('the environment adds its account to those of the file', () => {
  const { config } = loadValid({
    flags: { 'config.file': 'dbpm.yaml' },
    env: { ...accountEnv, DBPM_ACCOUNT_NAME: 'third', KEY_OF_ONE: 'a', KEY_OF_TWO: 'b' },
    files: { 'dbpm.yaml': `accounts:\n${yamlAccount('one')}${yamlAccount('two')}` },
  });
  expect(config.accounts.map(account => [account.name, account.readApiKey()])).toEqual([
    ['one', 'a'],
    ['two', 'b'],
    ['third', 'canary-key'],
  ]);
});

test('the environment overrides the account of its name in the file, field by field', () => {
  const { config } = loadValid({
    flags: { 'config.file': 'dbpm.yaml' },
    env: { DBPM_API_KEY: 'from-environment', DBPM_ACCOUNT_NAME: 'two', KEY_OF_ONE: 'a' },
    files: { 'dbpm.yaml': `accounts:\n${yamlAccount('one')}${yamlAccount('two')}` },
  });
  expect(config.accounts.map(account => [account.base_url.host, account.readApiKey()])).toEqual([
    ['one.example.com', 'a'],
    ['two.example.com', 'from-environment'],
  ]);
});

test('several organisations are several accounts with one key, and the environment may name one of them', () => {
  const organisation = (name: string, org_id: string) =>
    `  - {name: ${name}, base_url: "https://x/api/v2/", api_key_env: KEY, org_id: ${org_id}}\n`;
  const { config, effective } = loadValid({
    flags: { 'config.file': 'dbpm.yaml' },
    env: { KEY: 'shared', DBPM_ACCOUNT_NAME: 'two', DBPM_ORG_ID: 'org-c' },
    files: { 'dbpm.yaml': `accounts:\n${organisation('one', 'org-a')}${organisation('two', 'org-b')}` },
  });
  expect(config.accounts.map(({ name, org_id }) => [name, org_id])).toEqual([
    ['one', 'org-a'],
    ['two', 'org-c'],
  ]);
  expect(effective.filter(({ key }) => key.endsWith('.org_id'))).toEqual([
    { key: 'accounts[0].org_id', text: 'org-a', from: 'dbpm.yaml:2' },
    { key: 'accounts[1].org_id', text: 'org-c', from: 'environment DBPM_ORG_ID' },
  ]);
  expect(loadValid({ env: accountEnv }).config.accounts[0]).not.toHaveProperty('org_id');
});

test('where compute is counted from is found out unless it is said', () => {
  expect(loadValid({ env: accountEnv }).config.accounts[0]?.cpuSource).toBe('auto');
  const env = { ...accountEnv, DBPM_CPU_SOURCE: 'project' };
  expect(loadValid({ env }).config.accounts[0]?.cpuSource).toBe('project');
  expect(loadInvalid({ env: { ...env, DBPM_CPU_SOURCE: 'both' } })).toEqual([
    'environment: DBPM_CPU_SOURCE: found "both", write auto, list or project',
  ]);
});

test('DBPM_API_KEY may be the variable an account of the file names', () => {
  const { config, warnings } = loadValid({
    flags: { 'config.file': 'dbpm.yaml' },
    env: { DBPM_API_KEY: 'shared' },
    files: { 'dbpm.yaml': 'accounts:\n  - {name: prod, base_url: "https://x/", api_key_env: DBPM_API_KEY}' },
  });
  expect(config.accounts.map(account => [account.name, account.readApiKey()])).toEqual([['prod', 'shared']]);
  expect(warnings).toEqual([]);
});

test('a variable that no account uses and one that is mistyped are warnings, those of Kubernetes are not', () => {
  const { warnings } = loadValid({
    flags: { 'config.file': 'dbpm.yaml' },
    env: { KEY_OF_ONE: 'a', DBPM_API_KEY: 'idle', DBPM_COLECT_SCHEDULE: 'x', DBPM_EXPORTER_PORT: 'tcp://1' },
    files: { 'dbpm.yaml': `accounts:\n${yamlAccount('one')}` },
  });
  expect(warnings.map(renderProblem)).toEqual([
    'environment: DBPM_API_KEY: found a value that no account uses, set DBPM_BASE_URL too, or DBPM_ACCOUNT_NAME to the account of the file that it is for',
    'environment: DBPM_COLECT_SCHEDULE: found a variable that is not read, write DBPM_COLLECT_SCHEDULE if that is what you mean',
  ]);
});

test('a key file in YAML is relative to that file, one in the environment to the working directory', () => {
  const yaml = 'accounts:\n  - {name: one, base_url: "https://x/", api_key_file: secret/key}';
  const files = { '/etc/dbpm/dbpm.yaml': yaml, '/etc/dbpm/secret/key': 'beside\n', 'secret/key': 'here\r\n' };
  const { config } = loadValid({
    flags: { 'config.file': '/etc/dbpm/dbpm.yaml' },
    env: { DBPM_BASE_URL: 'https://y/', DBPM_API_KEY_FILE: 'secret/key' },
    files,
  });
  expect(config.accounts.map(account => account.readApiKey())).toEqual(['beside', 'here']);
});

test('a key file every user may read is a warning', () => {
  const { warnings } = loadValid({
    env: { DBPM_BASE_URL: 'https://y/', DBPM_API_KEY_FILE: '/run/key' },
    files: { '/run/key': 'k' },
    readableByAll: true,
  });
  expect(warnings.map(renderProblem)).toEqual([
    'environment: DBPM_API_KEY_FILE: found "/run/key", which every user may read, take that right away (chmod 600)',
  ]);
});

test('an unusable key in the environment is refused without being shown', () => {
  expect(loadInvalid({ env: { ...accountEnv, DBPM_API_KEY: 'canary key\nsecond' } })).toEqual([
    'environment: DBPM_API_KEY: found something that cannot be a key (not shown), write the key alone: visible ASCII characters without spaces or line breaks',
  ]);
  expect(loadInvalid({ env: { ...accountEnv, DBPM_API_KEY_FILE: '/run/key' } })).toEqual([
    'environment: DBPM_API_KEY_FILE: found it beside DBPM_API_KEY, keep one of the two',
  ]);
});

test('an empty variable counts as not set', () => {
  const { config } = loadValid({ env: { ...accountEnv, DBPM_LOG_LEVEL: '', DBPM_API_KEY_FILE: '' } });
  expect(config.log.level).toBe('info');
});

test('no way of printing a configuration shows the key', () => {
  const loaded = loadValid({ env: accountEnv });
  const printed = [
    inspect(loaded, { depth: null, showHidden: true }),
    JSON.stringify(loaded),
    String(loaded.config),
  ];
  expect(printed.join('\n')).not.toContain('canary-key');
});

test('a configuration cannot be changed', () => {
  const { config } = loadValid({ env: accountEnv });
  const parts = [
    config,
    config.accounts,
    config.accounts[0],
    config.collect,
    config.web,
    config.web.listenAddress,
  ];
  expect(parts.map(part => Object.isFrozen(part))).toEqual(parts.map(() => true));
});

test('what is in effect names the place of each value and never a key', () => {
  const { effective } = loadValid({
    flags: { 'config.file': 'dbpm.yaml', 'log.level': 'debug' },
    env: { ...accountEnv, DBPM_HISTORY_FILE: 'h.sqlite' },
    files: { 'dbpm.yaml': 'log:\n  level: warn\nkeys:\n  stale_after: 30d\n' },
  });
  expect(effective.map(({ key, text, from }) => `${key}=${text} (${from})`)).toEqual([
    'config.file=dbpm.yaml (flag --config.file)',
    'accounts[0].name=main (default)',
    'accounts[0].base_url=https://api.example.com/api/v2/ (environment DBPM_BASE_URL)',
    'accounts[0].api_key=given (environment DBPM_API_KEY)',
    'accounts[0].cpu_source=auto (default)',
    'accounts[0].requests_per_minute=300 (default)',
    'accounts[0].projects.include=* (default)',
    'collect.collectors=projects, endpoints, operations, api_keys (default)',
    'collect.schedule=*/10 * * * * * (default)',
    'collect.idle_refresh=15m (default)',
    'collect.api_keys_refresh=5m (default)',
    'collect.consumption=auto (default)',
    'collect.branches=off (default)',
    'collect.longest_pause=1h (default)',
    'collect.drop_after=10m (default)',
    'history.file=h.sqlite (environment DBPM_HISTORY_FILE)',
    'history.backup.every=24h (default)',
    'history.backup.keep=3 (default)',
    'history.standby=false (default)',
    'history.keep_samples=90d (default)',
    'history.keep_hours=400d (default)',
    'history.keep_days=1830d (default)',
    'history.keep_operations=400d (default)',
    'usage.timezone=UTC (default)',
    'usage.refresh=1m (default)',
    'usage.anomaly_compute_hours=1 (default)',
    'usage.anomaly_gigabytes=10 (default)',
    'usage.anomaly_branches=10 (default)',
    'findings.smallest_suspend_delay=5m (default)',
    'findings.least_compute_hours=1 (default)',
    'findings.least_amount=0 (default)',
    'findings.unused_branch_after=14d (default)',
    'findings.least_unused_branches=3 (default)',
    'keys.stale_after=30d (dbpm.yaml:4)',
    'keys.source_addresses=plain (default)',
    'keys.people=plain (default)',
    'series.mode=full (default)',
    'series.limit_per_family=0 (default)',
    'rules.job=dbpm (default)',
    'rules.dashboard_url=http://localhost:3000 (default)',
    'web.listen_address=:10062 (default)',
    'web.systemd_socket=false (default)',
    'web.enable_lifecycle=false (default)',
    'web.health_without_login=false (default)',
    'web.personal_data_without_login=false (default)',
    'web.telemetry_path=/metrics (default)',
    'web.console=true (default)',
    'log.level=debug (flag --log.level)',
    'log.format=logfmt (default)',
    'log.heartbeat=1h (default)',
  ]);
});

test('a value the environment overrides must still be right', () => {
  const problems = loadInvalid({
    flags: { 'config.file': 'dbpm.yaml' },
    env: { ...accountEnv, DBPM_LOG_LEVEL: 'info' },
    files: { 'dbpm.yaml': 'log:\n  level: loud\n' },
  });
  expect(problems).toEqual(['dbpm.yaml:2: log.level: found "loud", write debug, info, warn or error']);
});

test('a default that another value takes the place of is not checked', () => {
  const historyFile = (path: string) => (path === 'data/dbpm.sqlite' ? 'which cannot be created' : undefined);
  expect(loadInvalid({ env: accountEnv, historyFile })).toEqual([
    'default: history.file: found "data/dbpm.sqlite", which cannot be created',
  ]);
  const loaded = loadValid({ env: { ...accountEnv, DBPM_HISTORY_FILE: '/var/h.sqlite' }, historyFile });
  expect(loaded.config.history.file).toBe('/var/h.sqlite');
});

test('an empty section and an empty list of accounts are as if they were not there', () => {
  const loaded = load({
    flags: { 'config.file': 'dbpm.yaml' },
    env: accountEnv,
    files: { 'dbpm.yaml': 'collect:\naccounts:\nlog: {}\n' },
  });
  expect(loaded).toHaveProperty('config.accounts.length', 1);
});
