import { type AccountSummary, lastListedAt } from '../../resources/account.ts';
import { clockSkewMs, toServiceClock } from '../../resources/clock-skew.ts';
import { compact } from '../../resources/field.ts';
import type { ProjectsReading, Reading } from '../../resources/reading.ts';
import type { AccountTotals } from './account-query.ts';
import { withFailing } from './failing-project.ts';
import type { Freshness } from './freshness.ts';
import type { StoredKey } from './key-query.ts';
import { viewKey } from './key-view.ts';
import type { MemoryQueries } from './memory-query.ts';
import { withUnwritten } from './unwritten-outcome.ts';

interface SummaryOptions {
  readonly account: string;
  readonly account_ref: number;
  readonly queries: MemoryQueries;
}

/** An account as it is remembered, without its projects. */
export class SummaryMemory {
  readonly #options: SummaryOptions;
  readonly #freshness: Freshness;
  #keys: readonly StoredKey[] = [];
  /** Read when they are looked at: many readings are recorded between two publications. */
  #totals: AccountTotals | undefined;
  /** When the last project went; to be read anew when one may have come or gone. */
  #lastGoneAt: number | undefined | 'unread' = 'unread';
  /** The service's clock minus ours, by the last reading. */
  #skewMs = 0;
  #listServedAt: number | undefined;
  /** Projects that the newest list named as unavailable; undefined until one did. */
  #unavailable: number | undefined;

  constructor(options: SummaryOptions, freshness: Freshness) {
    this.#options = options;
    this.#freshness = freshness;
  }

  /** Reads everything back, whoever wrote it. */
  reload(): void {
    this.#skewMs = this.readClockSkew() ?? 0;
    this.reloadKeys();
    this.forgetTotals();
    this.forgetGone();
  }

  reloadKeys(): void {
    const { queries, account_ref } = this.#options;
    this.#keys = queries.keys.keys(account_ref);
  }

  forgetTotals(): void {
    this.#totals = undefined;
  }

  forgetGone(): void {
    this.#lastGoneAt = 'unread';
  }

  /** Follows the service's clock by an answer of it. */
  followClock(reading: Reading): void {
    this.#skewMs = clockSkewMs(reading);
    if (reading.kind === 'projects' || reading.kind === 'project_page') this.#listServedAt = reading.servedAt;
  }

  /** Follows how many projects lists name as unavailable. */
  followUnavailable({ unavailable = 0 }: ProjectsReading): void {
    if (unavailable > 0 || this.#unavailable !== undefined) this.#unavailable = unavailable;
  }

  /** The service's clock minus the host's, by the last list of an earlier run; undefined before the first. */
  readClockSkew(): number | undefined {
    const { queries, account_ref } = this.#options;
    return queries.account.clockSkewMs(account_ref);
  }

  /** The date of the newest answer to a list poll of this run, by the service's clock; undefined before the first. */
  get listServedAt(): number | undefined {
    return this.#listServedAt;
  }

  /** Whether the list of projects was ever read. */
  wasListed(): boolean {
    return lastListedAt(this.#readTotals()) !== undefined;
  }

  /** Whether any collector ever succeeded. */
  wasRead(): boolean {
    return this.#readTotals().collectors.some(({ lastSuccessAt }) => lastSuccessAt !== undefined);
  }

  /**
   * The view of the account itself.
   *
   * @param now epoch milliseconds by this host's clock.
   * @param staleAfterMs from when on a key that is not used is stale.
   * @param importsLeft projects whose operations are still to be imported; undefined where that is not known.
   */
  summarize(now: number, staleAfterMs: number, importsLeft: number | undefined): AccountSummary {
    const { account } = this.#options;
    const serviceNow = toServiceClock(now, this.#skewMs);
    return {
      account,
      ...withFailing(withUnwritten(this.#readTotals(), this.#freshness), this.#freshness),
      ...compact({
        lastProjectGoneAt: this.#readLastGone(),
        importsLeft,
        unavailableProjects: this.#unavailable,
      }),
      api_keys: this.#freshness.isLost('api_keys', '', now)
        ? []
        : this.#keys.map(key => viewKey(account, key, serviceNow - staleAfterMs)),
    };
  }

  #readTotals(): AccountTotals {
    const { queries, account_ref } = this.#options;
    this.#totals ??= queries.account.read(account_ref);
    return this.#totals;
  }

  #readLastGone(): number | undefined {
    const { queries, account_ref } = this.#options;
    if (this.#lastGoneAt === 'unread') this.#lastGoneAt = queries.account.lastGoneAt(account_ref);
    return this.#lastGoneAt;
  }
}
