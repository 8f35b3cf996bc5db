import type { HistoryPart, PartRow, RowNumbers } from './history-part.ts';
import { chainProjects, type ProjectChain } from './project-chain.ts';

/** The projects of several histories, to be found by their number among all and by that in their own history. */
export class ProjectDirectory {
  readonly chains: readonly ProjectChain[];
  readonly #byNumber: ReadonlyMap<number, ProjectChain>;
  readonly #byRow: ReadonlyMap<number, ProjectChain>;
  readonly #numbers: RowNumbers;

  constructor(parts: readonly HistoryPart[], numbers: RowNumbers) {
    this.#numbers = numbers;
    this.chains = chainProjects(parts, numbers);
    this.#byNumber = new Map(this.chains.map(chain => [chain.project.project_ref, chain]));
    this.#byRow = new Map(
      this.chains.flatMap(chain =>
        chain.links.map(({ part, project }) => [numbers.numberOf({ part, ref: project.project_ref }), chain]),
      ),
    );
  }

  /** Undefined for what nothing but a meter tells of. */
  get(project_ref: number): ProjectChain | undefined {
    return this.#byNumber.get(project_ref);
  }

  /** Undefined where another history speaks for the project all the time. */
  find(row: PartRow): ProjectChain | undefined {
    return this.#byRow.get(this.#numbers.numberOf(row));
  }

  /** Whether a history speaks last for a project, by the number the project has there. */
  speaksLast(part: HistoryPart): (project_ref: number) => boolean {
    return ref => this.find({ part, ref })?.links.at(-1)?.part === part;
  }

  /** The histories that speak last for a project of an account that is still there. */
  speaking(account: string): readonly HistoryPart[] {
    const present = this.chains.filter(
      ({ project }) => project.account === account && project.gone_at === undefined,
    );
    return [...new Set(present.flatMap(({ links }) => links.at(-1)?.part ?? []))];
  }
}
