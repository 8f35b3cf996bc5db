import { collectors } from '../resources/collector.ts';
import { seriesModes } from '../resources/series/family-selection.ts';
import { collectorList, familyGlobs } from './list-kind.ts';
import { sampleRetention } from './retention-kind.ts';
import { type Setting, setting } from './setting-row.ts';
import { timeZone } from './time-zone-kind.ts';
import {
  duration,
  historyFile,
  link,
  listenAddress,
  oneOf,
  path,
  plainText,
  quantity,
  schedule,
  seriesLimit,
  telemetryPath,
} from './value-kind.ts';

/** The settings by section, shaped like the configuration they become. */
export const settings = {
  collect: {
    collectors: setting({
      key: 'collect.collectors',
      kind: collectorList,
      default: collectors.join(', '),
      help: 'what is read; what is not is not asked for, and has no series',
    }),
    schedule: setting({
      key: 'collect.schedule',
      kind: schedule,
      default: '*/10 * * * * *',
      help: 'when the list of projects of each account is read, as a cron expression with seconds first; less often when the request budget does not allow it',
    }),
    idleRefreshMs: setting({
      key: 'collect.idle_refresh',
      kind: duration,
      default: '15m',
      help: 'an idle project is read again at least this often',
    }),
    apiKeysRefreshMs: setting({
      key: 'collect.api_keys_refresh',
      kind: duration,
      default: '5m',
      help: 'the list of API keys is read this often',
    }),
    dropAfterMs: setting({
      key: 'collect.drop_after',
      kind: duration,
      default: '10m',
      help: 'series of what could not be refreshed for this long vanish',
    }),
  },
  history: {
    file: setting({
      key: 'history.file',
      kind: historyFile,
      default: 'data/dbpm.sqlite',
      flag: true,
      help: 'the SQLite file that remembers, relative to the working directory',
    }),
    keepSamplesMs: setting({
      key: 'history.keep_samples',
      kind: sampleRetention,
      default: '90d',
      help: 'raw readings are kept for this long; what they add up to by hour and day outlives them',
    }),
    keepHoursMs: setting({
      key: 'history.keep_hours',
      kind: duration,
      default: '400d',
      help: 'usage by hour is kept for this long',
    }),
    keepDaysMs: setting({
      key: 'history.keep_days',
      kind: duration,
      default: '1830d',
      help: 'usage by day is kept for this long',
    }),
    keepOperationsMs: setting({
      key: 'history.keep_operations',
      kind: duration,
      default: '400d',
      help: 'operations are kept for this long after they ended',
    }),
  },
  usage: {
    timezone: setting({
      key: 'usage.timezone',
      kind: timeZone,
      default: 'UTC',
      help: 'where days, weeks and months of budgets, reports and habits begin',
    }),
    refreshMs: setting({
      key: 'usage.refresh',
      kind: duration,
      default: '1m',
      help: 'cost, budgets and forecasts are worked out anew this often',
    }),
    anomalyComputeHours: setting({
      key: 'usage.anomaly_compute_hours',
      kind: quantity,
      default: '1',
      help: "a project's day is unusual only if it used at least this many compute hours more than usual",
    }),
  },
  keys: {
    staleAfterMs: setting({
      key: 'keys.stale_after',
      kind: duration,
      default: '45d',
      help: 'an API key unused for longer than this is stale',
    }),
  },
  series: {
    mode: setting({
      key: 'series.mode',
      kind: oneOf(...seriesModes),
      default: 'full',
      help: 'all series, or compact: a third of them, with which alerts and boards still work',
    }),
    exclude: setting({
      key: 'series.exclude',
      kind: familyGlobs,
      default: '',
      help: 'metrics to leave out, by names in which * stands for anything',
    }),
    limitPerFamily: setting({
      key: 'series.limit_per_family',
      kind: seriesLimit,
      default: '0',
      help: 'the most series one metric may have, 0 for no limit',
    }),
  },
  rules: {
    job: setting({
      key: 'rules.job',
      kind: plainText,
      default: 'dbpm',
      help: 'the `job` under which Prometheus scrapes the exporter, for the rule file',
    }),
    runbookUrl: setting({
      key: 'rules.runbook_url',
      kind: link,
      default: 'docs/alerts.md',
      help: 'where people read the runbook that alerts link to',
    }),
    dashboardUrl: setting({
      key: 'rules.dashboard_url',
      kind: link,
      default: 'http://localhost:3000',
      help: 'the Grafana with the boards that alerts link to',
    }),
  },
  web: {
    listenAddress: setting({
      key: 'web.listen_address',
      kind: listenAddress,
      default: ':10062',
      flag: true,
      help: 'where HTTP is served: :PORT, HOST:PORT or [::1]:PORT',
    }),
    telemetryPath: setting({
      key: 'web.telemetry_path',
      kind: telemetryPath,
      default: '/metrics',
      flag: true,
      help: 'the path the metrics are served under',
    }),
  },
  log: {
    level: setting({
      key: 'log.level',
      kind: oneOf('debug', 'info', 'warn', 'error'),
      default: 'info',
      flag: true,
      help: 'the least urgent messages that are logged',
    }),
    format: setting({
      key: 'log.format',
      kind: oneOf('logfmt', 'json'),
      default: 'logfmt',
      flag: true,
      help: 'how a log line is written',
    }),
  },
};

export const configFileSetting = setting({
  key: 'config.file',
  kind: path,
  flag: true,
  yaml: false,
  help: 'the YAML file to read settings from',
});

/** Every setting outside the accounts, in the order of the schema. */
export const globalSettings: readonly Setting<unknown>[] = Object.values(settings).flatMap(
  (section): Setting<unknown>[] => Object.values(section),
);

type ValueOf<Row> = Row extends Setting<infer Value> ? Value : never;

/** The values of a tree of settings, in its shape. */
export type SettingValues<Tree> = {
  readonly [Section in keyof Tree]: {
    readonly [Name in keyof Tree[Section]]: ValueOf<Tree[Section][Name]>;
  };
};
