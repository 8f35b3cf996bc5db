import { largest, smallest } from '../../resources/extreme.ts';
import type { EndpointLife, MeteredLedger, UsageProject, UseBounds } from '../../resources/usage/ledger.ts';
import type { ReportHistory } from '../usage/report-history.ts';
import type { AccountBeginning } from '../usage/unknown-use-query.ts';
import type { UnplacedUse } from '../usage/unplaced-use.ts';
import type { HistoryPart, RowNumbers } from './history-part.ts';
import { mergeMeters } from './merged-meter.ts';
import { chainedAmount, chainedUse } from './moved-counter.ts';
import type { ProjectChain, ProjectLink } from './project-chain.ts';
import type { ProjectDirectory } from './project-directory.ts';

type Usage = ReportHistory['usage'];

/** The use of projects from several histories. */
export class MergedUsage implements Usage {
  readonly projects: readonly UsageProject[];
  readonly metered: MeteredLedger | undefined;
  readonly #parts: readonly HistoryPart[];
  readonly #directory: ProjectDirectory;
  readonly #known = new Map<
    string,
    { readonly fromAt: number | undefined; readonly untilAt: number | undefined }
  >();

  constructor(parts: readonly HistoryPart[], directory: ProjectDirectory, numbers: RowNumbers) {
    this.#parts = parts;
    this.#directory = directory;
    this.projects = directory.chains.map(({ project }) => project);
    this.metered = mergeMeters(parts, directory, numbers);
  }

  /** As far as each history that has a project of the account is known; those whose projects were all moved do not count. */
  knownUntil(account: string): number | undefined {
    return this.#knownOf(account).untilAt;
  }

  knownFrom(account: string): number | undefined {
    return this.#knownOf(account).fromAt;
  }

  beginningOf(account: string): AccountBeginning | undefined {
    const found = this.#parts.flatMap(part => {
      const own = part.history.usage.beginningOf(account);
      return own === undefined ? [] : [{ part, ...own }];
    });
    if (found.length === 0) return undefined;
    return {
      fromAt: smallest(found.map(({ fromAt }) => fromAt)),
      // A history that takes a project over knows of what was before from the one before it.
      gaps: found.flatMap(({ part, gaps }) =>
        gaps.flatMap(gap => {
          const chain = this.#directory.find({ part, ref: gap.project_ref });
          const isFirst = chain?.links[0].part === part;
          return isFirst ? [{ ...gap, project_ref: chain.project.project_ref }] : [];
        }),
      ),
    };
  }

  settledUntil(account: string): number {
    return smallest(this.#speaking(account).map(({ history }) => history.usage.settledUntil(account)));
  }

  usedUntil(project_ref: number, at: number): number {
    return this.#of(
      project_ref,
      at,
      ({ part, project }, until) => part.history.usage.usedUntil(project.project_ref, until),
      chainedUse,
    );
  }

  boundsAt(project_ref: number, at: number): UseBounds {
    const [only, ...others] = this.#directory.get(project_ref)?.links ?? [];
    if (only !== undefined && others.length === 0)
      return only.part.history.usage.boundsAt(only.project.project_ref, at);
    const used = this.usedUntil(project_ref, at);
    return { least: used, most: used };
  }

  reconstructedUntil(project_ref: number, at: number): number {
    const amountOf = ({ part, project }: ProjectLink, until: number) =>
      part.history.usage.reconstructedUntil(project.project_ref, until);
    return this.#of(project_ref, at, amountOf, chain => chainedAmount(chain, at, amountOf));
  }

  /** Each endpoint once, as the history that has it last knows it. */
  endpointLives(): readonly EndpointLife[] {
    const lives = new Map<string, EndpointLife>();
    let alone = 0;
    for (const part of this.#parts) {
      for (const life of part.history.usage.endpointLives()) {
        const chain = this.#directory.find({ part, ref: life.project_ref });
        if (chain === undefined) continue;
        const { project_ref } = chain.project;
        const isAlone = chain.links.length === 1;
        const key = isAlone ? `${alone++}` : JSON.stringify([project_ref, life.branch_id, life.created_at]);
        const isLast = chain.links.at(-1)?.part === part;
        if (isLast || !lives.has(key)) lives.set(key, { ...life, project_ref });
      }
    }
    return [...lives.values()];
  }

  placed(project_ref: number, total: number): number {
    const { part, project } = this.#first(project_ref);
    return part.history.usage.placed(project.project_ref, total);
  }

  unplacedOf(project_ref: number): UnplacedUse | undefined {
    const { part, project } = this.#first(project_ref);
    const found = part.history.usage.unplacedOf(project.project_ref);
    return found && { ...found, project_ref };
  }

  unplaced(account: string): readonly UnplacedUse[] {
    return this.projects
      .filter(project => project.account === account)
      .flatMap(({ project_ref }) => this.unplacedOf(project_ref) ?? []);
  }

  importsLeft(account: string): number {
    return this.#parts.reduce((sum, { history }) => sum + history.usage.importsLeft(account), 0);
  }

  isImporting(account: string): boolean {
    return this.#parts.some(({ history }) => history.usage.isImporting(account));
  }

  #knownOf(account: string) {
    const known = this.#known.get(account) ?? {
      fromAt: this.#findFrom(account),
      untilAt: this.#findUntil(account),
    };
    this.#known.set(account, known);
    return known;
  }

  #findFrom(account: string): number | undefined {
    const beginning = this.beginningOf(account);
    return beginning?.gaps.reduce((latest, gap) => Math.max(latest, gap.untilAt), beginning.fromAt);
  }

  #findUntil(account: string): number | undefined {
    const listed = this.#speaking(account).map(({ history }) => history.usage.knownUntil(account));
    if (listed.length > 0)
      return listed.includes(undefined) ? undefined : smallest(listed.flatMap(at => at ?? []));
    const all = this.#parts.flatMap(({ history }) => history.usage.knownUntil(account) ?? []);
    return all.length === 0 ? undefined : largest(all);
  }

  /** The histories that speak last for a project of an account that is still there. */
  #speaking(account: string): readonly HistoryPart[] {
    return this.#directory.speaking(account);
  }

  #of(
    project_ref: number,
    at: number,
    amountOf: (link: ProjectLink, at: number) => number,
    ofChain: (chain: ProjectChain, at: number) => number,
  ): number {
    const chain = this.#directory.get(project_ref);
    if (chain === undefined) return 0;
    return chain.links.length === 1 ? amountOf(chain.links[0], at) : ofChain(chain, at);
  }

  #first(project_ref: number): ProjectLink {
    const chain = this.#directory.get(project_ref);
    if (chain === undefined) throw new RangeError(`no history has a project with the number ${project_ref}`);
    return chain.links[0];
  }
}
