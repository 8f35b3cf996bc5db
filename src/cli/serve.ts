import { Command } from 'commander';
import { loadCheckedConfig } from '../check/config/loaded-config.ts';
import { type DaemonModule, runDaemon } from '../daemon/running-daemon.ts';
import { daemonHost } from './daemon-host.ts';
import type { Io } from './io.ts';
import { addSettingOptions, readSettingFlags, renderSettingHelp, serveSettings } from './setting-option.ts';

/** `serve`: the daemon, until SIGTERM or SIGINT. */
export function serveCommand(
  io: Io,
  { loadDaemon }: { readonly loadDaemon?: () => Promise<DaemonModule> } = {},
): Command {
  const command = new Command('serve').description('watch the configured accounts and serve their metrics');
  return addSettingOptions(command, serveSettings)
    .addHelpText('after', renderSettingHelp)
    .action(async () => {
      const load = async (isReload: boolean) => {
        const given = { flags: readSettingFlags(command), env: io.env };
        const loaded = await loadCheckedConfig(given, { isReload });
        io.hideVariables(loaded.keyVariables);
        return loaded;
      };
      await runDaemon(await load(false), { ...daemonHost(io), loadConfig: () => load(true) }, loadDaemon);
    });
}
