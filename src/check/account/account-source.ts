import { ApiClient } from '../../api/client.ts';
import type { ApiAttempt } from '../../api/client-options.ts';
import type { ListSource } from '../../api/list.ts';
import { watchCertificate } from '../../api/transport/connections.ts';
import type { Account, Config } from '../../config/config.ts';
import { clockSkewMs } from '../../resources/clock-skew.ts';
import { secondMs } from '../../resources/duration.ts';
import { type Answers, middleOf, type TimedRequest } from './answers.ts';

/** A check should not take long: what fails is tried once more and no more. */
const mostAttempts = 2;
/** A date has whole seconds: on average the instant is half a second later. */
const cutOffMs = secondMs / 2;

/** Asks one account, and takes down how long it took and what time the service says it is. */
export class AccountSource implements ListSource {
  readonly requests: TimedRequest[] = [];
  readonly #client: ApiClient;
  readonly #skewsMs: number[] = [];
  readonly #certificates;
  #certificateEndsAt: number | undefined;

  constructor(
    { base_url, org_id, readApiKey, readProxy, ca, requestsPerMinute }: Account,
    collect: Config['collect'],
    userAgent: string,
  ) {
    this.#certificates = watchCertificate(base_url, endsAt => {
      this.#certificateEndsAt = endsAt;
    });
    this.#client = new ApiClient({
      base_url,
      readApiKey,
      requestsPerMinute,
      userAgent,
      ...(readProxy && { proxy: readProxy() }),
      ...(ca && { readCa: ca.read }),
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

  /** When the certificate of the service ends, and how long that is from now, in milliseconds; undefined without TLS. */
  get certificate(): Answers['certificate'] {
    const endsAt = this.#certificateEndsAt;
    return endsAt === undefined ? undefined : { endsAt, leftMs: endsAt - Date.now() };
  }

  close(): Promise<void> {
    this.#certificates.close();
    return this.#client.close();
  }

  #note({ outcome, durationMs, dateAt }: ApiAttempt): void {
    this.requests.push({ isOk: outcome === 'ok', durationMs });
    if (dateAt === undefined) return;
    this.#skewsMs.push(clockSkewMs({ readAt: Date.now(), servedAt: dateAt + cutOffMs }));
  }
}
