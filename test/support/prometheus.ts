import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sample } from './exposition-reader.ts';
import { findFreePort } from './free-port.ts';
import { type PeerProcess, startPeerProcess } from './peer-process.ts';

interface ScrapedTarget {
  readonly labels: Readonly<Record<string, string>>;
  readonly health: string;
  readonly lastError: string;
}

type Peer = Omit<PeerProcess, 'stop'>;

/** A real Prometheus. */
export interface Prometheus extends Peer {
  /** The samples of the series that a range selector names, as they were taken, by their instants in epoch milliseconds. */
  queryRaw(selector: string, at: number): Promise<readonly ValueSeries[]>;
  /** Runs an instant query, at an instant in epoch milliseconds or now; the samples come without their `job` and `instance`. */
  query(expression: string, at?: number): Promise<readonly Sample[]>;
  /** Runs a range query; the series come with the number of their points. */
  queryRange(expression: string, range: QueriedRange): Promise<readonly Sample[]>;
  /** Runs a range query and gives the values of each series by their instants in epoch milliseconds. */
  queryValues(expression: string, range: QueriedRange): Promise<readonly ValueSeries[]>;
  targets(): Promise<readonly ScrapedTarget[]>;
  /** Points a job at another address, or at none: within some seconds, as Prometheus looks for changes every five. */
  retarget(job: string, url: string | undefined): void;
  /** Types by metric family of one job, as its exposition declares them. */
  types(job: string): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}

interface ValueSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly values: ReadonlyMap<number, number>;
}

/** From one instant to another, in epoch milliseconds. */
interface QueriedRange {
  readonly fromAt: number;
  readonly untilAt: number;
  readonly stepSeconds: number;
}

interface Past {
  /** Path of the program that writes it into the storage. */
  readonly promtool: string;
  /** Samples with their times, in OpenMetrics. */
  readonly openMetrics: string;
  /** Flags of promtool that stand before the format. */
  readonly flags?: readonly string[];
}

interface PrometheusOptions {
  /** How often it scrapes, and how long a scrape may take; a second unless told. */
  readonly scrapeSeconds?: number;
  /** A rule file that is evaluated every second. */
  readonly ruleFile?: string;
  /** Root of the Alertmanager that is told what fires. */
  readonly alertmanager?: string;
  /** What it remembers of a time before it was started. */
  readonly past?: Past;
  /** More of the configuration of each job, such as how it logs in. */
  readonly jobOptions?: Readonly<Record<string, unknown>>;
  /** The folder its data are in; a temporary one of its own unless told. */
  readonly dataFolder?: string;
  /** More of its configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** More of its flags. */
  readonly flags?: readonly string[];
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
  const { dataFolder = join(folder, 'data') } = options;
  if (options.past !== undefined) await remember(options.past, folder, dataFolder);
  const address = `127.0.0.1:${await findFreePort()}`;
  const args = [
    `--config.file=${configFile}`,
    `--storage.tsdb.path=${dataFolder}`,
    `--web.listen-address=${address}`,
    '--log.level=warn',
    // What is remembered of long ago is not too old.
    '--storage.tsdb.retention.time=10y',
    ...(options.flags ?? []),
  ];
  const { stop, ...peer } = await startPeerProcess('Prometheus', binary, args, address);
  return {
    ...peer,
    ...queries(peer.url),
    retarget,
    async close() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function remember(
  { promtool, openMetrics, flags = [] }: Past,
  folder: string,
  dataFolder: string,
): Promise<void> {
  const file = join(folder, 'past.om');
  writeFileSync(file, openMetrics);
  await promisify(execFile)(promtool, [
    'tsdb',
    'create-blocks-from',
    ...flags,
    'openmetrics',
    file,
    dataFolder,
  ]);
}

function queries(root: string): Omit<Prometheus, 'close' | 'retarget' | keyof Peer> {
  const ask = async (path: string, params: Record<string, string> = {}) => {
    const response = await fetch(`${root}/api/v1/${path}`, {
      method: path.startsWith('query') ? 'POST' : 'GET',
      ...(path.startsWith('query') && { body: new URLSearchParams(params) }),
    });
    const answer = (await response.json()) as { status: string; error?: string; data: unknown };
    if (answer.status !== 'success') throw new Error(`${path} ${JSON.stringify(params)}: ${answer.error}`);
    return answer.data;
  };
  const askRange = async (expression: string, { fromAt, untilAt, stepSeconds }: QueriedRange) => {
    const range = { start: String(fromAt / 1000), end: String(untilAt / 1000), step: String(stepSeconds) };
    const answer = await ask('query_range', { query: expression, ...range });
    return (answer as { result: readonly MatrixItem[] }).result;
  };
  return {
    async query(expression, at) {
      const time = at === undefined ? {} : { time: String(at / 1000) };
      const answer = await ask('query', { query: expression, ...time });
      return (answer as { result: readonly VectorItem[] }).result.map(toSample);
    },
    async queryRaw(selector, at) {
      const answer = await ask('query', { query: selector, time: String(at / 1000) });
      return (answer as { result: readonly MatrixItem[] }).result.map(toValueSeries);
    },
    async queryRange(expression, range) {
      return (await askRange(expression, range)).map(({ metric, values }) =>
        toSample({ metric, value: [0, String(values.length)] }),
      );
    },
    async queryValues(expression, range) {
      return (await askRange(expression, range)).map(toValueSeries);
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

interface MatrixItem {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [number, string])[];
}

interface MetadataItem {
  readonly metric: string;
  readonly type: string;
}

function toValueSeries({ metric, values }: MatrixItem): ValueSeries {
  return {
    labels: metric,
    values: new Map(values.map(([at, value]) => [at * 1000, Number(value)])),
  };
}

function toSample({ metric, value: [, value] }: VectorItem): Sample {
  const { __name__: name = '', job: _job, instance: _instance, ...labels } = metric;
  return { name, labels, value: Number(value.replace('Inf', 'Infinity')) };
}

/** JSON is YAML. */
function renderConfig(
  folder: string,
  jobs: Readonly<Record<string, string>>,
  { ruleFile, alertmanager, scrapeSeconds = 1, jobOptions, config }: PrometheusOptions,
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
    ...config,
    scrape_configs: Object.entries(jobs).map(([job_name, url]) => ({
      job_name,
      metrics_path: new URL(url).pathname,
      file_sd_configs: [{ files: [targetFile(folder, job_name)], refresh_interval: '1s' }],
      ...jobOptions,
    })),
  });
}

function targetFile(folder: string, job: string): string {
  return join(folder, `target-${job}.json`);
}

function renderTargets(url: string | undefined): string {
  return JSON.stringify(url === undefined ? [] : [{ targets: [new URL(url).host] }]);
}
