import { readExposition, type Sample } from '../support/exposition-reader.ts';

/** Series that may never go down while a history lasts. What `dbpm_exporter_` counts begins anew with each process. */
export const lastingCounter = /^dbpm_(?!exporter_).*(?:_total|_count|_bucket|_sum)$/;

/** Scrapes and holds every counter against the highest value it ever had; a series may vanish, not come back lower. */
export class ScrapeWatch {
  readonly #highest = new Map<string, number>();
  readonly #falls: string[] = [];
  #latest: readonly Sample[] = [];
  #readingsBefore = 0;
  #readings = 0;
  scrapes = 0;

  /** The samples of the last scrape. */
  get latest(): readonly Sample[] {
    return this.#latest;
  }

  /** Every time a counter went down. */
  get falls(): readonly string[] {
    return this.#falls;
  }

  /** Requests the service answered to all daemons there were, as far as a scrape told. */
  get readings(): number {
    return this.#readingsBefore + this.#readings;
  }

  /** How often the present daemon has read the list of projects. */
  get listPolls(): number {
    return this.#countReadings('/projects');
  }

  get seriesWatched(): number {
    return this.#highest.size;
  }

  /** Takes a page as it was scraped. */
  note(page: string): void {
    this.#latest = readExposition(page);
    this.scrapes += 1;
    const readings = this.#countReadings();
    if (readings < this.#readings) this.#readingsBefore += this.#readings;
    this.#readings = readings;
    for (const sample of this.#latest) if (lastingCounter.test(sample.name)) this.#hold(sample);
  }

  /** @returns whether the page came whole; a process that is just being killed cannot answer. */
  async scrape(url: string, timeoutMs = 5000): Promise<boolean> {
    const page = await readPage(url, timeoutMs);
    if (page !== undefined) this.note(page);
    return page !== undefined;
  }

  #countReadings(route?: string): number {
    return this.#latest
      .filter(({ name }) => name === 'dbpm_exporter_api_requests_total')
      .filter(({ labels }) => labels.outcome === 'ok' && (route ?? labels.route) === labels.route)
      .reduce((sum, { value }) => sum + value, 0);
  }

  #hold({ name, labels, value }: Sample): void {
    const series = name + JSON.stringify(labels);
    const highest = this.#highest.get(series) ?? 0;
    if (value < highest) this.#falls.push(`${series} fell from ${highest} to ${value}`);
    this.#highest.set(series, Math.max(value, highest));
  }
}

/** The text of a daemon's page; undefined where none comes whole. */
export async function readPage(url: string, timeoutMs = 5000): Promise<string | undefined> {
  try {
    return await (await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(timeoutMs) })).text();
  } catch {
    return undefined;
  }
}
