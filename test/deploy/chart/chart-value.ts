/** All that the chart needs to be told. */
export const minimalValues = {
  config: {
    accounts: [
      {
        name: 'main',
        base_url: 'https://api.example.com/api/v2/',
        api_key_file: '/etc/dbpm-exporter/keys/main',
      },
    ],
  },
  apiKeys: { existingSecret: 'dbpm-keys' },
};

/** Hash of the password "open". */
const hash = '$2b$04$5CFiNTTxBIMGzVd5ltBmZeZ7nP3fcWcsOi.5pnn8qfdZvD2tQPKO6';
const expression = { key: 'a', operator: 'Exists' };

/** Each feature alone, as a user would write it. */
export const features: Readonly<Record<string, object>> = {
  'names and labels': {
    fullnameOverride: 'watcher',
    commonLabels: { team: 'data' },
    podLabels: { tier: 'back' },
  },
  'another name of the chart': { nameOverride: 'fleet' },
  'image by digest': {
    image: {
      registry: 'registry.example.com',
      repository: 'team/dbpm-exporter',
      digest: `sha256:${'0'.repeat(64)}`,
    },
    imagePullSecrets: [{ name: 'registry' }],
  },
  'keys of the release': { apiKeys: { existingSecret: '', create: true, values: { main: 'a-key' } } },
  'TLS and logins': {
    webConfig: {
      content: {
        tls_server_config: {
          cert_file: '/etc/dbpm-exporter/tls/tls.crt',
          key_file: '/etc/dbpm-exporter/tls/tls.key',
        },
        basic_auth_users: { prometheus: hash },
      },
      tlsSecret: 'dbpm-tls',
    },
    serviceMonitor: {
      enabled: true,
      tlsConfig: { ca: { secret: { name: 'dbpm-tls', key: 'ca.crt' } }, serverName: 'dbpm.example.com' },
      basicAuth: { username: { name: 'scrape', key: 'user' }, password: { name: 'scrape', key: 'password' } },
    },
  },
  'a web configuration of yours': { webConfig: { existingSecret: 'web', tls: true, login: true } },
  reloader: { configReloader: { enabled: true } },
  'reloader with TLS': {
    configReloader: { enabled: true },
    webConfig: { content: { tls_server_config: { cert_file: 'a', key_file: 'b' } } },
  },
  'three shards': { shards: 3 },
  'no persistence': { persistence: { enabled: false } },
  'a claim of yours': { persistence: { existingClaim: 'history' } },
  'a volume of its own kind': {
    persistence: {
      size: '1.5Ti',
      storageClass: 'fast',
      accessModes: ['ReadWriteOncePod'],
      labels: { backup: 'daily' },
      annotations: { 'example.com/tier': 'gold' },
      retentionPolicy: { whenDeleted: 'Delete' },
    },
  },
  service: {
    service: {
      type: 'LoadBalancer',
      port: 80,
      labels: { a: 'b' },
      annotations: { c: 'd' },
      ipFamilyPolicy: 'PreferDualStack',
      ipFamilies: ['IPv4', 'IPv6'],
    },
  },
  'no service account': { serviceAccount: { create: false } },
  'a service account by name': { serviceAccount: { name: 'watcher', annotations: { a: 'b' } } },
  'service monitor': {
    serviceMonitor: {
      enabled: true,
      namespace: 'monitoring',
      labels: { release: 'prometheus' },
      annotations: { a: 'b' },
      interval: '1m',
      relabelings: [{ targetLabel: 'cluster', replacement: 'one' }],
      metricRelabelings: [{ sourceLabels: ['__name__'], regex: 'nodejs_.*', action: 'drop' }],
    },
  },
  rules: {
    prometheusRule: {
      enabled: true,
      namespace: 'monitoring',
      labels: { role: 'alert' },
      annotations: { a: 'b' },
    },
  },
  'rules of yours': {
    prometheusRule: {
      enabled: true,
      groups: [{ name: 'own', rules: [{ alert: 'DbpmOwn', expr: 'up == 0' }] }],
    },
  },
  boards: {
    dashboards: {
      enabled: true,
      namespace: 'grafana',
      labels: { a: 'b' },
      annotations: { grafana_folder: 'Databases' },
    },
  },
  'network policy': {
    networkPolicy: {
      enabled: true,
      ingress: { from: [{ podSelector: {} }] },
      egress: {
        ports: [443, 8443],
        to: [{ ipBlock: { cidr: '203.0.113.0/24' } }],
        extra: [{ ports: [{ port: 3128 }] }],
      },
    },
  },
  'disruption budget': { podDisruptionBudget: { enabled: true, maxUnavailable: 0 } },
  placement: {
    priorityClassName: 'high',
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'monitoring', effect: 'NoSchedule' }],
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [expression] }],
        },
      },
    },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'zone',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { a: 'b' } },
      },
    ],
    hostAliases: [{ ip: '203.0.113.7', hostnames: ['api.example.com'] }],
    dnsPolicy: 'None',
    dnsConfig: { nameservers: ['203.0.113.53'] },
    updateStrategy: { type: 'OnDelete' },
    terminationGracePeriodSeconds: 30,
    podAnnotations: { a: 'b' },
  },
  extras: {
    extraArgs: ['--log.format=json'],
    extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/ca/ca.crt' }],
    extraEnvFrom: [{ secretRef: { name: 'more' } }],
    extraVolumes: [{ name: 'ca', configMap: { name: 'ca' } }],
    extraVolumeMounts: [{ name: 'ca', mountPath: '/etc/ca' }],
    initContainers: [
      { name: 'before', image: 'example.com/before:1', securityContext: { runAsNonRoot: true } },
    ],
    extraContainers: [{ name: 'beside', image: 'example.com/beside:1' }],
    extraManifests: [
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: '{{ include "dbpm-exporter.fullname" . }}-more' },
        data: { a: 'b' },
      },
    ],
  },
};

/** Values of all features together, without features that exclude each other. */
export const allValues: object = [
  'TLS and logins',
  'a volume of its own kind',
  'service',
  'service monitor',
  'rules',
  'boards',
  'network policy',
  'disruption budget',
  'placement',
  'extras',
  'names and labels',
  'image by digest',
]
  .map(name => features[name] ?? {})
  .reduce(mergeValues, minimalValues);

function isTable(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Values over others, as Helm takes one file after another. */
export function mergeValues(under: object, over: object): object {
  const merged: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key];
    merged[key] = isTable(before) && isTable(value) ? mergeValues(before, value) : value;
  }
  return merged;
}
