/** A metric of the daemon about itself, declared once; prom-client keeps its value. */
export interface SelfFamily {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** Without samples the page does not name it. */
  readonly isOptional?: true;
}

export const selfFamilies = {
  buildInfo: {
    name: 'dbpm_exporter_build_info',
    type: 'gauge',
    help: 'The version of this exporter and of its Node.',
    labels: ['version', 'revision', 'node_version'],
  },
  shardInfo: {
    name: 'dbpm_exporter_shard_info',
    type: 'gauge',
    help: 'The part of the projects that this exporter takes, and of how many parts; absent without --shard.',
    labels: ['shard', 'shards'],
    isOptional: true,
  },
  shards: {
    name: 'dbpm_exporter_shards',
    type: 'gauge',
    help: 'How many exporters share the projects, this one counted; absent without --shard.',
    labels: [],
    isOptional: true,
  },
  apiRequests: {
    name: 'dbpm_exporter_api_requests_total',
    type: 'counter',
    help: 'Requests to the service since this process started, every attempt, by outcome: ok or why it failed.',
    labels: ['account', 'route', 'outcome'],
  },
  apiRequestDuration: {
    name: 'dbpm_exporter_api_request_duration_seconds',
    type: 'histogram',
    help: 'How long requests to the service took, every attempt.',
    labels: ['route'],
  },
  requestBudget: {
    name: 'dbpm_exporter_request_budget_per_minute',
    type: 'gauge',
    help: 'Requests a minute the exporter allows itself now.',
    labels: ['account'],
  },
  pausedUntilTimestamp: {
    name: 'dbpm_account_paused_until_timestamp_seconds',
    type: 'gauge',
    help: 'Until when the service asked to be left alone (Retry-After), at most collect.longest_pause. Absent while it did not. Another key ends it.',
    labels: ['account'],
  },
  dateOffset: {
    name: 'dbpm_account_unbelieved_date_offset_seconds',
    type: 'gauge',
    help: 'How far the Date of the last answer is ahead of the instant it was taken for. Absent while it is believed.',
    labels: ['account'],
    isOptional: true,
  },
  requestDemand: {
    name: 'dbpm_exporter_request_demand_per_minute',
    type: 'gauge',
    help: 'Requests a minute that it would take to read everything as soon as it is due.',
    labels: ['account'],
  },
  oldestDueTimestamp: {
    name: 'dbpm_exporter_oldest_due_timestamp_seconds',
    type: 'gauge',
    help: 'When the reading that has waited longest for its turn became due; absent while none waits.',
    labels: ['account'],
  },
  workSkipped: {
    name: 'dbpm_exporter_work_skipped_total',
    type: 'counter',
    help: 'Polls that the request budget did not allow in time since this process started: list polls left out (sweep), idle projects polled late (idle_reading).',
    labels: ['account', 'work'],
  },
  listPollInterval: {
    name: 'dbpm_exporter_sweep_interval_seconds',
    type: 'gauge',
    help: 'Time from one list poll to the next: as scheduled, or longer where the request budget does not allow it or the list lags.',
    labels: ['account'],
  },
  listLag: {
    name: 'dbpm_exporter_list_lag_seconds',
    type: 'gauge',
    help: 'How far the list of projects lags behind what happens; 0 until a few starts were seen.',
    labels: ['account'],
  },
  partialPolls: {
    name: 'dbpm_exporter_light_readings',
    type: 'gauge',
    help: 'Whether idle projects are read by their operations alone three times in four, to save requests.',
    labels: ['account'],
  },
  pollingStalled: {
    name: 'dbpm_exporter_polling_stalled',
    type: 'gauge',
    help: 'Whether polling the account has stalled for minutes; /-/healthy then answers 503. Restart the exporter.',
    labels: ['account'],
  },
  historySize: {
    name: 'dbpm_exporter_history_size_bytes',
    type: 'gauge',
    help: 'Size of the history on disk, its write-ahead log included.',
    labels: [],
  },
  historyDamaged: {
    name: 'dbpm_exporter_history_damaged',
    type: 'gauge',
    help: 'Whether a part of the history was found damaged since this process started: what needs it stands still.',
    labels: [],
  },
  historySetAsideTimestamp: {
    name: 'dbpm_exporter_history_set_aside_timestamp_seconds',
    type: 'gauge',
    help: 'When a damaged history was last set aside; absent while none was.',
    labels: [],
  },
  historyBackupTimestamp: {
    name: 'dbpm_exporter_history_backup_timestamp_seconds',
    type: 'gauge',
    help: 'When the newest backup of the history was made.',
    labels: [],
  },
  historyBackupSuccess: {
    name: 'dbpm_exporter_history_backup_success',
    type: 'gauge',
    help: 'Whether the last attempt to make a backup of the history succeeded; absent before the first attempt.',
    labels: [],
  },
  standby: {
    name: 'dbpm_exporter_standby',
    type: 'gauge',
    help: 'Whether this exporter waits for the history of another one; absent without --standby.',
    labels: [],
    isOptional: true,
  },
  takeovers: {
    name: 'dbpm_exporter_takeovers_total',
    type: 'counter',
    help: 'How often a standby took the history over since the history began; absent without --standby.',
    labels: [],
    isOptional: true,
  },
  historyWriteFailures: {
    name: 'dbpm_exporter_history_write_failures_total',
    type: 'counter',
    help: 'Readings, request budgets and cost accruals that could not be written to the history since this process started.',
    labels: [],
  },
  eventLoopDelayP99: {
    name: 'dbpm_exporter_event_loop_delay_p99_seconds',
    type: 'gauge',
    help: 'How late timers of the event loop were, 99th percentile of the last full minute.',
    labels: [],
  },
  eventLoopDelayMax: {
    name: 'dbpm_exporter_event_loop_delay_max_seconds',
    type: 'gauge',
    help: 'How late timers of the event loop were at most in the last full minute.',
    labels: [],
  },
  httpTurnedAway: {
    name: 'dbpm_exporter_http_turned_away_total',
    type: 'counter',
    help: 'Rejected requests since this process started: connections closed for new ones (connection_replaced) or not taken (connection_refused), scrapes refused (too_many_answers) or cut off (too_slow).',
    labels: ['reason'],
  },
  httpLogins: {
    name: 'dbpm_exporter_http_logins_total',
    type: 'counter',
    help: 'Requests with a login since this process started, by outcome: ok, wrong, or too_many where it gave way to others.',
    labels: ['outcome'],
  },
  publishedSeries: {
    name: 'dbpm_exporter_published_series',
    type: 'gauge',
    help: 'Series on the page, those of the exporter about itself not counted.',
    labels: [],
  },
  seriesDropped: {
    name: 'dbpm_exporter_series_dropped',
    type: 'gauge',
    help: 'Series of the metric that series.limit_per_family keeps off the page now; absent without a limit.',
    labels: ['family'],
  },
  publishedTimestamp: {
    name: 'dbpm_exporter_published_timestamp_seconds',
    type: 'gauge',
    help: 'When the page was last brought up to date with what is known.',
    labels: [],
  },
  publishDuration: {
    name: 'dbpm_exporter_publish_duration_seconds',
    type: 'gauge',
    help: 'How long it took to bring the page up to date the last time.',
    labels: [],
  },
  lastReloadSuccessful: {
    name: 'dbpm_exporter_config_last_reload_successful',
    type: 'gauge',
    help: 'Whether the configuration was last loaded without a problem, and every key file and certificate file can still be used.',
    labels: [],
  },
  lastReloadSuccessTimestamp: {
    name: 'dbpm_exporter_config_last_reload_success_timestamp_seconds',
    type: 'gauge',
    help: 'When the configuration was last loaded without a problem.',
    labels: [],
  },
} as const satisfies Record<string, SelfFamily>;
