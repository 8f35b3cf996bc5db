import type { ProjectPage } from '../poll/account-source.ts';
import { clockSkewMs, toServiceClock } from '../resources/clock-skew.ts';
import { asFields, asWord } from '../resources/field.ts';

/** Facts that the list of projects tells beside its projects: the version of the service, its time, and whose it all is. */
export class ListEvidence {
  readonly #now: () => number;
  #skewMs: number | undefined;
  #watched: readonly string[] = [];
  #pageIds: string[] = [];
  /** The organisations that projects of the list are of. */
  readonly #organisations = new Set<string>();
  /** Whether the service has shown a field that only later versions have. */
  isLater = false;

  /** @param now epoch milliseconds by a clock that never steps. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Ids of the watched projects, as they were listed last. */
  get projectIds(): readonly string[] {
    return this.#watched;
  }

  /** The organisation of all projects that were listed; undefined where they name none or several. */
  get org_id(): string | undefined {
    const [org_id] = this.#organisations;
    return this.#organisations.size === 1 ? org_id : undefined;
  }

  /** The service's clock; undefined before the list was read in this run. */
  serviceNow(): number | undefined {
    return this.#skewMs === undefined ? undefined : toServiceClock(this.#now(), this.#skewMs);
  }

  /** Looks at an item of the list as it came. */
  noteItem(item: unknown): void {
    this.isLater ||= showsLaterVersion(item);
    const org_id = asWord(asFields(item)?.org_id);
    if (org_id !== undefined) this.#organisations.add(org_id);
  }

  /** Follows the pages of a list that holds watched projects alone. */
  async *follow(pages: AsyncIterable<ProjectPage>): AsyncGenerator<ProjectPage> {
    this.#pageIds = [];
    for await (const page of pages) {
      this.#skewMs = clockSkewMs({ servedAt: page.servedAt, readAt: this.#now() });
      for (const { project_id } of page.items) this.#pageIds.push(project_id);
      if (page.end !== undefined) this.#watched = this.#pageIds;
      yield page;
    }
  }
}

/** Fields of projects in the list that only later versions of the API have. */
const laterFields = [
  'active_time',
  'synthetic_storage_size',
  'branch_logical_size_limit_bytes',
  'history_retention_seconds',
  'compute_last_active_at',
  'quota_reset_at',
  'org_id',
  'owner_id',
] as const;

/** Whether a project of the list shows that the service is of a later version, which may meter consumption. */
export function showsLaterVersion(item: unknown): boolean {
  const fields = asFields(item);
  return fields !== undefined && laterFields.some(field => fields[field] !== undefined);
}
