import type { Config } from '../config/config.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { ConfigFailure, renderProblem } from '../config/problem.ts';
import { globalSettings, settingIn } from '../config/setting.ts';
import type { Setting } from '../config/setting-row.ts';
import { describeError } from '../log/error-record.ts';
import { usageOptionsOf } from '../report/usage-view/options.ts';

/** What a new configuration asks of a daemon that runs: nothing, other use and cost, or everything anew. */
type ConfigChange = 'none' | 'spending' | 'watching';

/** The part of a running daemon that a new configuration changes. */
export function findChange(before: Config, after: Config): ConfigChange {
  if (watched(before) !== watched(after)) return 'watching';
  const spending = (config: Config) => JSON.stringify([usageOptionsOf(config), config.links]);
  return spending(before) === spending(after) ? 'none' : 'spending';
}

/** Settings that another configuration says otherwise, and that a daemon has only from its start: `history.file`. */
function listRestartSettings(before: Config, after: Config): string[] {
  const text = (config: Config, setting: Setting) => JSON.stringify(settingIn(config, setting));
  return globalSettings
    .filter(({ key }) => /^(?:shard$|history\.(?:file|standby)$|web\.|log\.)/.test(key))
    .filter(setting => text(before, setting) !== text(after, setting))
    .map(({ key }) => key);
}

/** All that the polling and the history follow from, as text. */
function watched({ accounts, collect, history, keys, series }: Config): string {
  const asked = accounts.map(({ readApiKey, findKeyProblem, findCaProblem, readProxy, ...account }) => ({
    ...account,
    key: readApiKey(),
    proxy: readProxy?.(),
  }));
  return JSON.stringify({ asked, collect, history, keys, series });
}

/** Loads the configuration anew, from the same places. @throws ConfigFailure with every problem. */
export type LoadConfig = () => Promise<Pick<LoadedConfig, 'config' | 'warnings'>>;

/** The configuration as it is by now, or a sentence for each problem with it. */
type LoadedAgain = Awaited<ReturnType<LoadConfig>> | { readonly problems: readonly string[] };

/**
 * Loads the configuration of a program that runs.
 *
 * @param needsRestart whether a setting that was changed needs a restart, of the ones that need one of a daemon.
 */
export async function loadAgain(
  load: LoadConfig,
  before: Config,
  needsRestart: (key: string) => boolean = () => true,
): Promise<LoadedAgain> {
  try {
    const loaded = await load();
    const restart = listRestartSettings(before, loaded.config).filter(needsRestart);
    if (restart.length === 0) return loaded;
    return {
      problems: restart.map(
        key => `${key} was changed, which needs a restart: restart it, or take that back`,
      ),
    };
  } catch (error) {
    return {
      problems: error instanceof ConfigFailure ? error.problems.map(renderProblem) : [describeError(error)],
    };
  }
}
