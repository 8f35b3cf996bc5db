import type { AccountSnapshot } from '../history/snapshot/known-account.ts';
import type { ShownAccount } from '../metrics/page/page-set.ts';
import type { AccountSummary } from '../resources/account.ts';
import type { Collector } from '../resources/collector.ts';
import { hourMs } from '../resources/duration.ts';
import type { ProjectView } from '../resources/project.ts';

/** A project that could not be read for so long is shown as the copy has it: it would be hidden for ever. */
const longestMs = 2 * hourMs;

/**
 * Keeps off the page what a copy of a history says of a project or an account until that was read again. The copy may be
 * older than what was shown last, and Prometheus takes a counter that comes back lower for one that began at 0.
 */
export class CatchUp {
  readonly #sinceAt: number;
  readonly #collectors: readonly Collector[];
  readonly #readsProjects: boolean;
  readonly #unread = new Map<string, Set<string>>();
  readonly #behind: Set<string>;

  /**
   * @param sinceAt when the copy was opened, in epoch milliseconds by this host's clock.
   * @param collectors the ones that are on.
   */
  constructor(sinceAt: number, accounts: readonly string[], collectors: readonly Collector[]) {
    this.#sinceAt = sinceAt;
    this.#collectors = collectors.filter(each => each === 'projects' || each === 'api_keys');
    this.#readsProjects = collectors.some(each => each === 'endpoints' || each === 'operations');
    this.#behind = new Set(accounts);
  }

  /** Whether nothing is kept off the page any more. */
  get isOver(): boolean {
    return this.#behind.size === 0;
  }

  /**
   * The snapshot with the projects alone that may be shown, and without accounts that may not: many series of an account are
   * counters, and are born at 0.
   */
  filter(snapshot: readonly AccountSnapshot[], now: number): readonly (AccountSnapshot & ShownAccount)[] {
    return snapshot.map(each => {
      const { account } = each.account;
      if (!this.#behind.has(account)) return each;
      const projects = this.#filterProjects(each, now);
      return { ...each, projects, isHidden: this.#behind.has(account) };
    });
  }

  #filterProjects(changes: AccountSnapshot, now: number): AccountSnapshot['projects'] {
    const { account } = changes.account;
    const unread = this.#unread.get(account) ?? new Set();
    this.#unread.set(account, unread);
    const isLate = now - this.#sinceAt >= longestMs;
    const projects = [...changes.projects].map(([project_id, view]) => {
      const isShown = isLate || view === undefined || this.#isRead(view);
      if (isShown) unread.delete(project_id);
      else unread.add(project_id);
      return [project_id, isShown ? view : undefined] as const;
    });
    const isWhole = isLate || (unread.size === 0 && this.#areListsRead(changes.account));
    if (isWhole) this.#behind.delete(account);
    return new Map(projects);
  }

  #isRead({ lastRefreshAt }: ProjectView): boolean {
    return !this.#readsProjects || (lastRefreshAt ?? 0) >= this.#sinceAt;
  }

  #areListsRead({ collectors, importsLeft = 0 }: AccountSummary): boolean {
    const read = collectors.filter(({ lastSuccessAt = 0 }) => lastSuccessAt >= this.#sinceAt);
    return (
      importsLeft === 0 && this.#collectors.every(each => read.some(({ collector }) => collector === each))
    );
  }
}
