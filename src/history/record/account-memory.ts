import type { AccountSummary } from '../../resources/account.ts';
import type { ApiKeyView } from '../../resources/api-key.ts';
import { toServiceClock } from '../../resources/clock-skew.ts';
import type { Collector } from '../../resources/collector.ts';
import { compact } from '../../resources/field.ts';
import type { ProjectView } from '../../resources/project.ts';
import type { NamedProject } from '../../resources/project-filter.ts';
import type { FailedReading, Reading } from '../../resources/reading.ts';
import type { AccountQuery, AccountTotals } from '../view/account-query.ts';
import type { StoredKey, StoredProject, ViewQuery } from '../view/view-query.ts';
import { Freshness } from './freshness.ts';

export interface ViewQueries {
  readonly account: AccountQuery;
  readonly view: ViewQuery;
}

export interface MemoryOptions {
  readonly account: string;
  readonly account_ref: number;
  readonly queries: ViewQueries;
  readonly dropAfterMs: number;
  /** The others are remembered in the history alone. */
  readonly isWatched: (project: NamedProject) => boolean;
}

/** Of the projects of an account those that may have changed; undefined is shown no more. */
export type ProjectChanges = ReadonlyMap<string, ProjectView | undefined>;

/** The last known view of one account, kept in step with the history. */
export class AccountMemory {
  readonly account: string;
  readonly account_ref: number;
  readonly freshness: Freshness;
  readonly #queries: ViewQueries;
  readonly #isWatched: MemoryOptions['isWatched'];
  readonly #projects = new Map<string, StoredProject>();
  #keys: readonly StoredKey[] = [];
  /** Projects whose rows changed since the last look at the changes. */
  readonly #touched = new Set<string>();
  /** How many endpoints each project that is shown has. */
  readonly #shown = new Map<string, number>();
  /** The last changes, which may say of projects that they are shown no more. */
  #told: ProjectChanges = new Map();
  #listWasLost = false;
  /** Read when they are looked at: many readings are recorded between two publications. */
  #totals: AccountTotals | undefined;
  /** When the last project went; to be read anew when one may have come or gone. */
  #lastGoneAt: number | undefined | 'unread' = 'unread';
  /** The service's clock minus ours, by the last reading. */
  #skewMs = 0;

  constructor({ account, account_ref, queries, dropAfterMs, isWatched }: MemoryOptions) {
    this.account = account;
    this.account_ref = account_ref;
    this.freshness = new Freshness(dropAfterMs);
    this.#queries = queries;
    this.#isWatched = isWatched;
    this.reloadKeys();
    for (const project_id of queries.view.projectIds(account_ref)) this.reloadProject(project_id);
  }

  reloadProject(project_id: string): void {
    this.#touched.add(project_id);
    this.#lastGoneAt = 'unread';
    const stored = this.#queries.view.project(this.account, this.account_ref, project_id);
    if (stored === undefined || !this.#isWatched(stored.project)) {
      this.#projects.delete(project_id);
      this.freshness.forget(project_id);
    } else this.#projects.set(project_id, stored);
  }

  /** Reads back what the project's own readings changed. */
  reloadRefreshed(project_id: string): void {
    const stored = this.#projects.get(project_id);
    if (stored === undefined) this.reloadProject(project_id);
    else this.set(this.#queries.view.refreshed(this.account, this.account_ref, stored));
  }

  /** Follows what was written of a project without reading it back. */
  set(stored: StoredProject): void {
    this.#touched.add(stored.project.project_id);
    this.#projects.set(stored.project.project_id, stored);
  }

  touchAll(): void {
    for (const project_id of [...this.#projects.keys(), ...this.#told.keys()]) this.#touched.add(project_id);
  }

  reloadKeys(): void {
    this.#keys = this.#queries.view.keys(this.account_ref);
  }

  reloadAccount(): void {
    this.#totals = undefined;
  }

  setClockSkew(skewMs: number): void {
    this.#skewMs = skewMs;
  }

  /** What was read but could not be written was not refreshed either; what could not be read failed all the same. */
  noteUnwritten(reading: Reading): void {
    if (reading.kind === 'failure') {
      this.noteFailure(reading);
      return;
    }
    const { readAt: at } = reading;
    const unwritten = (collector: Collector, project_id: string) =>
      this.freshness.failed({ collector, project_id, at, unwritten: true });
    if (reading.kind === 'projects' || reading.kind === 'api_keys') unwritten(reading.kind, '');
    if (reading.kind !== 'project' && reading.kind !== 'operation_import') return;
    if (!this.has(reading.project_id)) return;
    const showsEndpoints = 'endpoints' in reading || 'unchanged' in reading;
    if (showsEndpoints) unwritten('endpoints', reading.project_id);
    if (reading.operations !== undefined) unwritten('operations', reading.project_id);
  }

  /** A project that is gone by now is nobody's failure: no later success could ever take it back. */
  noteFailure({ collector, project_id = '', readAt, durationMs, reason }: FailedReading): void {
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

  wasRead(): boolean {
    return this.#readTotals().collectors.some(({ lastSuccessAt }) => lastSuccessAt !== undefined);
  }

  /** What the account itself shows at `now`. */
  summary(now: number, staleAfterMs: number): AccountSummary {
    const serviceNow = toServiceClock(now, this.#skewMs);
    return {
      account: this.account,
      ...this.#readTotals(),
      ...compact({ lastProjectGoneAt: this.#readLastGone() }),
      api_keys: this.freshness.isLost('api_keys', '', now)
        ? []
        : this.#keys.map(key => viewKey(this.account, key, serviceNow - staleAfterMs)),
    };
  }

  /** What may be shown otherwise at `now` than when this was last asked; the first time, everything. */
  takeChanges(now: number): ProjectChanges {
    const listLost = this.freshness.isLost('projects', '', now);
    const projects = new Map<string, ProjectView | undefined>();
    for (const project_id of this.#takeChanged(listLost)) {
      const stored = this.#projects.get(project_id);
      const view = stored && this.#projectView(stored, listLost, now);
      projects.set(project_id, view);
      if (view === undefined) this.#shown.delete(project_id);
      else this.#shown.set(project_id, view.endpoints.length);
    }
    this.#told = projects;
    return projects;
  }

  /** How many the last changes left shown. */
  countShown(): { readonly projects: number; readonly endpoints: number } {
    let endpoints = 0;
    for (const count of this.#shown.values()) endpoints += count;
    return { projects: this.#shown.size, endpoints };
  }

  #takeChanged(listLost: boolean): Iterable<string> {
    const changed = new Set([...this.#touched, ...this.freshness.takeUnsettled()]);
    this.#touched.clear();
    const all = listLost || this.#listWasLost;
    this.#listWasLost = listLost;
    // What is still shown of a list that is lost depends on the time that passes.
    return all ? new Set([...changed, ...this.#projects.keys()]) : changed;
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
    const unlisted = listLost || this.freshness.isLost('projects', stored.project.project_id, now);
    if (unlisted && !this.freshness.isRecent(stored.lastRefreshAt, now)) return undefined;
    return this.#show(stored, unlisted, now);
  }

  /** @param unlisted shows of what the list said no more than which project it is. */
  #show(stored: StoredProject, unlisted: boolean, now: number): ProjectView {
    const { project_id } = stored.project;
    const operationsLost = this.freshness.isLost('operations', project_id, now);
    const endpoints = this.freshness.isLost('endpoints', project_id, now) ? [] : stored.endpoints;
    const cpu = unlisted ? undefined : stored.cpu;
    return {
      ...(unlisted ? identify(stored.project) : stored.project),
      account: this.account,
      ...compact({
        cpuUsedSeconds: cpu?.totalSec,
        cpuUsedResets: cpu?.resets,
        lastRefreshAt: stored.lastRefreshAt,
        operations: operationsLost ? undefined : stored.operations,
      }),
      endpoints: operationsLost
        ? endpoints.map(({ starts, suspends, stateDurations, ...read }) => read)
        : endpoints,
    };
  }
}

/** What names a project; alerts on its operations and endpoints join with it. */
function identify(project: StoredProject['project']): StoredProject['project'] {
  const { locked, cpu_used_sec, branch_logical_size_limit, created_at, updated_at, ...identity } = project;
  return identity;
}

function viewKey(account: string, key: StoredKey, staleBeforeAt: number): ApiKeyView {
  const idleSinceAt = key.last_used_at ?? key.created_at;
  const { last_used_from_addr, ...shown } = key;
  return {
    ...shown,
    account,
    ...compact({ idleSinceAt, stale: idleSinceAt === undefined ? undefined : idleSinceAt < staleBeforeAt }),
  };
}
