import type { AccountOverview, AccountSummary, KnownCounts } from '../../resources/account.ts';
import { compact } from '../../resources/field.ts';
import type { MeterUnit } from '../../resources/meter.ts';
import type { ProjectView } from '../../resources/project.ts';
import type { NamedProject } from '../../resources/project-filter.ts';
import type { FailedReading, Reading } from '../../resources/reading.ts';
import { Freshness } from './freshness.ts';
import { KnownSummary, listUnwritten, type SummaryOptions } from './known-summary.ts';
import { SharedText, type StoredProject, viewProject } from './stored-project.ts';

/** Views of projects that may have changed, by id; undefined is shown no more. */
type ProjectChanges = ReadonlyMap<string, ProjectView | undefined>;

interface KnownAccountOptions extends SummaryOptions {
  readonly dropAfterMs: number;
  readonly meterUnit: MeterUnit;
  /** Whether operations are collected, so that they are imported. */
  readonly readsOperations: boolean;
  /** A project that is not watched is remembered in the history alone. */
  readonly isWatched: (project: NamedProject) => boolean;
}

/** The changes by a reading, for what is known of its account to follow. */
export interface Outcome {
  /** Projects to be read back. */
  readonly project_ids?: Iterable<string>;
  /** The project that was polled: all but its list entry is to be read back. */
  readonly refreshed?: string;
  /** Projects whose list entry alone changed, as they are now. */
  readonly stored?: Iterable<StoredProject>;
  /** API keys are to be read back. */
  readonly keys?: true;
}

/** An account as it was last known, kept in step with the history. */
export class KnownAccount {
  readonly account: string;
  readonly account_ref: number;
  readonly freshness: Freshness;
  /** The account itself, without its projects. */
  readonly own: KnownSummary;
  readonly #options: KnownAccountOptions;
  readonly #projects = new Map<string, StoredProject>();
  readonly #texts = new SharedText();
  /** Projects whose operations are still to be imported; undefined where none are read. */
  readonly #unimported: Set<string> | undefined;
  #listWasLost = false;
  /** Projects that may be shown otherwise than the page shows them. */
  readonly #touched = new Set<string>();
  /** The changes taken last, which may say of projects that they are shown no more. */
  #taken: ProjectChanges = new Map();

  constructor(options: KnownAccountOptions) {
    const { account, account_ref, dropAfterMs, readsOperations } = options;
    this.#options = options;
    this.account = account;
    this.account_ref = account_ref;
    this.freshness = new Freshness(dropAfterMs);
    this.own = new KnownSummary(options, this.freshness);
    if (readsOperations) this.#unimported = new Set();
    this.reload();
  }

  /** Reads everything back, as another daemon may have written it. */
  reload(): void {
    this.own.reload();
    const missing = new Set(this.#projects.keys());
    for (const stored of this.#options.queries.projects.projects(this.account, this.account_ref)) {
      missing.delete(stored.project.project_id);
      this.#take(stored);
    }
    for (const project_id of missing) this.#drop(project_id);
  }

  /** Takes over what a reading changed. */
  follow({ stored = [], project_ids = [], refreshed, keys }: Outcome): void {
    for (const each of stored) this.#set(each);
    for (const project_id of project_ids) this.reloadProject(project_id);
    if (refreshed !== undefined) this.#reloadRefreshed(refreshed);
    if (keys) this.own.reloadKeys();
    this.own.forgetTotals();
  }

  reloadProject(project_id: string): void {
    this.own.forgetGone();
    const stored = this.#options.queries.projects.project(this.account, this.account_ref, project_id);
    if (stored === undefined) this.#drop(project_id);
    else this.#take(stored);
  }

  /** Reads a project back but for its entry in the list. */
  #reloadRefreshed(project_id: string): void {
    const stored = this.#projects.get(project_id);
    if (stored === undefined) this.reloadProject(project_id);
    else this.#set(this.#options.queries.projects.refreshed(this.account, stored));
  }

  /** Takes a project as it was read back, unless it is not watched. */
  #take(stored: StoredProject): void {
    if (this.#options.isWatched(stored.project)) this.#set(stored);
    else this.#drop(stored.project.project_id);
  }

  #drop(project_id: string): void {
    this.#touched.add(project_id);
    this.#projects.delete(project_id);
    this.#unimported?.delete(project_id);
    this.freshness.forget(project_id);
  }

  /** Takes a project as it was written, without reading it back. */
  #set(stored: StoredProject): void {
    const { project_id } = stored.project;
    this.#texts.shareAll(stored, this.#projects.get(project_id));
    this.#touched.add(project_id);
    this.#projects.set(project_id, stored);
    if (stored.operations === undefined) this.#unimported?.add(project_id);
    else this.#unimported?.delete(project_id);
  }

  /** Whether no operations of the projects known by now are still to be imported. */
  isImported(): boolean {
    return this.#unimported === undefined || this.#unimported.size === 0;
  }

  /** Every project counts as changed. */
  touchAll(): void {
    for (const project_id of [...this.#projects.keys(), ...this.#taken.keys()]) this.#touched.add(project_id);
  }

  /** A reading that could not be written refreshed nothing; one that failed has failed all the same. */
  noteUnwritten(reading: Reading): void {
    if (reading.kind === 'failure') {
      this.noteFailure(reading);
      return;
    }
    for (const { collector, project_id } of listUnwritten(reading)) {
      if (project_id !== '' && !this.#projects.has(project_id)) continue;
      this.freshness.failed({ collector, project_id, at: reading.readAt, unwritten: true });
    }
  }

  /** A project that is gone by now has not failed: no later success could ever take that back. */
  noteFailure({ collector, project_id = '', readAt, durationMs, reason, ofUse }: FailedReading): void {
    if (ofUse) return;
    if (project_id !== '' && !this.#projects.has(project_id)) return;
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

  /** As `summarize` of the account itself, with how far its operations are imported. */
  summary(now: number, staleAfterMs: number): AccountSummary {
    const left = this.own.wasListed() ? this.#unimported?.size : undefined;
    return this.own.summarize(now, staleAfterMs, left);
  }

  /**
   * Projects that may be shown otherwise than when this was last asked; the first time, all of them.
   *
   * @param now epoch milliseconds by this host's clock.
   */
  takeChanges(now: number): ProjectChanges {
    const listLost = this.freshness.isLost('projects', '', now);
    for (const project_id of this.freshness.takeUnsettled()) this.#touched.add(project_id);
    // While the list is lost its projects vanish one by one, as time passes; then they are all back at once.
    if (listLost || this.#listWasLost) this.touchAll();
    this.#listWasLost = listLost;
    const changes = new Map<string, ProjectView | undefined>();
    for (const project_id of this.#touched) {
      const stored = this.#projects.get(project_id);
      const view = stored && this.#projectView(stored, listLost, now);
      changes.set(project_id, view);
    }
    this.#touched.clear();
    this.#taken = changes;
    return changes;
  }

  /** How much is known, also of what is too old to be shown on the page of metrics. */
  countKnown(): KnownCounts {
    let endpoints = 0;
    let oldestReadAt: number | undefined;
    for (const { endpoints: own, lastRefreshAt } of this.#projects.values()) {
      endpoints += own.length;
      if (lastRefreshAt !== undefined) oldestReadAt = Math.min(oldestReadAt ?? lastRefreshAt, lastRefreshAt);
    }
    return { projects: this.#projects.size, endpoints, ...compact({ oldestReadAt }) };
  }

  #projectView(stored: StoredProject, listLost: boolean, now: number): ProjectView | undefined {
    const { project_id } = stored.project;
    const { freshness } = this;
    const unlisted = listLost || freshness.isLost('projects', project_id, now);
    if (unlisted && !freshness.isRecent(stored.lastRefreshAt, now)) return undefined;
    const lost = {
      list: unlisted,
      endpoints: freshness.isLost('endpoints', project_id, now),
      operations: freshness.isLost('operations', project_id, now),
    };
    return viewProject(this.account, stored, lost, this.#options.meterUnit);
  }
}

/** An account at one instant: its projects that may be shown otherwise than at the last one, and how it is doing with them. */
export interface AccountSnapshot {
  readonly account: AccountSummary;
  readonly projects: ProjectChanges;
  readonly overview: AccountOverview;
}

/**
 * What is known of accounts at one instant.
 *
 * @param now epoch milliseconds by this host's clock.
 * @throws the database's error when it cannot be read; the changes are then still to be taken.
 */
export function snapshot(
  accounts: Iterable<KnownAccount>,
  now: number,
  staleAfterMs: number,
): readonly AccountSnapshot[] {
  // The summaries read the database, which may fail, and come first: changes are taken once.
  const summed = Array.from(accounts, known => ({ known, account: known.summary(now, staleAfterMs) }));
  return summed.map(({ known, account }) => {
    const projects = known.takeChanges(now);
    return { account, projects, overview: { summary: account, ...known.countKnown() } };
  });
}
