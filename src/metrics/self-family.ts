/** A metric of the daemon about itself, declared once; prom-client keeps its value. */
export interface SelfFamily {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
}

export const selfFamilies = {
  buildInfo: {
    name: 'dbpm_exporter_build_info',
    type: 'gauge',
    help: 'The version of this exporter and of its Node.',
    labels: ['version', 'revision', 'node_version'],
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
  historySize: {
    name: 'dbpm_exporter_history_size_bytes',
    type: 'gauge',
    help: 'Size of the history on disk, its write-ahead log included.',
    labels: [],
  },
  historyWriteFailures: {
    name: 'dbpm_exporter_history_write_failures_total',
    type: 'counter',
    help: 'Readings that could not be written to the history since this process started.',
    labels: [],
  },
  eventLoopDelayP99: {
    name: 'dbpm_exporter_event_loop_delay_p99_seconds',
    type: 'gauge',
    help: 'Time between two timers of the event loop, 99th percentile of the last full minute: 0.01 when none is late.',
    labels: [],
  },
  eventLoopDelayMax: {
    name: 'dbpm_exporter_event_loop_delay_max_seconds',
    type: 'gauge',
    help: 'Time between two timers of the event loop, longest of the last full minute: 0.01 when none is late.',
    labels: [],
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
    help: 'Series of the metric that series.limit_per_family keeps off the page now, a gauge as they come back when there is room; absent without a limit.',
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
    help: 'Whether the configuration was last loaded without a problem.',
    labels: [],
  },
  lastReloadSuccessTimestamp: {
    name: 'dbpm_exporter_config_last_reload_success_timestamp_seconds',
    type: 'gauge',
    help: 'When the configuration was last loaded without a problem.',
    labels: [],
  },
} as const satisfies Record<string, SelfFamily>;
