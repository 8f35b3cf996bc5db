import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { chartFolder, describeChart, findManifest, type Manifest, type Rendering } from './chart-renderer.ts';
import { allValues, features, mergeValues, minimalValues } from './chart-value.ts';
import { listManifestProblems, listPodProblems } from './manifest-check.ts';

const cases: readonly (readonly [name: string, values: object])[] = [
  ['as little as can be', minimalValues],
  ['all together', allValues],
  ...Object.entries(features).map(([name, values]) => [name, mergeValues(minimalValues, values)] as const),
];

const podOf = (rendering: Rendering) => findManifest(rendering, 'StatefulSet').spec.template;
const daemonOf = (rendering: Rendering) => podOf(rendering).spec.containers[0];
const selects = (selector: Readonly<Record<string, string>>, { labels = {} }: Manifest['metadata']) =>
  Object.entries(selector).every(([key, value]) => labels[key] === value);

describeChart('a rendered chart', render => {
  const withFeature = (name: string) => render(mergeValues(minimalValues, features[name] ?? {}));
  const rawRules = readFileSync(`${chartFolder}rules/dbpm.rules.yml`, 'utf8');

  test.each(cases)('%s: is what an API server takes', (_, values) => {
    const { manifests } = render(values);
    for (const manifest of manifests) expect(listManifestProblems(manifest)).toEqual([]);
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.namespace} ${metadata.name}`);
    expect(names).toEqual([...new Set(names)]);
    for (const { metadata } of manifests) expect(metadata.name.length).toBeLessThanOrEqual(63);
  });

  test.each(cases)('%s: has a pod that fits together', (_, values) => {
    const rendering = render(values);
    expect(listPodProblems(findManifest(rendering, 'StatefulSet'))).toEqual([]);
    const pod = podOf(rendering);
    const own = rendering.manifests.filter(({ metadata }) => metadata.labels?.['helm.sh/chart']);
    for (const { kind, spec } of own) {
      const selector = { Service: spec?.selector, NetworkPolicy: spec?.podSelector?.matchLabels };
      const wanted = selector[kind as keyof typeof selector] ?? spec?.selector?.matchLabels;
      if (kind !== 'ServiceMonitor' && wanted) expect(selects(wanted, pod.metadata), kind).toBe(true);
    }
    const { serviceName } = findManifest(rendering, 'StatefulSet').spec;
    const headless = findManifest(rendering, 'Service', '-headless');
    expect([headless.metadata.name, headless.spec.clusterIP]).toEqual([serviceName, 'None']);
  });

  test('has one replica, whatever is wished, but for shards, each of which has a number and a volume', () => {
    const setOf = (values: object) =>
      findManifest(render({ ...minimalValues, ...values }), 'StatefulSet').spec;
    const argsOf = (values: object) => setOf(values).template.spec.containers[0].args.join(' ');
    expect(setOf({}).replicas).toBe(1);
    expect(argsOf({})).not.toContain('--shard');
    expect(setOf({ shards: 3 }).replicas).toBe(3);
    expect(argsOf({ shards: 3 })).toContain('--shard=auto/3');
    expect(setOf({ shards: 3 }).volumeClaimTemplates).toHaveLength(1);
    expect(() => render({ ...minimalValues, replicas: 2 })).toThrow('replicas');
  });

  test('is the same each time, so that nothing is rolled out anew', () => {
    expect(render(allValues)).toEqual(render(allValues));
  });

  test.each([
    ['reloader', false],
    ['as little as can be', true],
  ] as const)('with %s is restarted for another price: %s', (name, restarted) => {
    const values = mergeValues(minimalValues, features[name] ?? {});
    const checksum = (config: object) =>
      podOf(render(mergeValues(values, { config }))).metadata.annotations['checksum/config'];
    const before = checksum({});
    expect(checksum({ collect: { idle_refresh: '20m' } }) !== before).toBe(restarted);
    expect(checksum({ log: { level: 'debug' } })).not.toBe(before);
  });

  test('is not restarted for keys, users and certificates, which the daemon follows itself', () => {
    const keys = (main: string) =>
      podOf(render({ ...minimalValues, apiKeys: { create: true, values: { main } } }));
    expect(keys('one')).toEqual(keys('two'));
    const users = (prometheus: string) =>
      podOf(render({ ...minimalValues, webConfig: { content: { basic_auth_users: { prometheus } } } }));
    expect(users('$2b$10$one')).toEqual(users('$2b$10$two'));
  });

  test('is restarted where TLS is switched on, or another rule for client certificates is given, as the daemon asks', () => {
    const checksum = (content: object) =>
      podOf(render({ ...minimalValues, webConfig: { content } })).metadata.annotations['checksum/config'];
    const tls = { cert_file: 'a', key_file: 'b' };
    const users = { prometheus: '$2b$10$one' };
    const sums = [
      checksum({ basic_auth_users: users }),
      checksum({ basic_auth_users: users, tls_server_config: tls }),
      checksum({
        basic_auth_users: users,
        tls_server_config: { ...tls, client_auth_type: 'RequestClientCert' },
      }),
    ];
    expect(new Set(sums).size).toBe(3);
    expect(checksum({ tls_server_config: { ...tls, min_version: 'TLS13' } })).toBe(sums[1]);
  });

  test('asks for health where neither TLS nor a login is', () => {
    for (const name of ['TLS and logins', 'a web configuration of yours']) {
      const daemon = daemonOf(withFeature(name));
      expect(daemon.args).toContain('--web.health-address=:10063');
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        expect(daemon[probe].httpGet).toEqual({
          path: expect.stringMatching(/^\/-\/(healthy|ready)$/),
          port: 'health',
        });
      }
    }
  });

  test('lets the first start take half an hour, and later ones fail within a minute', () => {
    const { startupProbe, livenessProbe } = daemonOf(render(minimalValues));
    expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBe(1800);
    expect(livenessProbe.periodSeconds * livenessProbe.failureThreshold).toBe(60);
  });

  test('is scraped once, over the Service with an address, under a job and an instance that last', () => {
    for (const name of ['service monitor', 'TLS and logins']) {
      const rendering = withFeature(name);
      const { selector, endpoints, namespaceSelector } = findManifest(rendering, 'ServiceMonitor').spec;
      const excluded = selector.matchExpressions.map(({ key }: { key: string }) => key);
      const services = rendering.manifests.filter(
        ({ kind, metadata }) =>
          kind === 'Service' &&
          selects(selector.matchLabels, metadata) &&
          !excluded.some((key: string) => metadata.labels?.[key]),
      );
      expect(services.map(({ metadata }) => metadata.name)).toEqual(['r1-dbpm-exporter']);
      expect(services[0]?.spec.ports[0].name).toBe(endpoints[0].port);
      expect(namespaceSelector.matchNames).toEqual(['databases']);
      expect(endpoints[0].scheme).toBe(name === 'service monitor' ? 'http' : 'https');
      expect(endpoints[0].relabelings.slice(0, 2)).toEqual([
        { targetLabel: 'job', replacement: 'dbpm' },
        { sourceLabels: ['__meta_kubernetes_pod_name'], targetLabel: 'instance' },
      ]);
    }
    const values = { config: { web: { telemetry_path: '/probe' } }, serviceMonitor: { enabled: true } };
    expect(
      findManifest(render(mergeValues(minimalValues, values)), 'ServiceMonitor').spec.endpoints[0].path,
    ).toBe('/probe');
  });

  test('has the alerts and recording rules of the rule file', () => {
    expect(findManifest(withFeature('rules'), 'PrometheusRule').spec).toEqual(parse(rawRules));
  });

  test('has rules for the job it is scraped under and links to the Grafana that is named', () => {
    const values = {
      serviceMonitor: { job: 'fleet' },
      prometheusRule: { enabled: true, dashboardUrl: 'https://grafana.example.com/' },
    };
    const { spec } = findManifest(render(mergeValues(minimalValues, values)), 'PrometheusRule');
    const wanted = rawRules
      .replaceAll('job="dbpm"', 'job="fleet"')
      .replaceAll('http://localhost:3000', 'https://grafana.example.com');
    expect(wanted).not.toBe(rawRules);
    expect(spec).toEqual(parse(wanted));
  });

  test('has rules and boards that link to the console that is named', () => {
    const values = {
      config: { web: { external_url: 'https://dbpm.example.com/' } },
      prometheusRule: { enabled: true },
      dashboards: { enabled: true },
    };
    const { manifests } = render(mergeValues(minimalValues, values));
    const text = JSON.stringify(manifests);
    expect(text).toContain('https://dbpm.example.com/help/alerts/DbpmExporterDown');
    expect(text).toContain('https://dbpm.example.com/keys');
    expect(text).not.toContain('http://localhost:10062');
  });

  test('has every board, as Grafana takes it, each in a ConfigMap that its sidecar finds', () => {
    const boards = withFeature('boards').manifests.filter(
      ({ metadata }) => metadata.labels?.grafana_dashboard === '1',
    );
    expect(boards).toHaveLength(7);
    for (const { data, metadata } of boards) {
      const [[file = '', text = ''] = []] = Object.entries<string>(data);
      expect(text).toBe(readFileSync(`${chartFolder}dashboards/${file}`, 'utf8'));
      expect(metadata.namespace).toBe('grafana');
    }
  });

  test('lets in who scrapes and out what asks for names and the service', () => {
    const { spec } = findManifest(
      render(mergeValues(minimalValues, { networkPolicy: { enabled: true } })),
      'NetworkPolicy',
    );
    const monitoring = {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } },
    };
    expect(spec.ingress).toEqual([{ from: [monitoring], ports: [{ port: 'http', protocol: 'TCP' }] }]);
    expect(spec.egress).toEqual([
      {
        ports: [
          { port: 53, protocol: 'UDP' },
          { port: 53, protocol: 'TCP' },
        ],
      },
      { ports: [{ port: 443, protocol: 'TCP' }] },
    ]);
  });

  test('keeps keys out of everything but the Secret that was asked for', () => {
    const rendering = withFeature('keys of the release');
    const secret = findManifest(rendering, 'Secret');
    expect(Buffer.from(secret.data.main, 'base64').toString()).toBe('a-key');
    const rest = rendering.manifests.filter(each => each !== secret);
    expect(JSON.stringify(rest)).not.toContain('a-key');
    expect(rendering.notes).not.toContain('a-key');
    expect(render(minimalValues).manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
  });

  test('reloads over loopback, by TLS where that is on', () => {
    const argsOf = (name: string) => podOf(withFeature(name)).spec.containers[1].args;
    expect(argsOf('reloader')).toContain('--reload-url=http://127.0.0.1:10062/-/reload');
    expect(argsOf('reloader with TLS')).toContain('--reload-url=https://127.0.0.1:10062/-/reload');
    expect(daemonOf(withFeature('reloader')).args).toContain('--web.enable-lifecycle');
    expect(daemonOf(render(minimalValues)).args).not.toContain('--web.enable-lifecycle');
  });

  test('says what to do next, and what is still open', () => {
    const plain = render(minimalValues).notes;
    expect(plain).toContain('rollout status statefulset/r1-dbpm-exporter');
    expect(plain).toContain('Everybody who reaches r1-dbpm-exporter.databases can read its metrics');
    expect(plain).toContain('scrape http://r1-dbpm-exporter.databases:10062/metrics under the job dbpm');
    const guarded = withFeature('TLS and logins').notes;
    expect(guarded).toContain('https://localhost:10062/');
    expect(guarded).not.toContain('Everybody');
    expect(withFeature('no persistence').notes).toContain('forgotten with its pod');
  });

  test('hands on numbers as they are written', () => {
    const values = { config: { series: { limit_per_family: 12_345_678 }, findings: { least_amount: 0.5 } } };
    const { data } = findManifest(render(mergeValues(minimalValues, values)), 'ConfigMap');
    expect(data['dbpm.yaml']).toContain('limit_per_family: 12345678\n');
    expect(data['dbpm.yaml']).toContain('least_amount: 0.5\n');
  });

  test('stays within the length of names, however long the release is called', () => {
    const { manifests } = render(mergeValues(minimalValues, features.boards ?? {}), {
      release: 'a'.repeat(53),
    });
    for (const manifest of manifests) {
      expect(manifest.metadata.name.length).toBeLessThanOrEqual(63);
      expect(listManifestProblems(manifest)).toEqual([]);
    }
  });

  test('needs a Kubernetes that keeps claims', () => {
    expect(() => render(minimalValues, { kubeVersion: '1.26.3' })).toThrow(
      'chart requires kubeVersion: >=1.27.0-0',
    );
  });
});
