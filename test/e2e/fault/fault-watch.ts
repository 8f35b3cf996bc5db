import { setTimeout as pause } from 'node:timers/promises';
import { findSpellings } from '../../support/canary.ts';
import type { Sample } from '../../support/exposition-reader.ts';
import type { Prometheus } from '../../support/prometheus.ts';
import { ScrapeWatch } from '../../world/scrape-watch.ts';
import { worldKey } from '../simulated-world.ts';
import { samplesOf, signsOf } from './account-sign.ts';

/** As Prometheus has it unless told. */
const scrapeTimeoutMs = 10_000;
/** A machine that is busy with other things misses one by itself. */
const mostMissed = 1;

/**
 * Scrapes a daemon all the time, asks which alerts fire, and holds what may never be: a counter that fell, a key on the
 * page, a healthy account that is not.
 */
export class FaultWatch {
  readonly counters = new ScrapeWatch();
  readonly #stopped = new AbortController();
  readonly #wrong = new Set<string>();
  #watching: Promise<void> | undefined;
  #firing: readonly Sample[] = [];

  get latest(): readonly Sample[] {
    return this.counters.latest;
  }

  /** What was seen that may never be. */
  get wrong(): readonly string[] {
    return [...this.#wrong, ...this.counters.falls];
  }

  /** @param healthy the account that must be as on any good day from now on. */
  start(url: string, prometheus: Prometheus, healthy: string): void {
    const before = this.latest;
    let missed = 0;
    this.#watching = (async () => {
      while (!this.#stopped.signal.aborted) {
        missed = (await this.counters.scrape(url, scrapeTimeoutMs)) ? 0 : missed + 1;
        if (missed > mostMissed) this.#wrong.add('scrapes were not answered');
        for (const spelling of findSpellings(worldKey, JSON.stringify(this.latest))) {
          this.#wrong.add(`the page has the key as ${spelling}`);
        }
        for (const sign of signsOf(healthy, before, this.latest)) this.#wrong.add(`${healthy}: ${sign}`);
        this.#firing = await prometheus.query('ALERTS{alertstate="firing"}');
        await pause(500);
      }
    })();
  }

  /** Names of the alerts about an account. */
  firing(account: string): ReadonlySet<string> {
    return new Set(samplesOf(account, this.#firing).map(({ labels }) => labels.alertname ?? ''));
  }

  /** Requests for the list of projects of an account that were answered so far. */
  listRequests(account: string): number {
    return samplesOf(account, this.latest)
      .filter(
        ({ name, labels }) => name === 'dbpm_exporter_api_requests_total' && labels.route === '/projects',
      )
      .reduce((sum, { labels, value }) => sum + (labels.outcome === 'ok' ? value : 0), 0);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#watching;
  }
}
