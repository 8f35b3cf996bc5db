import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { globalSettings } from '../../src/config/setting.ts';

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string };
  readonly profiles?: readonly string[];
  readonly command?: readonly string[];
  readonly container_name?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports: readonly string[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly networks?: { readonly default: { readonly aliases: readonly string[] } };
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

const run = promisify(execFile);
const folder = new URL('../../deploy/compose/', import.meta.url).pathname;
const read = (file: string) => parse(readFileSync(folder + file, 'utf8'), { merge: true });
const compose: ComposeFile = read('compose.yaml');
const services = Object.entries(compose.services);

describe('the compose file', () => {
  test('calls the container of an account as the runbook does', () => {
    const runbook = readFileSync(resolve(folder, '../../docs/alerts.md'), 'utf8');
    const names = [...runbook.matchAll(/docker (?:logs(?: --tail \d+)?|exec) ([\w-]+)/g)];
    expect(new Set(names.map(([, name]) => name))).toEqual(
      new Set([compose.services.exporter?.container_name]),
    );
  });

  test('starts the demo, a real account or shards of one, never two of them, and all else with either', () => {
    const profiles = services.map(([name, { profiles }]) => [name, profiles ?? 'always']);
    expect(Object.fromEntries(profiles)).toEqual({
      exporter: ['account'],
      'shard-0': ['sharded'],
      'shard-1': ['sharded'],
      'shard-2': ['sharded'],
      demo: ['demo'],
      prometheus: ['demo', 'account'],
      'prometheus-sharded': ['sharded'],
      alertmanager: 'always',
      grafana: 'always',
    });
  });

  test.each(services)('%s is pinned or built here, and reachable from this machine only', (_, service) => {
    if (service.build === undefined) expect(service.image).toMatch(/:v?\d+\.\d+\.\d+$/);
    else expect(existsSync(resolve(folder, service.build.context, 'Dockerfile'))).toBe(true);
    for (const port of service.ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
  });

  test.each(services)(
    '%s mounts only files that exist, read-only, and volumes that are declared',
    (_, service) => {
      for (const volume of service.volumes ?? []) {
        const [source = '', , mode] = volume.split(':');
        if (source.startsWith('.')) expect([existsSync(resolve(folder, source)), mode]).toEqual([true, 'ro']);
        else expect(Object.keys(compose.volumes)).toContain(source);
      }
      for (const secret of service.secrets ?? []) expect(Object.keys(compose.secrets)).toContain(secret);
    },
  );

  test('gives the daemon only environment variables that are settings', () => {
    const known = ['DBPM_BASE_URL', 'DBPM_API_KEY_FILE', ...globalSettings.map(({ env }) => env)];
    for (const [, { environment = {} }] of services.filter(([, { build }]) => build !== undefined))
      for (const name of Object.keys(environment)) expect(known).toContain(name);
  });

  test('Prometheus scrapes the name both daemons answer to, and mounts every rule file it reads', () => {
    const { scrape_configs, rule_files, alerting } = read('prometheus.yml');
    const [{ job_name, static_configs }] = scrape_configs;
    expect([job_name, static_configs]).toEqual(['dbpm', [{ targets: ['dbpm-exporter:10062'] }]]);
    for (const name of ['exporter', 'demo']) {
      expect(compose.services[name]?.networks?.default.aliases).toEqual(['dbpm-exporter']);
    }
    expect(rule_files).toEqual(['rules/*.yml']);
    expect(compose.services.prometheus?.volumes).toContain('../../dashboards/rules:/etc/prometheus/rules:ro');
    expect(alerting.alertmanagers[0].static_configs[0].targets).toEqual(['alertmanager:9093']);
  });
});

describe('the shards of the compose file', () => {
  const shards = services.filter(([name]) => name.startsWith('shard-')).map(([, service]) => service);

  test('are all there is of the account, each with a history and a port of its own', () => {
    expect(shards.map(({ environment }) => environment?.DBPM_SHARD)).toEqual(['0/3', '1/3', '2/3']);
    for (const of of [({ volumes }: Service) => volumes, ({ ports }: Service) => ports]) {
      expect(new Set(shards.map(shard => String(of(shard)))).size).toBe(3);
    }
    const { DBPM_SHARD: _, ...environment } = shards[1]?.environment ?? {};
    expect(environment).toEqual(compose.services.exporter?.environment);
  });

  test('are scraped as the one exporter is, by a Prometheus of the same name', () => {
    const [{ static_configs, ...job }] = read('prometheus-sharded.yml').scrape_configs;
    const [{ static_configs: _, ...usual }] = read('prometheus.yml').scrape_configs;
    expect(job).toEqual(usual);
    const targets = shards.map(({ networks }) => `${networks?.default.aliases[0]}:10062`);
    expect(static_configs).toEqual([{ targets }]);
    const { volumes = [], ...prometheus } = compose.services['prometheus-sharded'] ?? {};
    const usualPrometheus = compose.services.prometheus;
    expect({ ...prometheus, profiles: 0, volumes: 0 }).toEqual({
      ...usualPrometheus,
      profiles: 0,
      volumes: 0,
    });
    expect(volumes).toEqual(
      usualPrometheus?.volumes?.map(volume => volume.replace('./prometheus.yml', './prometheus-sharded.yml')),
    );
  });
});

describe('what Grafana is provisioned with', () => {
  test('is a data source that asks at the interval Prometheus scrapes at', () => {
    const { datasources } = read('grafana/provisioning/datasources/prometheus.yaml');
    expect(datasources[0]).toMatchObject({
      uid: 'prometheus',
      url: 'http://prometheus:9090',
      isDefault: true,
    });
    expect(datasources[0].jsonData.timeInterval).toBe(read('prometheus.yml').global.scrape_interval);
    expect(datasources[1]).toMatchObject({ type: 'alertmanager', url: 'http://alertmanager:9093' });
  });

  test('is the folder of generated boards, one of which is the home page', () => {
    const { apiVersion, providers } = read('grafana/provisioning/dashboards/boards.yaml');
    const [source = '', mounted] = (compose.services.grafana?.volumes ?? [])
      .map(volume => volume.split(':'))
      .find(([from = '']) => from.endsWith('boards')) ?? [''];
    expect([apiVersion, providers[0].type, providers[0].options.path]).toEqual([1, 'file', mounted]);
    const home = compose.services.grafana?.environment?.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH ?? '';
    const board = home.replace(mounted ?? '', resolve(folder, source));
    expect(statSync(board).isFile()).toBe(true);
  });
});

describe('docker compose', () => {
  test.for([
    ['demo', 'alertmanager demo grafana prometheus'],
    ['account', 'alertmanager exporter grafana prometheus'],
    ['sharded', 'alertmanager grafana prometheus-sharded shard-0 shard-1 shard-2'],
  ])('starts for the profile %s: %s', async ([profile = '', wanted], { skip }) => {
    if (!(await hasCompose())) skip('docker compose not found: its file was checked by structure alone');
    const args = ['compose', '-f', `${folder}compose.yaml`, '--profile', profile, 'config', '--services'];
    const { stdout } = await run('docker', args);
    expect(stdout.trim().split('\n').toSorted().join(' ')).toBe(wanted);
  });
});

function hasCompose(): Promise<boolean> {
  return run('docker', ['compose', 'version']).then(
    () => true,
    () => false,
  );
}
