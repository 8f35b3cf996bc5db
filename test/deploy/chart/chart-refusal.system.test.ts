import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { chartFolder, describeChart } from './chart-renderer.ts';
import { mergeValues, minimalValues } from './chart-value.ts';

/** Values that are refused, and what the message has to name. */
const refused: readonly (readonly [names: string, values: object])[] = [
  ['replicaCount', { replicaCount: 2 }],
  ['shards', { shards: 0 }],
  ['config.shard', { config: { shard: '0/3' } }],
  ['serviceMonitor: Additional property enable ', { serviceMonitor: { enable: true } }],
  ['persistence.size', { persistence: { size: '10 GB' } }],
  ['persistence.accessModes.0', { persistence: { accessModes: ['ReadWriteMany'] } }],
  ['persistence.retentionPolicy.whenDeleted', { persistence: { retentionPolicy: { whenDeleted: 'Keep' } } }],
  ['service.port', { service: { port: 0 } }],
  ['service.port', { service: { port: '10062' } }],
  ['service.type', { service: { type: 'ExternalName' } }],
  ['image.digest', { image: { digest: 'sha256:abc' } }],
  ['image.tag', { image: { tag: 'a tag' } }],
  ['image.pullPolicy', { image: { pullPolicy: 'Sometimes' } }],
  [
    'config.accounts.0: Additional property api_key ',
    { config: { accounts: [{ name: 'main', base_url: 'https://x/', api_key: 'k' }] } },
  ],
  ['config.accounts', { config: { accounts: [] } }],
  ['config.accounts.0: base_url is required', { config: { accounts: [{ name: 'main' }] } }],
  ['config: Additional property colect ', { config: { colect: {} } }],
  ['config.collect: Additional property idle ', { config: { collect: { idle: '1m' } } }],
  ['config.rules: Additional property alert ', { config: { rules: { alert: {} } } }],
  ['config.history.file', { config: { history: { file: '/tmp/x' } } }],
  ['config.web.listen_address', { config: { web: { listen_address: ':80' } } }],
  ['config.web.health_address', { config: { web: { health_address: ':80' } } }],
  ['config.web.systemd_socket', { config: { web: { systemd_socket: true } } }],
  ['apiKeys.values.main', { apiKeys: { values: { main: '' } } }],
  [
    'webConfig.content.basic_auth_users.prometheus',
    { webConfig: { content: { basic_auth_users: { prometheus: 'plain' } } } },
  ],
  ['webConfig.content: Additional property tls ', { webConfig: { content: { tls: {} } } }],
  ['serviceMonitor.interval', { serviceMonitor: { interval: '30' } }],
  ['serviceMonitor.job', { serviceMonitor: { job: 'a"b' } }],
  ['prometheusRule.dashboardUrl', { prometheusRule: { dashboardUrl: '/d' } }],
  ['networkPolicy.ingress.from', { networkPolicy: { ingress: { from: [] } } }],
  ['networkPolicy.egress.ports.0', { networkPolicy: { egress: { ports: [70_000] } } }],
  ['podDisruptionBudget.maxUnavailable', { podDisruptionBudget: { maxUnavailable: 2 } }],
  ['terminationGracePeriodSeconds', { terminationGracePeriodSeconds: 0 }],
  ['resources: Additional property limit ', { resources: { limit: {} } }],
  ['extraArgs.0', { extraArgs: [1] }],
  ['fullnameOverride', { fullnameOverride: 'Upper' }],
];

/** Values that the schema takes, and that do not go together. */
const contradictory: readonly (readonly [told: string, values: object])[] = [
  ['Nothing to watch: give config.accounts', { apiKeys: { existingSecret: 'dbpm' } }],
  ['config.accounts is missing', { config: { collect: { idle_refresh: '10m' } } }],
  ['Both config and existingConfigMap are given', { ...minimalValues, existingConfigMap: 'mine' }],
  [
    'Both apiKeys.existingSecret and apiKeys.create',
    mergeValues(minimalValues, { apiKeys: { create: true, values: { main: 'k' } } }),
  ],
  [
    'Each of several shards needs a volume of its own',
    { ...minimalValues, shards: 2, persistence: { existingClaim: 'history' } },
  ],
  ['apiKeys.create makes a Secret of apiKeys.values', { ...minimalValues, apiKeys: { create: true } }],
  [
    'Both webConfig.existingSecret and webConfig.content',
    { ...minimalValues, webConfig: { existingSecret: 'a', content: { rate_limit: {} } } },
  ],
  ...[
    { content: { basic_auth_users: { prometheus: '$2b$10$x' } } },
    { existingSecret: 'web', login: true },
    { content: { tls_server_config: { client_auth_type: 'RequireAndVerifyClientCert' } } },
  ].map(
    webConfig =>
      [
        'configReloader has no login and no client certificate',
        { ...minimalValues, configReloader: { enabled: true }, webConfig },
      ] as const,
  ),
];

describeChart('a chart that is told', render => {
  test.each(refused)('wrong values says that it is %s', (names, values) => {
    expect(() => render(mergeValues(minimalValues, values))).toThrow(names);
  });

  test.each(contradictory)('things that do not go together says: %s', (told, values) => {
    expect(() => render(values)).toThrow(told);
  });

  test('null for a default does without it', () => {
    const { manifests } = render(
      { ...minimalValues, startupProbe: null, resources: null },
      { strict: false },
    );
    const { containers } = manifests.find(({ kind }) => kind === 'StatefulSet')?.spec.template.spec ?? {};
    expect(containers[0].startupProbe).toBeUndefined();
    expect(containers[0].resources).toBeUndefined();
  });

  test('its own defaults is content with them, but for what to watch', () => {
    const defaults = parse(readFileSync(`${chartFolder}values.yaml`, 'utf8'));
    expect(() => render(defaults)).toThrow('Nothing to watch');
    expect(render(mergeValues(defaults, minimalValues)).manifests).toEqual(render(minimalValues).manifests);
  });
});
