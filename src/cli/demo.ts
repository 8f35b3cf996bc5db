import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { loadCheckedConfig } from '../check/loaded-config.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { globalSettings } from '../config/setting.ts';
import { renderDemoConfig } from '../demo/demo-config.ts';
import type { Io } from './io.ts';
import { numberOption } from './number-option.ts';
import { type DaemonModule, runDaemon } from './running-daemon.ts';
import { addSettingOptions, readSettingFlags } from './setting-option.ts';

/** The simulated service, as the demo sees it. */
export interface SimulatorModule {
  readonly startSimulator: (
    options: Fleet & {
      readonly apiKey: string;
      readonly pendingInLists: boolean;
      readonly showcase: boolean;
    },
  ) => Promise<RunningSimulator>;
}

interface Fleet {
  readonly projects: number;
  readonly seed: number;
  readonly historyDays: number;
}

type Flags = Readonly<Record<string, string | undefined>>;

interface RunningSimulator {
  readonly base_url: string;
  readonly api_key: string;
  readonly close: () => Promise<void>;
}

export interface DemoModules {
  readonly loadDaemon: () => Promise<DaemonModule>;
  readonly loadSimulator: () => Promise<SimulatorModule>;
}

const defaultModules: DemoModules = {
  loadDaemon: () => import('../daemon/daemon.ts'),
  loadSimulator: () => import('../simulator/server.ts'),
};

/** What the demo changes in the defaults: loopback only, quick polls, and a log that leaves the terminal readable. */
const demoDefaults: Readonly<Record<string, string>> = {
  'web.listen_address': '127.0.0.1:10062',
  'collect.schedule': '*/5 * * * * *',
  'collect.api_keys_refresh': '15s',
  'log.level': 'warn',
};

const demoSettings = globalSettings
  .filter(setting => setting.flag !== undefined)
  .map(({ env: _unread, ...setting }) => {
    const fallback = setting.key === 'history.file' ? 'a temporary file' : demoDefaults[setting.key];
    return { ...setting, ...(fallback !== undefined && { default: fallback }) };
  });

/** `demo`: the daemon on an embedded simulated service, with nothing to set up and nothing left behind. */
export function demoCommand(io: Io, modules: DemoModules = defaultModules): Command {
  const command = new Command('demo')
    .description('run the daemon on an embedded simulated service, no account needed')
    .addOption(
      numberOption('--projects <number>', 'simulated projects', { least: 1, most: 2000, byDefault: 20 }),
    )
    .addOption(
      numberOption('--seed <number>', 'same seed, same fleet', {
        least: 0,
        most: 4_294_967_295,
        byDefault: 1,
      }),
    )
    .addOption(
      numberOption('--history-days <number>', 'days the fleet has lived before', {
        least: 0,
        most: 365,
        byDefault: 30,
      }),
    );
  return addSettingOptions(command, demoSettings).action((fleet: Fleet) =>
    withTemporaryFolder(folder => runDemo(io, modules, { fleet, folder, given: readSettingFlags(command) })),
  );
}

async function runDemo(
  io: Io,
  { loadDaemon, loadSimulator }: DemoModules,
  {
    fleet: { projects, seed, historyDays },
    folder,
    given,
  }: { readonly fleet: Fleet; readonly folder: string; readonly given: Flags },
): Promise<void> {
  const { startSimulator } = await loadSimulator();
  const apiKey = randomBytes(16).toString('hex');
  const simulator = await startSimulator({
    ...{ projects, seed, historyDays, apiKey },
    pendingInLists: true,
    showcase: true,
  });
  try {
    const configFile = join(folder, 'demo.yaml');
    writeFileSync(configFile, renderDemoConfig(Date.now(), projects));
    const flags = { 'config.file': configFile, 'history.file': join(folder, 'dbpm.sqlite'), ...given };
    const kept = given['history.file'] !== undefined;
    const loaded = await loadDemoConfig(flags, simulator);
    await runDaemon(io, loaded, loadDaemon, ({ url }) => {
      io.stdout(renderWelcome(url, loaded, simulator, { projects, kept }));
    });
  } finally {
    await simulator.close();
  }
}

async function withTemporaryFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-exporter-demo-'));
  try {
    await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The demo's configuration, made the way a user would: as environment variables, but none of the user's own. */
async function loadDemoConfig(flags: Flags, { base_url, api_key }: RunningSimulator): Promise<LoadedConfig> {
  const env = {
    DBPM_BASE_URL: base_url,
    DBPM_API_KEY: api_key,
    DBPM_ACCOUNT_NAME: 'demo',
    DBPM_REQUESTS_PER_MINUTE: '60000',
    DBPM_COLLECT_SCHEDULE: demoDefaults['collect.schedule'],
    DBPM_USAGE_REFRESH: '5s',
  };
  return loadCheckedConfig({ flags: { ...demoDefaults, ...flags }, env });
}

function renderWelcome(
  url: string,
  { config }: LoadedConfig,
  { base_url, api_key }: RunningSimulator,
  { projects, kept }: { readonly projects: number; readonly kept: boolean },
): string {
  const projectsUrl = new URL('projects', base_url);
  return [
    `The demo is running: ${projects} simulated projects and a showcase of what costs, read every 5 seconds.`,
    '',
    `  landing page       ${new URL('/', url)}`,
    `  metrics            ${new URL(config.web.telemetryPath, url)}`,
    `  simulated service  ${base_url}`,
    `  ask it yourself    curl -H 'Authorization: Bearer ${api_key}' ${projectsUrl}`,
    `  history            ${config.history.file}${kept ? '' : ' (removed at the end)'}`,
    '',
    'Stop it with Ctrl+C.',
    '',
  ].join('\n');
}
