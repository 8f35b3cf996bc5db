import type { Config } from '../config/config.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { ConfigFailure, renderProblem } from '../config/problem.ts';
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
  const settings: readonly (readonly [key: string, read: (config: Config) => unknown])[] = [
    ['shard', ({ shard }) => shard],
    ['history.file', ({ history }) => history.file],
    ['history.standby', ({ history }) => history.standby],
    ['web.listen_address', ({ web }) => web.listenAddress],
    ['web.telemetry_path', ({ web }) => web.telemetryPath],
    ['web.systemd_socket', ({ web }) => web.systemdSocket],
    ['web.health_address', ({ web }) => web.healthAddress],
    ['web.health_without_login', ({ web }) => web.healthWithoutLogin],
    ['web.personal_data_without_login', ({ web }) => web.personalDataWithoutLogin],
    ['web.external_url', ({ web }) => web.externalUrl],
    ['web.enable_lifecycle', ({ web }) => web.enableLifecycle],
    ['web.console', ({ web }) => web.console],
    ['log.level', ({ log }) => log.level],
    ['log.format', ({ log }) => log.format],
    ['log.heartbeat', ({ log }) => log.heartbeatMs],
  ];
  const text = (value: unknown) => JSON.stringify(value);
  return settings.flatMap(([key, read]) => (text(read(before)) === text(read(after)) ? [] : [key]));
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
