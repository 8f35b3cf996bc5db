import { collectDefaultMetrics, Registry } from 'prom-client';

/** Default metrics left out: promlint refuses gauges that end in `_total`. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** Reading them takes longer than the rest of a scrape; many scrapers at once need not pay for it many times. */
const lastingMs = 1000;

type MetricsJson = ReturnType<Registry['getMetricsAsJSON']>;

/** The default metrics of prom-client for a Node process, at most a second old. */
export class ProcessMetrics {
  readonly #registry = new Registry();
  readonly #now: () => number;
  #latest: { readonly readAt: number; readonly metrics: MetricsJson } | undefined;

  /** @param now milliseconds of a clock that is never set. */
  constructor(now: () => number) {
    this.#now = now;
    collectDefaultMetrics({ register: this.#registry });
    for (const name of misnamed) this.#registry.removeSingleMetric(name);
  }

  read(): MetricsJson {
    const now = this.#now();
    if (this.#latest === undefined || now - this.#latest.readAt >= lastingMs) {
      this.#latest = { readAt: now, metrics: this.#registry.getMetricsAsJSON() };
    }
    return this.#latest.metrics;
  }
}
