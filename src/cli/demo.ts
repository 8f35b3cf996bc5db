import { Command } from 'commander';
import { globalSettings } from '../config/setting.ts';
import { type DemoFleet, type DemoModules, demoDefaults, type RunningDemo, runDemo } from '../demo/demo.ts';
import { daemonHost } from './daemon-host.ts';
import type { Io } from './io.ts';
import { numberOption } from './number-option.ts';
import { addSettingOptions, readSettingFlags } from './setting-option.ts';

const demoSettings = globalSettings
  .filter(setting => setting.flag !== undefined)
  .map(({ env: _unread, ...setting }) => {
    const fallback = setting.key === 'history.file' ? 'a temporary file' : demoDefaults[setting.key];
    return { ...setting, ...(fallback !== undefined && { default: fallback }) };
  });

/** `demo`: the daemon on an embedded simulated service, with nothing to set up and nothing left behind. */
export function demoCommand(io: Io, modules?: DemoModules): Command {
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
  return addSettingOptions(command, demoSettings).action(
    async ({ projects, seed, historyDays }: DemoFleet) => {
      const fleet = { projects, seed, historyDays };
      const onReady = (demo: RunningDemo) => io.stdout(renderWelcome(demo, projects));
      await runDemo({ fleet, given: readSettingFlags(command) }, { ...daemonHost(io), onReady }, modules);
    },
  );
}

function renderWelcome({ url, config, service, isHistoryKept }: RunningDemo, projects: number): string {
  const { base_url, api_key } = service;
  const projectsUrl = new URL('projects', base_url);
  return [
    `The demo is running: ${projects} simulated projects and a showcase of what costs, read every 5 seconds.`,
    '',
    `  landing page       ${new URL('/', url)}`,
    `  metrics            ${new URL(config.web.telemetryPath, url)}`,
    `  simulated service  ${base_url}`,
    `  ask it yourself    curl -H 'Authorization: Bearer ${api_key}' ${projectsUrl}`,
    `  history            ${config.history.file}${isHistoryKept ? '' : ' (removed at the end)'}`,
    '',
    'Stop it with Ctrl+C.',
    '',
  ].join('\n');
}
