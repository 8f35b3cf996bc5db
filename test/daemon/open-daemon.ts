import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { Account, Config } from '../../src/config/config.ts';
import { startDaemon } from '../../src/daemon/daemon.ts';
import type { StartSchedule } from '../../src/daemon/polling.ts';
import { createLogger } from '../../src/log/logger.ts';
import { collectors, type PartCollector, partCollectors } from '../../src/resources/collector.ts';
import type { PriceBook } from '../../src/resources/price-book.ts';
import { type SimulatorOptions, startSimulator } from '../../src/simulator/server.ts';
import { readExposition, type Sample, sampleValue } from '../support/exposition-reader.ts';
import { patience } from '../support/patience.ts';
import { differences, type Truth } from '../support/truth.ts';

export const canaryKey = 'canary-7d1f0c55e2a94b83';

const partsOff = Object.fromEntries(partCollectors.map(name => [name, 'off'])) as Readonly<
  Record<PartCollector, 'off'>
>;

/** Runs when the test is over; tests run at the same time, so each brings its own. */
export type OnTestFinished = (close: () => Promise<void> | void) => void;

/** A simulated service of two projects whose clock stands still until it is advanced. */
export async function openService(onTestFinished: OnTestFinished, options: Partial<SimulatorOptions> = {}) {
  const startedAt = Math.floor(Date.now() / 1000) * 1000;
  const simulator = await startSimulator({
    apiKey: canaryKey,
    projects: 2,
    historyDays: 1,
    wallClock: () => startedAt,
    ...options,
  });
  onTestFinished(() => simulator.close());
  const control = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(simulator.control_url + path, init);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json() as Promise<Body>;
  };
  const call = async <Body>(method: string, path: string): Promise<Body> => {
    const headers = { authorization: `Bearer ${simulator.api_key}` };
    const response = await fetch(simulator.base_url + path.slice(1), { method, headers });
    return response.json() as Promise<Body>;
  };
  return {
    simulator,
    control,
    call,
    fault: (fault: object) => control('POST', '/faults', fault),
    clearFaults: () => control('DELETE', '/faults'),
    tellTruth: () => control<Truth>('GET', '/truth'),
  };
}

type Service = Awaited<ReturnType<typeof openService>>;

export const accountOf = ({ simulator }: Service, more: Partial<Account> = {}): Account => ({
  name: 'main',
  base_url: new URL(simulator.base_url),
  readApiKey: () => simulator.api_key,
  requestsPerMinute: 60_000,
  projects: { include: ['*'], exclude: [] },
  ...more,
});

/** A folder for a history that more than one daemon opens after each other. */
export function openFolder(onTestFinished: OnTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-daemon-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface DaemonOptions {
  readonly folder?: string;
  readonly dropAfterMs?: number;
  readonly series?: Partial<Config['series']>;
  /** Collectors that are on; all by default. */
  readonly enabled?: Config['collect']['collectors'];
  /** `auto` by default. */
  readonly consumption?: Config['collect']['consumption'];
  readonly branches?: Config['collect']['branches'];
  /** 0, any free one, by default. */
  readonly port?: number;
  readonly startSchedule?: StartSchedule;
  readonly stallPatienceMs?: number;
  readonly pricing?: PriceBook;
  /** Whether it waits for another daemon to leave the history; not by default. */
  readonly standby?: boolean;
  /** 0, none, by default. */
  readonly heartbeatMs?: number;
  /** Texts that its log must not have; none by default. */
  readonly secrets?: readonly string[];
}

const cycleMs = 250;

/** Begins cycles so fast that no cron expression can say it; one that is still busy goes on alone. */
const startCycles: StartSchedule = (_expression, run, { onOverlap, onError }) => {
  let running: Promise<void> | undefined;
  const begin = () => {
    if (running !== undefined) return onOverlap();
    running = run()
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(begin, cycleMs);
  begin();
  return {
    underWaySince: () => undefined,
    nextAt: () => Date.now() + cycleMs,
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
};

/** A daemon that reads the lists four times a second and each project as often; its log is kept. */
export async function openDaemon(
  onTestFinished: OnTestFinished,
  accounts: readonly Account[],
  options: DaemonOptions = {},
) {
  const { folder = openFolder(onTestFinished), dropAfterMs = 600_000, port = 0 } = options;
  const { series = {}, enabled = collectors, startSchedule = startCycles, pricing } = options;
  const { stallPatienceMs } = options;
  const config: Config = {
    accounts,
    collect: {
      collectors: enabled,
      consumption: options.consumption ?? 'auto',
      ...partsOff,
      ...(options.branches && { branches: options.branches }),
      schedule: '* * * * * *',
      idleRefreshMs: cycleMs,
      apiKeysRefreshMs: cycleMs,
      longestPauseMs: 3_600_000,
      dropAfterMs,
    },
    history: {
      file: join(folder, 'dbpm.sqlite'),
      standby: options.standby ?? false,
      backupEveryMs: 86_400_000,
      backupKeep: 3,
      backupDirectory: '',
      keepSamplesMs: 90 * 86_400_000,
      keepHoursMs: 400 * 86_400_000,
      keepDaysMs: 1830 * 86_400_000,
      keepOperationsMs: 400 * 86_400_000,
    },
    usage: {
      timezone: 'UTC',
      refreshMs: 3_600_000,
      anomalyComputeHours: 1,
      anomalyGigabytes: 10,
      anomalyBranches: 10,
    },
    ...(pricing && { pricing }),
    groupings: [],
    budgets: [],
    findings: {
      smallestSuspendDelayMs: 300_000,
      leastComputeHours: 1,
      leastAmount: 0,
      unusedBranchAfterMs: 14 * 86_400_000,
      leastUnusedBranches: 3,
    },
    ignoredFindings: [],
    invoices: { columns: {}, lines: [], decimal: 'point' },
    series: { mode: 'full', exclude: [], limitPerFamily: 0, ...series },
    keys: { staleAfterMs: 45 * 86_400_000, sourceAddresses: 'plain', people: 'plain' },
    links: { project: [], endpoint: [], branch: [], operation: [] },
    rules: { job: 'dbpm', runbookUrl: '', dashboardUrl: '', consoleUrl: '', labels: {}, alerts: {} },
    web: {
      listenAddress: [{ host: '127.0.0.1', port }],
      telemetryPath: '/metrics',
      systemdSocket: false,
      healthWithoutLogin: false,
      personalDataWithoutLogin: false,
      externalUrl: '',
      healthAddress: [],
      enableLifecycle: false,
      console: false,
    },
    log: { level: 'debug', format: 'logfmt', heartbeatMs: options.heartbeatMs ?? 0 },
  };
  const lines: string[] = [];
  const { secrets = [] } = options;
  const log = createLogger({ ...config.log, write: line => lines.push(line), secrets: () => secrets });
  const stop = new AbortController();
  const daemon = await startDaemon(config, {
    log,
    version: '1.2.3',
    revision: 'abc',
    signal: stop.signal,
    inheritedSockets: [],
    loadConfig: async () => ({ config, warnings: [] }),
    startSchedule,
    ...(stallPatienceMs !== undefined && { stallPatienceMs }),
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= daemon.close();
    return closing;
  };
  onTestFinished(close);
  const read = async (path: string) => (await fetch(daemon.url + path)).text();
  const scrape = async () => readExposition(await read('/metrics'));
  return {
    url: daemon.url,
    lines,
    close,
    read,
    scrape,
    /** Scrapes again and again until a check finds nothing wrong any more; the samples it found right. */
    until: (check: (samples: readonly Sample[]) => unknown, timeout?: number): Promise<readonly Sample[]> =>
      eventually(async () => {
        const samples = await scrape();
        await check(samples);
        return samples;
      }, timeout),
  };
}

export type Daemon = Awaited<ReturnType<typeof openDaemon>>;

/** Asks again and again until nothing is wrong any more; fails with what was still wrong at the end. */
export function eventually<Value>(
  check: () => Promise<Value>,
  timeout: number = patience.timeout,
): Promise<Value> {
  return vi.waitFor(check, { timeout, interval: 50 });
}

/** A service and a daemon that has read all of it, with the samples it shows then. */
export async function openWatched(
  onTestFinished: OnTestFinished,
  options: { readonly service?: Partial<SimulatorOptions>; readonly daemon?: DaemonOptions } = {},
) {
  const service = await openService(onTestFinished, options.service);
  const daemon = await openDaemon(onTestFinished, [accountOf(service)], options.daemon);
  return { service, daemon, before: await untilTrue(daemon, service) };
}

/** A service, and the folder of a history that a daemon filled and left, with the samples it showed last. */
export async function openLeftHistory(onTestFinished: OnTestFinished) {
  const folder = openFolder(onTestFinished);
  const { service, daemon, before } = await openWatched(onTestFinished, { daemon: { folder } });
  await daemon.close();
  return { service, folder, before };
}

/** Waits until every counter is what the service itself counted and no collector is failing. */
export function untilTrue(daemon: Daemon, service: Service): Promise<readonly Sample[]> {
  return daemon.until(async samples => {
    const wrong = differences(await service.tellTruth(), samples, 1);
    for (const collector of collectors) {
      if (sampleValue(samples, 'dbpm_collector_success', { collector }) !== 1)
        wrong.push(`${collector} failing`);
    }
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
  });
}

/** The sum of all errors of a collector. */
export function errorCount(samples: readonly Sample[], collector: string): number {
  return samples
    .filter(({ name, labels }) => name === 'dbpm_collector_errors_total' && labels.collector === collector)
    .reduce((sum, { value }) => sum + value, 0);
}

/** Ids of the projects that have series. */
export function projectIds(samples: readonly Sample[]): readonly string[] {
  return samples
    .filter(({ name }) => name === 'dbpm_project_info')
    .map(({ labels }) => labels.project_id ?? '')
    .toSorted();
}
