import { ApiClient } from '../api/client.ts';
import type { ApiAttempt } from '../api/client-options.ts';
import type { ListSource } from '../api/list-walk.ts';
import type { Account, Config } from '../config/config.ts';
import { clockSkewMs } from '../resources/clock-skew.ts';
import { secondMs } from '../resources/duration.ts';
import type { TimedRequest } from './answers.ts';
import { middleOf } from './middle.ts';

/** A check is not to keep anybody waiting: what fails is tried once more and no more. */
const mostAttempts = 2;
/** A date has whole seconds: on average the instant is half a second later. */
const cutOffMs = secondMs / 2;

/** Asks one account, and takes down how long it took and what time the service says it is. */
export class AccountSource implements ListSource {
  readonly requests: TimedRequest[] = [];
  readonly #client: ApiClient;
  readonly #skewsMs: number[] = [];

  constructor(
    { base_url, org_id, readApiKey, readProxy, ca, requestsPerMinute }: Account,
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
      ...(org_id !== undefined && { org_id }),
      longestPauseMs: collect.longestPauseMs,
      maxAttempts: mostAttempts,
      onAttempt: attempt => this.#note(attempt),
    });
  }

  get routesWithoutLimit(): Set<string> {
    return this.#client.routesWithoutLimit;
  }

  get org_id(): string | undefined {
    return this.#client.org_id;
  }

  readonly get: ListSource['get'] = request => this.#client.get(request);

  /** The service's clock minus this host's, to about a second; undefined where the service does not tell its time. */
  get clockSkewMs(): number | undefined {
    return middleOf(this.#skewsMs);
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  #note({ outcome, durationMs, dateAt }: ApiAttempt): void {
    this.requests.push({ isOk: outcome === 'ok', durationMs });
    if (dateAt === undefined) return;
    this.#skewsMs.push(clockSkewMs({ readAt: Date.now(), servedAt: dateAt + cutOffMs }));
  }
}
