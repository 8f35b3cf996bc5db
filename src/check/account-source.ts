import { ApiClient } from '../api/client.ts';
import type { ListSource } from '../api/list-walk.ts';
import type { Account, Config } from '../config/config.ts';
import { clockSkewMs } from '../resources/clock-skew.ts';
import { secondMs } from '../resources/duration.ts';
import type { TimedRequest } from './answers.ts';
import { middleOf } from './middle.ts';

/** A check is not to keep anybody waiting: what fails is tried once more and no more. */
const mostAttempts = 2;

/** Asks one account, and takes down how long it took and what time the service says it is. */
export class AccountSource implements ListSource {
  readonly requests: TimedRequest[] = [];
  readonly #client: ApiClient;
  readonly #skewsMs: number[] = [];

  constructor(
    { base_url, readApiKey, readProxy, ca, requestsPerMinute }: Account,
    collect: Config['collect'],
    userAgent: string,
  ) {
    this.#client = new ApiClient({
      base_url,
      readApiKey,
      requestsPerMinute,
      userAgent,
      ...(readProxy && { proxy: readProxy() }),
      ...(ca !== undefined && { ca }),
      longestPauseMs: collect.longestPauseMs,
      maxAttempts: mostAttempts,
      onAttempt: ({ outcome, durationMs }) => this.requests.push({ isOk: outcome === 'ok', durationMs }),
    });
  }

  get routesWithoutLimit(): Set<string> {
    return this.#client.routesWithoutLimit;
  }

  readonly get: ListSource['get'] = async request => {
    const document = await this.#client.get(request);
    // A date of the service has whole seconds; without one this host's clock was taken, which has not.
    const isDated = document.servedAt % secondMs === 0;
    const servedAt = document.servedAt + secondMs / 2;
    if (isDated) this.#skewsMs.push(clockSkewMs({ readAt: Date.now(), servedAt }));
    return document;
  };

  /** The service's clock minus this host's, to about a second; undefined where the service does not tell its time. */
  get clockSkewMs(): number | undefined {
    return middleOf(this.#skewsMs);
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
