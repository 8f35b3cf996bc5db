import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sample } from './exposition-reader.ts';
import { findFreePort } from './free-port.ts';
import { startPeerProcess } from './peer-process.ts';

export interface ScrapedTarget {
  readonly labels: Readonly<Record<string, string>>;
  readonly health: string;
  readonly lastError: string;
}

/** A real Prometheus. */
export interface Prometheus {
  /** Runs an instant query; the samples come without their `job` and `instance`. */
  query(expression: string): Promise<readonly Sample[]>;
  targets(): Promise<readonly ScrapedTarget[]>;
  /** Points a job at another address, or at none: within some seconds, as Prometheus looks for changes every five. */
  retarget(job: string, url: string | undefined): void;
  /** Types by metric family of one job, as its exposition declares them. */
  types(job: string): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}

export interface Past {
  /** Path of the program that writes it into the storage. */
  readonly promtool: string;
  /** Samples with their times, in OpenMetrics. */
  readonly openMetrics: string;
}

export interface PrometheusOptions {
  /** How often it scrapes, and how long a scrape may take; a second unless told. */
  readonly scrapeSeconds?: number;
  /** A rule file that is evaluated every second. */
  readonly ruleFile?: string;
  /** Root of the Alertmanager that is told what fires. */
  readonly alertmanager?: string;
  /** What it remembers of a time before it was started. */
  readonly past?: Past;
}

/**
 * Starts a Prometheus on a free loopback port, with its data in a temporary folder.
 *
 * @param binary path of the program.
 * @param jobs the URL each job scrapes.
 */
export async function startPrometheus(
  binary: string,
  jobs: Readonly<Record<string, string>>,
  options: PrometheusOptions = {},
): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-prometheus-'));
  const configFile = join(folder, 'prometheus.yml');
  const retarget = (job: string, url: string | undefined) =>
    writeFileSync(targetFile(folder, job), renderTargets(url));
  for (const [job, url] of Object.entries(jobs)) retarget(job, url);
  writeFileSync(configFile, renderConfig(folder, jobs, options));
  const dataFolder = join(folder, 'data');
  if (options.past !== undefined) await remember(options.past, folder, dataFolder);
  const address = `127.0.0.1:${await findFreePort()}`;
  const args = [
    `--config.file=${configFile}`,
    `--storage.tsdb.path=${dataFolder}`,
    `--web.listen-address=${address}`,
    '--log.level=warn',
  ];
  const { url, stop } = await startPeerProcess('Prometheus', binary, args, address);
  return {
    ...queries(url),
    retarget,
    async close() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function remember({ promtool, openMetrics }: Past, folder: string, dataFolder: string): Promise<void> {
  const file = join(folder, 'past.om');
  writeFileSync(file, openMetrics);
  await promisify(execFile)(promtool, ['tsdb', 'create-blocks-from', 'openmetrics', file, dataFolder]);
}

function queries(root: string): Omit<Prometheus, 'close' | 'retarget'> {
  const ask = async (path: string, params: Record<string, string> = {}) => {
    const response = await fetch(`${root}/api/v1/${path}`, {
      method: path === 'query' ? 'POST' : 'GET',
      ...(path === 'query' && { body: new URLSearchParams(params) }),
    });
    const answer = (await response.json()) as { status: string; error?: string; data: unknown };
    if (answer.status !== 'success') throw new Error(`${path} ${JSON.stringify(params)}: ${answer.error}`);
    return answer.data;
  };
  return {
    async query(expression) {
      const { result } = (await ask('query', { query: expression })) as { result: readonly VectorItem[] };
      return result.map(toSample);
    },
    async targets() {
      const { activeTargets } = (await ask('targets')) as { activeTargets: readonly ScrapedTarget[] };
      return activeTargets;
    },
    async types(job) {
      const matching = new URLSearchParams({ match_target: `{job="${job}"}` });
      const items = (await ask(`targets/metadata?${matching}`)) as readonly MetadataItem[];
      return new Map(items.map(({ metric, type }) => [metric, type]));
    },
  };
}

interface VectorItem {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

interface MetadataItem {
  readonly metric: string;
  readonly type: string;
}

function toSample({ metric, value: [, value] }: VectorItem): Sample {
  const { __name__: name = '', job: _job, instance: _instance, ...labels } = metric;
  return { name, labels, value: Number(value.replace('Inf', 'Infinity')) };
}

/** JSON is YAML. */
function renderConfig(
  folder: string,
  jobs: Readonly<Record<string, string>>,
  { ruleFile, alertmanager, scrapeSeconds = 1 }: PrometheusOptions,
): string {
  return JSON.stringify({
    global: {
      scrape_interval: `${scrapeSeconds}s`,
      scrape_timeout: `${scrapeSeconds}s`,
      evaluation_interval: '1s',
    },
    ...(ruleFile !== undefined && { rule_files: [ruleFile] }),
    ...(alertmanager !== undefined && {
      alerting: {
        alertmanagers: [{ static_configs: [{ targets: [new URL(alertmanager).host] }] }],
      },
    }),
    scrape_configs: Object.entries(jobs).map(([job_name, url]) => ({
      job_name,
      metrics_path: new URL(url).pathname,
      file_sd_configs: [{ files: [targetFile(folder, job_name)], refresh_interval: '1s' }],
    })),
  });
}

function targetFile(folder: string, job: string): string {
  return join(folder, `target-${job}.json`);
}

function renderTargets(url: string | undefined): string {
  return JSON.stringify(url === undefined ? [] : [{ targets: [new URL(url).host] }]);
}
