import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import { requestRoutes } from '../resources/catalog.ts';
import { type Reason, reasons } from '../resources/reason.ts';
import { type Format, renderBound, renderHeader, renderLabels, renderSample } from './exposition.ts';
import { type SelfFamily, selfFamilies } from './self-family.ts';

type MetricJson = MetricObjectWithValues<MetricValue<string> & { readonly metricName?: string }>;

/** One request to the service that came to an end. */
export interface RequestAttempt {
  readonly route: string;
  readonly outcome: 'ok' | Reason;
  readonly durationMs: number;
}

/** Not what their names promise: promlint refuses gauges that end in `_total`. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** What the daemon measures of itself, through prom-client; rendered beside the page. */
export class SelfMetrics {
  readonly #registry = new Registry();
  readonly historyWriteFailures: Counter;
  readonly #apiRequests: Counter;
  readonly #apiRequestDuration: Histogram;

  /** `read…` are asked at every scrape. */
  constructor(options: {
    readonly version: string;
    readonly revision: string;
    readonly readHistorySizeBytes: () => number;
    readonly readBudgets: () => Iterable<readonly [account: string, perMinute: number]>;
  }) {
    collectDefaultMetrics({ register: this.#registry });
    for (const name of misnamed) this.#registry.removeSingleMetric(name);
    const buildInfo = new Gauge(this.#declare(selfFamilies.buildInfo));
    const { version, revision } = options;
    buildInfo.set({ version, revision, node_version: process.version }, 1);
    this.#apiRequests = new Counter(this.#declare(selfFamilies.apiRequests));
    this.#apiRequestDuration = new Histogram({
      ...this.#declare(selfFamilies.apiRequestDuration),
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    });
    this.historyWriteFailures = new Counter(this.#declare(selfFamilies.historyWriteFailures));
    new Gauge(this.#declare(selfFamilies.lastReloadSuccessful)).set(1);
    new Gauge(this.#declare(selfFamilies.lastReloadSuccessTimestamp)).setToCurrentTime();
    this.#declareReadAtScrape(selfFamilies.historySize, gauge => gauge.set(options.readHistorySizeBytes()));
    this.#declareReadAtScrape(selfFamilies.requestBudget, gauge => {
      for (const [account, perMinute] of options.readBudgets()) gauge.set({ account }, perMinute);
    });
  }

  /** Counts the requests of an account; every outcome of every route is born at 0. */
  requestCounter(account: string): (attempt: RequestAttempt) => void {
    for (const route of requestRoutes) {
      for (const outcome of ['ok', ...reasons]) this.#apiRequests.inc({ account, route, outcome }, 0);
    }
    return ({ route, outcome, durationMs }) => {
      this.#apiRequests.inc({ account, route, outcome });
      this.#apiRequestDuration.observe({ route }, durationMs / 1000);
    };
  }

  /** All self-metrics as they are now, to be appended to the page; OpenMetrics with its end mark. */
  async render(format: Format): Promise<string> {
    const metrics: readonly MetricJson[] = await this.#registry.getMetricsAsJSON();
    const families = metrics.map(metric => renderMetric(metric, format)).join('');
    return format === 'openmetrics' ? `${families}# EOF\n` : families;
  }

  #declare({ name, help, labels }: SelfFamily) {
    return { name, help, labelNames: [...labels], registers: [this.#registry] };
  }

  #declareReadAtScrape(family: SelfFamily, read: (gauge: Gauge) => void): void {
    new Gauge({
      ...this.#declare(family),
      collect() {
        read(this);
      },
    });
  }
}

function renderMetric(metric: MetricJson, format: Format): string {
  const type = metricType(metric.type);
  const samples = metric.values.map(sample => {
    const names = Object.keys(sample.labels).sort((a, b) => Number(a === 'le') - Number(b === 'le'));
    const values = names.map(name => {
      const value = sample.labels[name];
      return name === 'le' && typeof value === 'number' ? renderBound(value) : String(value ?? '');
    });
    const name = sample.metricName ?? metric.name;
    return renderSample(name, renderLabels(names, values), sample.value);
  });
  return renderHeader({ name: metric.name, type, help: metric.help }, format) + samples.join('');
}

/** prom-client's JSON names types in words, its typings say they are numbers. */
function metricType(type: unknown): 'counter' | 'gauge' | 'histogram' | 'summary' {
  return type === 'counter' || type === 'histogram' || type === 'summary' ? type : 'gauge';
}
