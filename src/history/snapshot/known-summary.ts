import { type AccountSummary, lastListedAt } from '../../resources/account.ts';
import { type ApiKeyView, idleSinceOf } from '../../resources/api-key.ts';
import { clockSkewMs, toServiceClock } from '../../resources/clock-skew.ts';
import { accountLists, type Collector } from '../../resources/collector.ts';
import { compact } from '../../resources/field.ts';
import type { Reading } from '../../resources/reading.ts';
import type { AccountQuery, AccountTotals, StoredKey } from './account-query.ts';
import type { FailedRead, Freshness } from './freshness.ts';
import type { ProjectQuery } from './project-query.ts';

/** An account, and the queries that what is remembered of it is read with. */
export interface SummaryOptions {
  readonly account: string;
  readonly account_ref: number;
  readonly queries: { readonly account: AccountQuery; readonly projects: ProjectQuery };
}

/** An account as it is remembered, without its projects. */
export class KnownSummary {
  readonly #options: SummaryOptions;
  readonly #freshness: Freshness;
  #keys: readonly StoredKey[] = [];
  /** Read when they are looked at: many readings are committed between two publications. */
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

  /** Reads everything back, as another daemon may have written it. */
  reload(): void {
    this.#skewMs = this.readClockSkew() ?? 0;
    this.reloadKeys();
    this.forgetTotals();
    this.forgetGone();
  }

  reloadKeys(): void {
    const { queries, account_ref } = this.#options;
    this.#keys = queries.account.keys(account_ref);
  }

  forgetTotals(): void {
    this.#totals = undefined;
  }

  forgetGone(): void {
    this.#lastGoneAt = 'unread';
  }

  /** Follows the service's clock by an answer of it, and how many projects lists name as unavailable. */
  followReading(reading: Reading): void {
    // What failed or was refused is dated by this host: it says nothing about the service's clock.
    if (reading.kind === 'failure' || reading.kind === 'consumption_refused') return;
    this.#skewMs = clockSkewMs(reading);
    if (reading.kind === 'projects' || reading.kind === 'project_page') this.#listServedAt = reading.servedAt;
    if (reading.kind !== 'projects') return;
    const { unavailable = 0 } = reading;
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
      ...withFailing(this.#readTotals(), this.#freshness),
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

/**
 * The totals as they are written, less the success of collectors whose last readings could not be, with the projects that
 * each collector fails at; what a list leaves out is no reading of a project.
 */
function withFailing(totals: AccountTotals, freshness: Freshness): AccountTotals {
  const isList = (collector: Collector) => accountLists.includes(collector);
  const isFailing = (collector: Collector) =>
    isList(collector) ? freshness.isFailing(collector, '') : !freshness.isWell(collector);
  const lists = totals.collectors
    .map(({ collector }) => collector)
    .filter(isList)
    .filter(isFailing);
  return {
    ...totals,
    collectors: totals.collectors.map(view => ({
      ...view,
      ...(isFailing(view.collector) && { success: false }),
      ...(!isList(view.collector) && compact({ failing: freshness.failingProjects(view.collector) })),
    })),
    ...(lists.length > 0 && { up: false }),
    ...(lists.some(collector => freshness.isRefused(collector)) && { authOk: false }),
  };
}

/** The readings of collectors that are lost with a reading that could not be written. */
export function listUnwritten(reading: Reading): readonly Pick<FailedRead, 'collector' | 'project_id'>[] {
  switch (reading.kind) {
    case 'projects':
    case 'project_page':
      return [{ collector: 'projects', project_id: '' }];
    case 'api_keys':
    case 'consumption':
      return [{ collector: reading.kind, project_id: '' }];
    case 'project_part':
      return [{ collector: reading.collector, project_id: reading.project_id }];
    case 'project':
    case 'operation_import': {
      const { project_id } = reading;
      const readsEndpoints = 'endpoints' in reading || 'unchanged' in reading;
      return [
        ...(readsEndpoints ? [{ collector: 'endpoints', project_id } as const] : []),
        ...(reading.operations === undefined ? [] : [{ collector: 'operations', project_id } as const]),
      ];
    }
    default:
      return [];
  }
}

/**
 * The view of an API key, without what it tells of people: who made it, and from where it was used.
 *
 * @param staleBeforeAt a key not used since then is stale; epoch milliseconds by the service's clock.
 */
function viewKey(account: string, key: StoredKey, staleBeforeAt: number): ApiKeyView {
  const idleSinceAt = idleSinceOf(key);
  const { last_used_from_addr, created_by_id, created_by_name, ...shown } = key;
  return {
    ...shown,
    account,
    ...compact({ idleSinceAt, stale: idleSinceAt === undefined ? undefined : idleSinceAt < staleBeforeAt }),
  };
}
