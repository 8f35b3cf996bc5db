import { Command } from 'commander';
import { globalSettings } from '../config/setting.ts';
import {
  type DemoFleet,
  type DemoModules,
  demoDefaults,
  type RunningDemo,
  runDemo,
} from '../daemon/demo/demo.ts';
import { wholeNumber } from '../resources/text-parser.ts';
import { daemonHost } from './daemon-host.ts';
import type { Io } from './io.ts';
import { parsedOption } from './option.ts';
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
      parsedOption(
        '--projects <number>',
        'simulated projects, besides those with a story',
        wholeNumber(1, 2000),
        20,
      ),
    )
    .addOption(parsedOption('--seed <number>', 'same seed, same fleet', wholeNumber(0, 4_294_967_295), 1))
    .addOption(
      parsedOption('--history-days <number>', 'days the fleet has lived before', wholeNumber(0, 365), 122),
    );
  return addSettingOptions(command, demoSettings).action(
    async ({ projects, seed, historyDays }: DemoFleet) => {
      const fleet = { projects, seed, historyDays };
      const clear = showWait(io, `Reading what simulated projects did in ${historyDays} days …`);
      const onReady = (demo: RunningDemo) => {
        clear();
        io.stdout(renderWelcome(demo, historyDays, isByNpm(io) ? 'npm --silent start --' : 'dbpm-exporter'));
      };
      const hangup = new AbortController();
      io.onHangup(() => hangup.abort());
      const host = {
        ...daemonHost(io),
        command: isByNpm(io) ? 'npm run demo --' : 'dbpm-exporter demo',
        onReady,
        write: (line: string) => {
          clear();
          io.stderr(line);
        },
        // A terminal that closes ends the demo, which leaves nothing behind.
        signal: AbortSignal.any([io.stopped, hangup.signal]),
        onHangup: () => {},
      };
      await runDemo({ fleet, given: readSettingFlags(command) }, host, modules).finally(clear);
    },
  );
}

/** Shows on a terminal what is waited for. @returns what takes it away again. */
function showWait({ stderr, stderrIsTerminal }: Io, line: string): () => void {
  if (!stderrIsTerminal) return () => {};
  let isShown = true;
  stderr(line);
  return () => {
    if (isShown) stderr('\r\u001b[K');
    isShown = false;
  };
}

/** Whether this command was given in a checkout, by npm. */
function isByNpm({ env }: Io): boolean {
  return env.npm_lifecycle_event !== undefined;
}

function renderWelcome(demo: RunningDemo, historyDays: number, program: string): string {
  const { url, config, configFile, service, isHistoryKept, isSettled } = demo;
  const { base_url, api_key } = service;
  const files = `--config.file ${configFile} --history.file ${config.history.file}`;
  const { host, pathname } = new URL(config.web.telemetryPath, url);
  return `Open the console: ${new URL('/', url)}

It shows ${service.projects} simulated projects and their last ${historyDays} days, read every 5 seconds.${isSettled ? '' : '\nIts past is still being read: the pages say what is missing, and get it by themselves.'}

The same figures in a terminal:

  ${program} report cost ${files} --period billing
  ${program} report findings ${files}

A scrape configuration for Prometheus:

  scrape_configs:
    - job_name: dbpm
      metrics_path: ${pathname}
      static_configs:
        - targets: ['${host}']

The rest of it:

  metrics            ${new URL(config.web.telemetryPath, url)}
  simulated service  ${base_url}
  ask it yourself    curl -H 'Authorization: Bearer ${api_key}' ${new URL('projects', base_url)}
  history            ${config.history.file}${isHistoryKept ? '' : ' (removed at the end)'}

Open ${new URL('/', url)} in a browser. Stop it with Ctrl+C${isHistoryKept ? '' : ': it leaves nothing behind'}.
`;
}
