import type { AccountSummary, ShownCounts } from '../../resources/account.ts';
import { clockSkewMs, toServiceClock } from '../../resources/clock-skew.ts';
import type { Collector } from '../../resources/collector.ts';
import { compact } from '../../resources/field.ts';
import type { ProjectView } from '../../resources/project.ts';
import type { NamedProject } from '../../resources/project-filter.ts';
import type { FailedReading, ProjectsReading, Reading } from '../../resources/reading.ts';
import type { AccountQuery, AccountTotals } from './account-query.ts';
import { ChangedProjects, type ProjectChanges } from './changed-projects.ts';
import { Freshness } from './freshness.ts';
import type { KeyQuery, StoredKey } from './key-query.ts';
import { viewKey } from './key-view.ts';
import type { ProjectQuery } from './project-query.ts';
import { viewProject } from './project-view.ts';
import type { StoredProject } from './stored-project.ts';
import { withUnwritten } from './unwritten-outcome.ts';

export interface MemoryQueries {
  readonly account: AccountQuery;
  readonly projects: ProjectQuery;
  readonly keys: KeyQuery;
}

export interface MemoryOptions {
  readonly account: string;
  readonly account_ref: number;
  readonly queries: MemoryQueries;
  readonly dropAfterMs: number;
  /** Whether operations are collected, so that they are imported. */
  readonly readsOperations: boolean;
  /** A project that is not watched is remembered in the history alone. */
  readonly isWatched: (project: NamedProject) => boolean;
}

/** An account as it was last known, kept in step with the history. */
export class AccountMemory {
  readonly account: string;
  readonly account_ref: number;
  readonly freshness: Freshness;
  readonly #queries: MemoryQueries;
  readonly #isWatched: MemoryOptions['isWatched'];
  readonly #projects = new Map<string, StoredProject>();
  /** Projects whose operations are still to be imported; undefined where none are read. */
  readonly #unimported: Set<string> | undefined;
  #keys: readonly StoredKey[] = [];
  #listWasLost = false;
  readonly #changes = new ChangedProjects();
  /** Read when they are looked at: many readings are recorded between two publications. */
  #totals: AccountTotals | undefined;
  /** When the last project went; to be read anew when one may have come or gone. */
  #lastGoneAt: number | undefined | 'unread' = 'unread';
  /** The service's clock minus ours, by the last reading. */
  #skewMs: number;
  #listServedAt: number | undefined;
  /** Projects that the newest list named as unavailable; undefined until one did. */
  #unavailable: number | undefined;

  constructor({ account, account_ref, queries, dropAfterMs, readsOperations, isWatched }: MemoryOptions) {
    this.account = account;
    this.account_ref = account_ref;
    this.freshness = new Freshness(dropAfterMs);
    this.#queries = queries;
    this.#isWatched = isWatched;
    this.#skewMs = queries.account.clockSkewMs(account_ref) ?? 0;
    if (readsOperations) this.#unimported = new Set();
    this.reloadKeys();
    for (const project_id of queries.projects.projectIds(account_ref)) this.reloadProject(project_id);
  }

  reloadProject(project_id: string): void {
    this.#changes.touch(project_id);
    this.#lastGoneAt = 'unread';
    const stored = this.#queries.projects.project(this.account, this.account_ref, project_id);
    if (stored === undefined || !this.#isWatched(stored.project)) {
      this.#projects.delete(project_id);
      this.#unimported?.delete(project_id);
      this.freshness.forget(project_id);
    } else this.set(stored);
  }

  /** Reads a project back but for its entry in the list. */
  reloadRefreshed(project_id: string): void {
    const stored = this.#projects.get(project_id);
    if (stored === undefined) this.reloadProject(project_id);
    else this.set(this.#queries.projects.refreshed(this.account, this.account_ref, stored));
  }

  /** Takes a project as it was written, without reading it back. */
  set(stored: StoredProject): void {
    this.#changes.touch(stored.project.project_id);
    this.#projects.set(stored.project.project_id, stored);
    if (stored.operations === undefined) this.#unimported?.add(stored.project.project_id);
    else this.#unimported?.delete(stored.project.project_id);
  }

  /** Whether no operations of the projects known by now are still to be imported. */
  isImported(): boolean {
    return this.#unimported === undefined || this.#unimported.size === 0;
  }

  /** Every project counts as changed. */
  touchAll(): void {
    this.#changes.touchAll(this.#projects.keys());
  }

  reloadKeys(): void {
    this.#keys = this.#queries.keys.keys(this.account_ref);
  }

  reloadAccount(): void {
    this.#totals = undefined;
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
    return this.#queries.account.clockSkewMs(this.account_ref);
  }

  /** The date of the newest answer to a list poll of this run, by the service's clock; undefined before the first. */
  get listServedAt(): number | undefined {
    return this.#listServedAt;
  }

  /** A reading that could not be written refreshed nothing; one that failed has failed all the same. */
  noteUnwritten(reading: Reading): void {
    if (reading.kind === 'failure') {
      this.noteFailure(reading);
      return;
    }
    const { readAt: at } = reading;
    const unwritten = (collector: Collector, project_id: string) =>
      this.freshness.failed({ collector, project_id, at, unwritten: true });
    if (reading.kind === 'projects' || reading.kind === 'project_page') unwritten('projects', '');
    if (reading.kind === 'api_keys') unwritten('api_keys', '');
    if (reading.kind === 'consumption') unwritten('consumption', '');
    if (reading.kind === 'branches' && this.has(reading.project_id))
      unwritten('branches', reading.project_id);
    if (reading.kind !== 'project' && reading.kind !== 'operation_import') return;
    if (!this.has(reading.project_id)) return;
    const showsEndpoints = 'endpoints' in reading || 'unchanged' in reading;
    if (showsEndpoints) unwritten('endpoints', reading.project_id);
    if (reading.operations !== undefined) unwritten('operations', reading.project_id);
  }

  /** A project that is gone by now is nobody's failure: no later success could ever take it back. */
  noteFailure({ collector, project_id = '', readAt, durationMs, reason, ofUse }: FailedReading): void {
    if (ofUse) return;
    if (project_id !== '' && !this.has(project_id)) return;
    const refused = reason === 'unauthorized';
    this.freshness.failed({ collector, project_id, at: readAt - durationMs, refused });
  }

  projects(): Iterable<StoredProject> {
    return this.#projects.values();
  }

  projectIds(): Iterable<string> {
    return this.#projects.keys();
  }

  get(project_id: string): StoredProject | undefined {
    return this.#projects.get(project_id);
  }

  has(project_id: string): boolean {
    return this.#projects.has(project_id);
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
   */
  summary(now: number, staleAfterMs: number): AccountSummary {
    const serviceNow = toServiceClock(now, this.#skewMs);
    return {
      account: this.account,
      ...withUnwritten(this.#readTotals(), this.freshness),
      ...compact({
        lastProjectGoneAt: this.#readLastGone(),
        importsLeft: this.#unimported?.size,
        unavailableProjects: this.#unavailable,
      }),
      api_keys: this.freshness.isLost('api_keys', '', now)
        ? []
        : this.#keys.map(key => viewKey(this.account, key, serviceNow - staleAfterMs)),
    };
  }

  /**
   * Projects that may be shown otherwise than when this was last asked; the first time, all of them.
   *
   * @param now epoch milliseconds by this host's clock.
   */
  takeChanges(now: number): ProjectChanges {
    const listLost = this.freshness.isLost('projects', '', now);
    for (const project_id of this.freshness.takeUnsettled()) this.#changes.touch(project_id);
    // While the list is lost its projects vanish one by one, as time passes; then they are all back at once.
    if (listLost || this.#listWasLost) this.#changes.touchAll(this.#projects.keys());
    this.#listWasLost = listLost;
    return this.#changes.take(project_id => {
      const stored = this.#projects.get(project_id);
      return stored && this.#projectView(stored, listLost, now);
    });
  }

  /** How much is shown after the last changes. */
  countShown(): ShownCounts {
    return this.#changes.countShown();
  }

  #readTotals(): AccountTotals {
    this.#totals ??= this.#queries.account.read(this.account_ref);
    return this.#totals;
  }

  #readLastGone(): number | undefined {
    if (this.#lastGoneAt === 'unread') this.#lastGoneAt = this.#queries.account.lastGoneAt(this.account_ref);
    return this.#lastGoneAt;
  }

  #projectView(stored: StoredProject, listLost: boolean, now: number): ProjectView | undefined {
    const { project_id } = stored.project;
    const { freshness } = this;
    const unlisted = listLost || freshness.isLost('projects', project_id, now);
    if (unlisted && !freshness.isRecent(stored.lastRefreshAt, now)) return undefined;
    return viewProject(this.account, stored, {
      list: unlisted,
      endpoints: freshness.isLost('endpoints', project_id, now),
      operations: freshness.isLost('operations', project_id, now),
    });
  }
}
