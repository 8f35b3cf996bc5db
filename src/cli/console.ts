import { Command } from 'commander';
import { loadCheckedConfig } from '../check/config/loaded-config.ts';
import { settings, webFileSetting } from '../config/setting.ts';
import { daemonHost } from './daemon-host.ts';
import type { Io } from './io.ts';
import {
  addSettingOptions,
  historySettings,
  readSettingFlags,
  serveSettings,
  settingNote,
} from './setting-option.ts';

const sourceHelp = `
It shows what daemons wrote into their histories, also while they run, and several histories as one: shards of an
account, and accounts of their own. It asks the service nothing, needs no API key and writes nothing.

SIGHUP loads the configuration again, and looks up the histories of a pattern; in a terminal it ends the console.
`;

const listen = settings['web.listen_address'];
/** A daemon beside it has the usual port, and unless asked it is on this host alone. */
const usualAddress = '127.0.0.1:10063';

const consoleSettings = serveSettings.map(setting =>
  setting === listen ? { ...setting, default: usualAddress } : setting,
);
const shownKeys = new Set([
  ...historySettings.map(({ key }) => key),
  ...[listen.key, webFileSetting.key, 'web.enable_lifecycle', 'log.level', 'log.format'],
]);

/** `console`: the console over histories, without a daemon. */
export function consoleCommand(io: Io): Command {
  const command = new Command('console').description(
    'serve the console over one or several histories, without polling anything',
  );
  const shown = consoleSettings.filter(({ key }) => shownKeys.has(key));
  return addSettingOptions(command, consoleSettings, shown)
    .addHelpText('after', `${sourceHelp}\n${settingNote}`)
    .action(async () => {
      const loadConfig = () => loadConsoleConfig(readSettingFlags(command), io.env);
      const loaded = await loadConfig();
      // Loaded here alone: the console costs `--help` a noticeable time.
      const { runViewer } = await import('../daemon/viewer/viewer.ts');
      const onReady = (url: string) => io.stdout(`Open the console: ${url}/\n`);
      await runViewer(loaded, { ...daemonHost(io), ...followHangup(io), loadConfig, onReady });
    });
}

/** One in a terminal ends with it, and any other loads its configuration again. */
function followHangup({ stderrIsTerminal, stopped, onHangup }: Io) {
  if (!stderrIsTerminal) return {};
  const closed = new AbortController();
  onHangup(() => closed.abort());
  return { signal: AbortSignal.any([stopped, closed.signal]), onHangup: () => {} };
}

async function loadConsoleConfig(flags: Record<string, string | undefined>, env: Io['env']) {
  const load = (given: typeof flags) => loadCheckedConfig({ flags: given, env, isOffline: true });
  const loaded = await load(flags);
  const isUsual = loaded.effective.find(({ key }) => key === listen.key)?.from === 'default';
  return isUsual ? load({ ...flags, [listen.key]: usualAddress }) : loaded;
}
