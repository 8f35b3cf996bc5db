import { type BranchRow, joinBranch, showBranches } from '../usage/branch-use-query.ts';
import type { ReportHistory } from '../usage/report-history.ts';
import type { HistoryPart } from './history-part.ts';
import type { ProjectChain } from './project-chain.ts';
import type { ProjectDirectory } from './project-directory.ts';

/** Branches as the last history of their project listed them, unused since the last use that any of them knows. */
export function mergeBranches(
  parts: readonly HistoryPart[],
  directory: ProjectDirectory,
): ReportHistory['branches'] {
  return {
    extent: (account, at) => {
      const extents = directory.speaking(account).map(({ history }) => history.branches.extent(account, at));
      if (extents.every(extent => extent === 'none')) return 'none';
      return extents.every(extent => extent === 'all') ? 'all' : 'some';
    },
    read: (account, at) => {
      const former = new FormerBranches(account);
      const rows = parts.flatMap(part =>
        part.history.branches.listed(account, at).flatMap(own => {
          const chain = directory.find({ part, ref: own.project_ref });
          const last = chain?.links.at(-1);
          if (chain === undefined || last?.part !== part) return [];
          const joined = [...former.of(chain, own.branch_id), own].reduce(joinBranch);
          // A history that had the project before knows that nothing was used meanwhile.
          const isKnown = chain.links[0].part === part && own.used_at !== null && own.used_at < last.fromAt;
          const used_at = isKnown ? own.used_at : joined.used_at;
          return [{ ...joined, used_at, project_ref: chain.project.project_ref }];
        }),
      );
      return showBranches(rows);
    },
  };
}

/** Branches of an account as histories listed them before another one took their projects over. */
class FormerBranches {
  readonly #account: string;
  readonly #byPart = new Map<HistoryPart, ReadonlyMap<string, BranchRow>>();

  constructor(account: string) {
    this.#account = account;
  }

  /** In order of time. */
  of({ links }: ProjectChain, branch_id: string): readonly BranchRow[] {
    const last = links.at(-1)?.part;
    return links
      .filter(({ part }) => part !== last)
      .flatMap(({ part, project }) => this.#read(part).get(keyOf(project.project_ref, branch_id)) ?? []);
  }

  #read(part: HistoryPart): ReadonlyMap<string, BranchRow> {
    const known = this.#byPart.get(part);
    if (known !== undefined) return known;
    const rows = part.history.branches.former(this.#account);
    const read = new Map(rows.map(row => [keyOf(row.project_ref, row.branch_id), row]));
    this.#byPart.set(part, read);
    return read;
  }
}

function keyOf(project_ref: number, branch_id: string): string {
  return `${project_ref} ${branch_id}`;
}
