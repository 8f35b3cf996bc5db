import { Command } from 'commander';
import { loadCheckedConfig } from '../check/loaded-config.ts';
import type { Io } from './io.ts';
import { type DaemonModule, runDaemon } from './running-daemon.ts';
import { renderSettingHelp } from './setting-help.ts';
import { addSettingOptions, readSettingFlags, serveSettings } from './setting-option.ts';
import { favorSmallHeap } from './small-heap.ts';

/** `serve`: the daemon, until SIGTERM or SIGINT. */
export function serveCommand(
  io: Io,
  { loadDaemon }: { readonly loadDaemon: () => Promise<DaemonModule> } = {
    loadDaemon: () => import('../daemon/daemon.ts'),
  },
): Command {
  const command = new Command('serve').description('watch the configured accounts and serve their metrics');
  return addSettingOptions(command, serveSettings)
    .addHelpText('after', renderSettingHelp())
    .action(async () => {
      const loaded = await loadCheckedConfig({ flags: readSettingFlags(command), env: io.env });
      const { accounts } = loaded.config;
      favorSmallHeap(accounts.reduce((sum, { requestsPerMinute }) => sum + requestsPerMinute, 0));
      await runDaemon(io, loaded, loadDaemon);
    });
}
