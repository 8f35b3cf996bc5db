import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCheckedConfig } from '../check-config/loaded-config.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { type DaemonHost, type DaemonModule, runDaemon } from '../daemon/running-daemon.ts';
import { renderDemoConfig } from './config.ts';

/** The simulated fleet of a demo. */
export interface DemoFleet {
  readonly projects: number;
  /** The same seed makes the same fleet. */
  readonly seed: number;
  readonly historyDays: number;
}

/** Settings that were given, by key (`history.file`). */
type Given = Readonly<Record<string, string | undefined>>;

/** The simulated service of a demo, and how to ask it. */
export interface DemoService {
  readonly base_url: string;
  readonly api_key: string;
  readonly close: () => Promise<void>;
}

/** The two halves of a demo, each loaded only once it is needed. */
export interface DemoModules {
  readonly loadDaemon: () => Promise<DaemonModule>;
  readonly loadSimulator: () => Promise<{
    readonly startSimulator: (
      options: DemoFleet & {
        readonly apiKey: string;
        readonly pendingInLists: boolean;
        readonly showcase: boolean;
      },
    ) => Promise<DemoService>;
  }>;
}

/** A demo that serves. */
export interface RunningDemo {
  /** Root of the daemon's own pages. */
  readonly url: string;
  readonly config: LoadedConfig['config'];
  readonly service: DemoService;
  /** Whether the history stays when the demo ends. */
  readonly isHistoryKept: boolean;
}

/** The surroundings of a demo. */
export interface DemoHost extends Omit<DaemonHost, 'loadConfig' | 'onReady'> {
  readonly onReady: (demo: RunningDemo) => void;
}

const defaultModules: DemoModules = {
  loadDaemon: () => import('../daemon/daemon.ts'),
  loadSimulator: () => import('../simulator/server.ts'),
};

/** Settings whose defaults are others: loopback only, quick polls, and a log that leaves the terminal readable. */
export const demoDefaults: Readonly<Record<string, string>> = {
  'web.listen_address': '127.0.0.1:10062',
  'collect.schedule': '*/5 * * * * *',
  'collect.api_keys_refresh': '15s',
  'log.level': 'warn',
};

/**
 * Runs the daemon on an embedded simulated service until it is told to stop, and leaves nothing behind but a history that
 * was named.
 *
 * @param given settings that go before those of the demo.
 * @throws Failure when the daemon cannot start or cannot go on, ConfigFailure when a given setting is wrong.
 */
export async function runDemo(
  { fleet, given }: { readonly fleet: DemoFleet; readonly given: Given },
  host: DemoHost,
  { loadDaemon, loadSimulator }: DemoModules = defaultModules,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-exporter-demo-'));
  try {
    const { startSimulator } = await loadSimulator();
    const apiKey = randomBytes(16).toString('hex');
    const service = await startSimulator({ ...fleet, apiKey, pendingInLists: true, showcase: true });
    try {
      const configFile = join(folder, 'demo.yaml');
      writeFileSync(configFile, renderDemoConfig(Date.now(), fleet.projects));
      const own = { 'config.file': configFile, 'history.file': join(folder, 'dbpm.sqlite') };
      const load = (isReload: boolean) => loadDemoConfig({ ...own, ...given }, service, isReload);
      const loaded = await load(false);
      const isHistoryKept = given['history.file'] !== undefined;
      const onReady = ({ url }: { readonly url: string }) =>
        host.onReady({ url, config: loaded.config, service, isHistoryKept });
      await runDaemon(loaded, { ...host, loadConfig: () => load(true), onReady }, loadDaemon);
    } finally {
      await service.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The demo's configuration, made the way a user would: as environment variables, but none of the user's own. */
function loadDemoConfig(
  flags: Given,
  { base_url, api_key }: DemoService,
  isReload: boolean,
): Promise<LoadedConfig> {
  const env = {
    DBPM_BASE_URL: base_url,
    DBPM_API_KEY: api_key,
    DBPM_ACCOUNT_NAME: 'demo',
    DBPM_REQUESTS_PER_MINUTE: '60000',
    DBPM_COLLECT_SCHEDULE: demoDefaults['collect.schedule'],
    DBPM_USAGE_REFRESH: '5s',
  };
  return loadCheckedConfig({ flags: { ...demoDefaults, ...flags }, env }, { isReload });
}
