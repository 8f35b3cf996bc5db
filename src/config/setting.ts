import { personalDataModes } from '../resources/api-key.ts';
import { collectors, type PartCollector, partCollectors } from '../resources/collector.ts';
import { seriesModes } from '../resources/family-selection.ts';
import {
  makeSetting,
  makeSettings,
  propertyOf,
  type Setting,
  type SettingRow,
  type SettingValues,
} from './setting-row.ts';
import { usageRows } from './usage-setting.ts';
import { webRows } from './web-setting.ts';

interface PartRow {
  readonly type: 'word';
  readonly words: readonly ['off', 'on'];
  readonly default: 'off';
  readonly help: string;
}

/** Whether a resource of projects is read: `collect.branches`. */
const partRows = Object.fromEntries(
  partCollectors.map(name => {
    const help = `whether the ${name} of projects are read, which later versions list: a request a project every six hours, ten a minute at most, besides requests_per_minute`;
    return [`collect.${name}`, { type: 'word', words: ['off', 'on'], default: 'off', help }] as const;
  }),
) as unknown as { readonly [Name in PartCollector as `collect.${Name}`]: PartRow };

/** Every setting outside the accounts and the alerts, in the order of the table. */
const rows = {
  'collect.collectors': {
    type: 'collectors',
    default: collectors.join(', '),
    help: 'what is read; what is not is not asked for, and has no series',
  },
  'collect.schedule': {
    type: 'schedule',
    default: '*/10 * * * * *',
    help: 'when the list of projects is read, as a cron expression with seconds first; less often when the request budget does not allow it',
  },
  'collect.idle_refresh': {
    type: 'duration',
    default: '15m',
    atMost: '365d',
    help: 'an idle project is read again at least this often',
  },
  'collect.api_keys_refresh': {
    type: 'duration',
    default: '5m',
    atMost: '365d',
    help: 'the list of API keys is read this often',
  },
  'collect.consumption': {
    type: 'word',
    words: ['auto', 'on', 'off'],
    default: 'auto',
    help: 'whether the meter of later versions of the service is read: once the list of projects shows that it has one, in any case, or never',
  },
  ...partRows,
  'collect.longest_pause': {
    type: 'duration',
    default: '1h',
    atMost: '30d',
    help: 'the longest pause that the service may ask for with Retry-After',
  },
  'collect.drop_after': {
    type: 'duration',
    default: '10m',
    atMost: '365d',
    help: 'series of what could not be refreshed for this long vanish',
  },
  'history.file': {
    type: 'historyFile',
    default: 'data/dbpm.sqlite',
    flag: 'path',
    help: 'the SQLite file that remembers, relative to the working directory',
  },
  'history.backup.every': {
    type: 'duration',
    default: '24h',
    atLeast: '1m',
    help: 'a backup of the history is made this often; a damaged history goes on from the newest one',
  },
  'history.backup.keep': {
    type: 'count',
    default: '3',
    help: 'how many of the newest backups are kept, 0 for none; each is about as large as the history',
  },
  'history.backup.directory': {
    type: 'folder',
    default: '',
    help: 'the folder for backups, best on another disk; without it they lie beside the history',
  },
  'history.standby': {
    type: 'boolean',
    default: 'false',
    flag: '',
    flagName: '--standby',
    env: 'DBPM_STANDBY',
    help: 'while another daemon has the history, show what it wrote, ask the service nothing, and take over when it is gone',
  },
  'history.keep_samples': {
    type: 'duration',
    default: '90d',
    // A day is summed up from them after it has ended.
    atLeast: '2d',
    help: 'raw readings are kept for this long; what they add up to by hour and day outlives them',
  },
  'history.keep_hours': { type: 'duration', default: '400d', help: 'usage by hour is kept for this long' },
  'history.keep_days': { type: 'duration', default: '1830d', help: 'usage by day is kept for this long' },
  'history.keep_operations': {
    type: 'duration',
    default: '400d',
    help: 'operations are kept for this long after they ended',
  },
  ...usageRows,
  'keys.stale_after': {
    type: 'duration',
    default: '45d',
    help: 'an API key unused for longer than this is stale',
  },
  'keys.source_addresses': {
    type: 'word',
    words: personalDataModes,
    default: 'plain',
    help: 'how addresses that API keys were used from are remembered: as they are, as salted hashes, or not at all; then their changes are not counted',
  },
  'keys.people': {
    type: 'word',
    words: personalDataModes,
    default: 'plain',
    help: 'how people who created API keys are remembered: as they are, as salted hashes without a name, or not at all',
  },
  'series.mode': {
    type: 'word',
    words: seriesModes,
    default: 'full',
    help: 'all series, or compact: a third of them, with which alerts and boards still work',
  },
  'series.exclude': {
    type: 'metricGlobs',
    default: '',
    help: 'metrics to leave out, by names in which * stands for anything',
  },
  'series.limit_per_family': {
    type: 'seriesLimit',
    default: '0',
    help: 'the most series one metric may have, 0 for no limit',
  },
  'rules.job': {
    type: 'text',
    default: 'dbpm',
    help: 'the `job` under which Prometheus scrapes the exporter, for the rule file',
  },
  'rules.runbook_url': {
    type: 'link',
    default: '',
    help: 'the address of a page with the runbook, such as a copy of docs/alerts.md; without it alerts link to the help of the console',
  },
  'rules.dashboard_url': {
    type: 'link',
    default: 'http://localhost:3000',
    help: 'the Grafana with the boards that alerts link to',
  },
  ...webRows,
  'log.level': {
    type: 'word',
    words: ['debug', 'info', 'warn', 'error'],
    default: 'info',
    flag: 'word',
    help: 'the least urgent messages that are logged',
  },
  'log.format': {
    type: 'word',
    words: ['logfmt', 'json'],
    default: 'logfmt',
    flag: 'word',
    help: 'how a log line is written',
  },
  'log.heartbeat': {
    type: 'duration',
    default: '1h',
    atLeast: '0s',
    // A timer takes a longer wait for none.
    atMost: '24d',
    flag: 'duration',
    help: 'a line that says how the daemon is doing is logged this often, 0s for never',
  },
} as const satisfies Record<string, SettingRow>;

/** The list of findings to be ignored, in the section of the settings of findings. */
export const ignoreKey = 'findings.ignore';

/** The settings by key: `settings['history.file']`. */
export const settings = makeSettings(rows);

/** The settings that are in sections. */
export const sectionSettings: readonly Setting[] = Object.values(settings);

/** The one setting that is in no section. */
export const shardSetting = makeSetting('shard', {
  type: 'shard',
  default: '',
  flag: 'part',
  help: 'the part of the projects that this exporter takes, such as 0/3, or auto/3 for the number at the end of the host name; all without it',
});

export const globalSettings: readonly Setting[] = [shardSetting, ...sectionSettings];

/** The value of a setting, in its section or in none. */
export function settingIn(config: object, setting: Setting): unknown {
  const [section = '', name] = setting.key.split('.');
  const found: unknown = Reflect.get(config, section);
  return name === undefined ? found : Reflect.get(Object(found), propertyOf(setting, section));
}

type SectionOf<Key> = Key extends `${infer Section}.${string}` ? Section : never;

/** The values of all settings by section; durations in milliseconds: `collect.idleRefreshMs`. */
export type Sections = {
  readonly [Section in SectionOf<keyof typeof rows>]: SettingValues<typeof rows, Section>;
};

export const configFileSetting = makeSetting('config.file', {
  type: 'path',
  flag: 'path',
  yaml: false,
  help: 'the YAML file to read settings from',
});

export const webFileSetting = makeSetting('web.config.file', {
  type: 'path',
  flag: 'path',
  yaml: false,
  help: 'the web configuration file with TLS, logins, headers and a rate limit, in the format that Prometheus exporters share',
});
