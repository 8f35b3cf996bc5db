import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadCheckedConfig } from '../../check/config/loaded-config.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { secondMs } from '../../resources/duration.ts';
import type { Daemon } from '../daemon.ts';
import { type DaemonHost, type DaemonModule, runDaemon } from '../running-daemon.ts';
import { renderDemoConfig } from './config.ts';

/** The simulated fleet of a demo. */
export interface DemoFleet {
  /** Besides the ones that have a story. */
  readonly projects: number;
  /** The same seed makes the same fleet. */
  readonly seed: number;
  readonly historyDays: number;
}

/** Settings that were given, by key (`history.file`). */
type Given = Readonly<Record<string, string | undefined>>;

/** The simulated service of a demo, and how to ask it. */
interface DemoService {
  readonly base_url: string;
  readonly api_key: string;
  /** Projects it has. */
  readonly projects: number;
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
        readonly aroundTheClock: boolean;
        readonly stories: boolean;
        readonly signal: AbortSignal;
      },
    ) => Promise<DemoService>;
  }>;
}

/** A demo that serves. */
export interface RunningDemo {
  /** Root of the daemon's own pages. */
  readonly url: string;
  readonly config: LoadedConfig['config'];
  /** Path of its configuration. */
  readonly configFile: string;
  readonly service: DemoService;
  /** Whether the history stays when the demo ends. */
  readonly isHistoryKept: boolean;
  /** Whether its first page is whole; where not, the past is still being read. */
  readonly isSettled: boolean;
}

/** The surroundings of a demo. */
interface DemoHost extends Omit<DaemonHost, 'loadConfig' | 'onReady'> {
  /** Called once it serves, and its past is known or was waited for long enough. */
  readonly onReady: (demo: RunningDemo) => void;
}

const defaultModules: DemoModules = {
  loadDaemon: () => import('../daemon.ts'),
  loadSimulator: () => import('../../simulator/server.ts'),
};

/** Settings whose defaults are others: loopback only, quick polls, no backups, and a log that leaves the terminal readable. */
export const demoDefaults: Readonly<Record<string, string>> = {
  'web.listen_address': '127.0.0.1:10062',
  // Its people are invented.
  'web.personal_data_without_login': 'true',
  'collect.schedule': '*/5 * * * * *',
  'collect.api_keys_refresh': '15s',
  'history.backup.keep': '0',
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
  const startedMs = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-exporter-demo-'));
  // Threads that still write into it may be in the way for a moment.
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  // An unexpected error ends the process from elsewhere, and so does a second signal.
  process.once('exit', removeFolder);
  try {
    const { startSimulator } = await loadSimulator();
    const apiKey = randomBytes(16).toString('hex');
    const service = await startSimulator({
      ...{ ...fleet, apiKey, pendingInLists: true, showcase: true },
      ...{ stories: true, aroundTheClock: true, signal: host.signal },
    });
    try {
      const configFile = join(folder, 'demo.yaml');
      writeFileSync(configFile, renderDemoConfig(Date.now(), fleet.projects));
      const own = { 'config.file': configFile, 'history.file': join(folder, 'dbpm.sqlite') };
      const load = (isReload: boolean) => loadDemoConfig({ ...own, ...given }, service, isReload);
      const loaded = await load(false);
      const isHistoryKept = given['history.file'] !== undefined;
      const onReady = (daemon: Pick<Daemon, 'url' | 'workedOut'>) => {
        const demo = { url: daemon.url, config: loaded.config, configFile, service, isHistoryKept };
        const patienceMs = Math.max(0, Math.ceil(longestWaitMs - (performance.now() - startedMs)));
        const tell = (isSettled: boolean) => host.signal.aborted || host.onReady({ ...demo, isSettled });
        void settle(daemon, host.signal, patienceMs).then(tell);
      };
      await runDaemon(loaded, { ...host, loadConfig: () => load(true), onReady }, loadDaemon);
    } finally {
      await service.close();
    }
  } catch (error) {
    // Told to stop while its past was being made.
    if (error !== host.signal.reason) throw error;
  } finally {
    process.off('exit', removeFolder);
    removeFolder();
  }
}

/**
 * From the beginning until the address is told: where it takes longer to read the past, on a busy machine or of a large fleet,
 * the pages say how much is left.
 */
const longestWaitMs = 8 * secondMs;

/** Waits until the past is known, and the first page is whole. @returns whether both came in time. */
async function settle(
  { url, workedOut }: Pick<Daemon, 'url' | 'workedOut'>,
  signal: AbortSignal,
  patienceMs: number,
): Promise<boolean> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  const over = sleep(2 * longestWaitMs, undefined, { ref: false, signal: patience });
  const settled = workedOut.then(() => firstPage(url, patience));
  return Promise.race([settled, over]).then(
    () => true,
    () => !patience.aborted,
  );
}

const lookEveryMs = 100;

interface FirstPage {
  readonly pending: readonly string[];
  readonly rests_on: { readonly is_whole: boolean } | null;
}

/** Resolves when nothing of the first page is still being worked out; throws where it may not be read, or is no more. */
async function firstPage(url: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const answer = await fetch(new URL('/api/v1/overview', url), { signal });
    if (!answer.ok) return;
    const { pending, rests_on }: FirstPage = JSON.parse(await answer.text());
    if (pending.length === 0 && rests_on?.is_whole === true) return;
    await sleep(lookEveryMs, undefined, { signal });
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
