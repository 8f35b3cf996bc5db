import type { AccountSummary, AccountView } from '../../resources/account.ts';
import type { CatalogGroup } from '../../resources/catalog.ts';
import type { ProjectView } from '../../resources/project.ts';
import type { UsageView } from '../../resources/usage/view.ts';
import type { Format } from './exposition.ts';
import { type FamilyPieces, TextBuffer } from './family-pieces.ts';
import { PageSection } from './page-section.ts';
import { gzipHeader, sumUp } from './piece.ts';

/** All API metrics of one instant in one format, as far as scrapes share it: self-metrics and an end follow. */
export interface EncodedPage {
  readonly format: Format;
  readonly revision: number;
  /** A gzip stream without an end, alone in its memory, so that it can be handed to another thread and recycled. */
  readonly gzip: Uint8Array<ArrayBuffer>;
  /** CRC-32 and length of the content before it was compressed. */
  readonly crc: number;
  readonly bytes: number;
}

/** An account at one instant, with its projects that may have changed; undefined is shown no more. */
export interface ShownAccount {
  readonly account: AccountSummary;
  readonly projects: ReadonlyMap<string, ProjectView | undefined>;
  /** Of the account itself nothing is shown yet. */
  readonly isHidden?: boolean;
}

/** The page as it was last rendered. */
export interface PageRevision {
  /** Rises by one when the page has changed. */
  readonly revision: number;
  readonly series: number;
  /** Parts of the page that were rendered and compressed anew. */
  readonly renewedPieces: number;
  /** Series that its limit keeps off the page, by family; empty where there is no limit. */
  readonly missing: ReadonlyMap<string, number>;
}

export interface PageOptions {
  /** The most series each family may have; 0, the default, for no limit. */
  readonly seriesLimit?: number;
  readonly projectsPerBlock?: number;
}

/** There is one usage view at a time, whole. */
const usageKey = '';
const accountsPerBlock = 8;
/** Fewer make pieces too small to compress well, half as many a page 6 % larger; more take longer when one changed. */
const defaultProjectsPerBlock = 80;

/** Memory that is kept for the next pages, in both formats. */
const mostSpares = 2;
/** Pages grow a little from one to the next. */
const memoryStep = 65_536;

/**
 * The page of all accounts in pieces. Only `render` shows the units that were put: until the next time the page stays that
 * of one instant, whenever and however often it is assembled.
 */
export class PageSet {
  readonly #accounts: PageSection<AccountSummary>;
  readonly #projects: PageSection<ProjectView>;
  readonly #usage = new PageSection<UsageView>(1);
  /** In the order of the page. */
  readonly #families: readonly FamilyPieces[];
  readonly #isLimited: boolean;
  readonly #buffer = new TextBuffer();
  readonly #spares: ArrayBuffer[] = [];
  #revision = 0;

  constructor(
    groups: readonly CatalogGroup[],
    { seriesLimit = 0, projectsPerBlock = defaultProjectsPerBlock }: PageOptions = {},
  ) {
    const accounts = new PageSection<AccountSummary>(accountsPerBlock);
    const projects = new PageSection<ProjectView>(projectsPerBlock);
    this.#families = groups.flatMap(group => {
      if (group.unit === 'account') return accounts.addGroup(group, seriesLimit);
      if (group.unit === 'project') return projects.addGroup(group, seriesLimit);
      return this.#usage.addGroup(group, seriesLimit);
    });
    this.#isLimited = seriesLimit > 0;
    this.#accounts = accounts;
    this.#projects = projects;
  }

  putAccount(account: string, view: AccountSummary | undefined): void {
    this.#accounts.put(account, view);
  }

  putProject(account: string, project_id: string, view: ProjectView | undefined): void {
    this.#projects.put(projectKey(account, project_id), view);
  }

  /** Replaces the usage view put before. */
  putUsage(view: UsageView | undefined): void {
    this.#usage.put(usageKey, view);
  }

  /** Puts all accounts with all their projects, and removes all others. */
  show(views: readonly AccountView[]): void {
    const accounts = new Map<string, AccountSummary>(views.map(view => [view.account, view]));
    for (const account of this.#accounts.keys())
      if (!accounts.has(account)) this.putAccount(account, undefined);
    for (const [account, view] of accounts) this.putAccount(account, view);
    const projects = new Map(
      views.flatMap(({ projects }) =>
        projects.map(project => [projectKey(project.account, project.project_id), project] as const),
      ),
    );
    for (const key of this.#projects.keys()) if (!projects.has(key)) this.#projects.put(key, undefined);
    for (const [key, project] of projects) this.#projects.put(key, project);
  }

  /** Takes accounts as they are known now, and renders what looks otherwise since. */
  render(snapshots: readonly ShownAccount[] = []): PageRevision {
    for (const { account, projects, isHidden = false } of snapshots) {
      const name = account.account;
      if (!isHidden) this.putAccount(name, account);
      for (const [project_id, view] of projects) this.putProject(name, project_id, view);
    }
    const sections = [this.#accounts, this.#projects, this.#usage];
    const renewedPieces = sections.reduce((sum, section) => sum + section.render(this.#buffer), 0);
    if (renewedPieces > 0) this.#revision += 1;
    const { series } = sumUp(this.#families.map(({ sum }) => sum));
    return { revision: this.#revision, series, renewedPieces, missing: this.#countMissing() };
  }

  #countMissing(): ReadonlyMap<string, number> {
    const shown = this.#isLimited ? this.#families.filter(({ isShown }) => isShown) : [];
    return new Map(shown.map(({ family, missing }) => [family.name, missing]));
  }

  /** The page as it was last rendered. */
  assemble(format: Format): EncodedPage {
    const { deflatedBytes, checksum, bytes } = sumUp(
      this.#families.flatMap(family => [family.header(format), family.sum]),
    );
    const length = gzipHeader.length + deflatedBytes;
    const gzip = new Uint8Array(this.#findMemory(length), 0, length);
    gzip.set(gzipHeader);
    let end = gzipHeader.length;
    for (const family of this.#families) {
      for (const { deflated } of [family.header(format), ...family.pieces]) {
        gzip.set(deflated, end);
        end += deflated.length;
      }
    }
    return { format, revision: this.#revision, gzip, crc: checksum.crc, bytes };
  }

  /**
   * Takes the memory of a page back that is not read any more: new memory for megabytes takes longer than filling it.
   */
  recycle(memory: ArrayBuffer): void {
    if (this.#spares.length < mostSpares) this.#spares.push(memory);
  }

  #findMemory(length: number): ArrayBuffer {
    const spare = this.#spares.pop();
    const fits =
      spare !== undefined && spare.byteLength >= length && spare.byteLength <= 2 * length + memoryStep;
    return fits ? spare : new ArrayBuffer((Math.floor(length / memoryStep) + 1) * memoryStep);
  }
}

/** A key that no two projects share, whatever characters their names have. */
function projectKey(account: string, project_id: string): string {
  return `${account.length} ${account}${project_id}`;
}
