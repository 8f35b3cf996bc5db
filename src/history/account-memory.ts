import type { AccountView } from '../resources/account.ts';
import type { ApiKeyView } from '../resources/api-key.ts';
import { compact } from '../resources/field.ts';
import type { Project, ProjectView } from '../resources/project.ts';
import type { Reading } from '../resources/reading.ts';
import type { AccountQuery, AccountTotals } from './account-query.ts';
import { Freshness } from './freshness.ts';
import { projectColumns } from './project-record.ts';
import type { StoredKey, StoredProject, ViewQuery } from './view-query.ts';

export interface ViewQueries {
  readonly account: AccountQuery;
  readonly view: ViewQuery;
}

/** The last known view of one account, kept in step with the history. */
export class AccountMemory {
  readonly account: string;
  readonly account_ref: number;
  readonly freshness: Freshness;
  readonly #queries: ViewQueries;
  readonly #projects = new Map<string, StoredProject>();
  #keys: readonly StoredKey[] = [];
  /** Read when they are looked at: many readings are recorded between two publications. */
  #totals: AccountTotals | undefined;
  /** How far the service's clock is ahead of this host's. */
  #skewMs = 0;

  constructor(account: string, account_ref: number, queries: ViewQueries, dropAfterMs: number) {
    this.account = account;
    this.account_ref = account_ref;
    this.freshness = new Freshness(dropAfterMs);
    this.#queries = queries;
    this.reloadKeys();
    for (const project_id of queries.view.projectIds(account_ref)) this.reloadProject(project_id);
  }

  reloadProject(project_id: string): void {
    const stored = this.#queries.view.project(this.account, this.account_ref, project_id);
    if (stored === undefined) {
      this.#projects.delete(project_id);
      this.freshness.forget(project_id);
    } else this.#projects.set(project_id, stored);
  }

  reloadKeys(): void {
    this.#keys = this.#queries.view.keys(this.account_ref);
  }

  reloadAccount(): void {
    this.#totals = undefined;
  }

  setSkew(skewMs: number): void {
    this.#skewMs = skewMs;
  }

  /** What was read but could not be written was not refreshed either. */
  noteUnwritten(reading: Reading): void {
    const { readAt } = reading;
    if (reading.kind === 'projects' || reading.kind === 'api_keys') {
      this.freshness.failed(reading.kind, '', readAt);
    } else if (reading.kind === 'project') {
      if (reading.endpoints !== undefined) this.freshness.failed('endpoints', reading.project_id, readAt);
      if (reading.operations !== undefined) this.freshness.failed('operations', reading.project_id, readAt);
    }
  }

  projects(): Iterable<StoredProject> {
    return this.#projects.values();
  }

  project(project_id: string): StoredProject | undefined {
    return this.#projects.get(project_id);
  }

  has(project_id: string): boolean {
    return this.#projects.has(project_id);
  }

  wasRead(): boolean {
    return this.#readTotals().collectors.some(({ lastSuccessAt }) => lastSuccessAt !== undefined);
  }

  /** Whether the project is recorded exactly so, and nothing about its counter is left open. */
  isUnchanged(project: Project): boolean {
    const stored = this.#projects.get(project.project_id);
    if (stored === undefined) return false;
    const settled = project.cpu_used_sec === undefined || project.cpu_used_sec === stored.cpuLastSec;
    return settled && projectColumns.every(column => project[column] === stored.project[column]);
  }

  /** What is shown at `now`: all that is known but what could not be refreshed for too long. */
  view(now: number, staleAfterMs: number): AccountView {
    const serviceNow = now + this.#skewMs;
    return {
      account: this.account,
      ...this.#readTotals(),
      projects: this.#projectViews(now),
      api_keys: this.freshness.isLost('api_keys', '', now)
        ? []
        : this.#keys.map(key => viewKey(this.account, key, serviceNow - staleAfterMs)),
    };
  }

  #readTotals(): AccountTotals {
    this.#totals ??= this.#queries.account.read(this.account_ref);
    return this.#totals;
  }

  #projectViews(now: number): readonly ProjectView[] {
    const { freshness } = this;
    const listLost = freshness.isLost('projects', '', now);
    const views: ProjectView[] = [];
    for (const [project_id, stored] of this.#projects) {
      const unlisted = listLost || freshness.isLost('projects', project_id, now);
      if (unlisted && !freshness.isRecent(stored.lastRefreshAt, now)) continue;
      views.push(this.#projectView(stored, unlisted, now));
    }
    return views;
  }

  /** @param unlisted shows of what the list said no more than which project it is. */
  #projectView(stored: StoredProject, unlisted: boolean, now: number): ProjectView {
    const { project_id } = stored.project;
    const operationsLost = this.freshness.isLost('operations', project_id, now);
    const endpoints = this.freshness.isLost('endpoints', project_id, now) ? [] : stored.endpoints;
    const counted = !unlisted && stored.cpuUsedSeconds !== undefined;
    return {
      ...(unlisted ? identify(stored.project) : stored.project),
      account: this.account,
      ...compact({
        cpuUsedSeconds: counted ? stored.cpuUsedSeconds : undefined,
        cpuUsedResets: counted ? stored.cpuUsedResets : undefined,
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
