import type { Config } from '../config/config.ts';
import { usageOptionsOf } from '../report/usage/options.ts';

/** What a new configuration asks of a daemon that runs: nothing, other use and cost, or everything anew. */
type ConfigChange = 'none' | 'spending' | 'watching';

/** The part of a running daemon that a new configuration changes. */
export function findChange(before: Config, after: Config): ConfigChange {
  if (watched(before) !== watched(after)) return 'watching';
  const spending = (config: Config) => JSON.stringify([usageOptionsOf(config), config.links]);
  return spending(before) === spending(after) ? 'none' : 'spending';
}

/** Settings that another configuration says otherwise, and that a daemon has only from its start: `history.file`. */
export function listRestartSettings(before: Config, after: Config): string[] {
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
