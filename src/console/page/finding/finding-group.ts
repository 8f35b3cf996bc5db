import { shareByGroup } from '../../../cost/rating/group-share.ts';
import type { Grouping } from '../../../resources/grouping.ts';
import { groupPath, matchGroup, offerGroups, pathsOf, refuseUnknownGroup } from '../../chosen-group.ts';
import type { ConsoleSources } from '../../page.ts';
import { rowKey } from '../../report-row.ts';
import type { ShownFinding } from './finding-answer.ts';

/** The groups of projects with findings, each as `team/platform`. */
type ProjectGroups = ReadonlyMap<string, readonly string[]>;

/** Groups of the projects of a report, looked up once: findings are shown to many. */
const known = new WeakMap<readonly ShownFinding[], WeakMap<readonly Grouping[], ProjectGroups>>();

/** Groups that findings can be filtered by. */
export class FindingGroups {
  readonly #groupings: readonly Grouping[];
  readonly #groupsOf: () => ProjectGroups;

  /** @param all the findings of a report. */
  constructor({ config, history }: Pick<ConsoleSources, 'config' | 'history'>, all: readonly ShownFinding[]) {
    const { groupings } = config;
    this.#groupings = groupings;
    this.#groupsOf = () => {
      const own = known.get(all) ?? new WeakMap<readonly Grouping[], ProjectGroups>();
      known.set(all, own);
      const found = own.get(groupings) ?? findGroups(history, groupings, all);
      own.set(groupings, found);
      return found;
    };
  }

  /** @throws PageProblem when a group is asked for that is not known. */
  choose(group: string): string[] {
    const isOwned = this.#groupings.some(({ by }) => by !== undefined);
    const paths = isOwned || group !== '' ? this.#paths() : [];
    const choices = offerGroups(this.#groupings, grouping =>
      paths
        .filter(path => path.startsWith(groupPath(grouping, '')))
        .map(path => path.slice(grouping.length + 1)),
    );
    const all = [...pathsOf(choices), ...paths];
    refuseUnknownGroup(group, choices, this.#groupings, text => all.some(matchGroup(text, all)));
    return [...pathsOf(choices)];
  }

  /** Whether the project of a finding is in a group that is meant. */
  match(group: string): (finding: ShownFinding) => boolean {
    if (group === '') return () => true;
    const groups = this.#groupsOf();
    const isMeant = matchGroup(group, this.#paths());
    return ({ account, project_id }) => (groups.get(rowKey(account, project_id)) ?? []).some(isMeant);
  }

  #paths(): readonly string[] {
    return [...new Set([...this.#groupsOf().values()].flat())];
  }
}

function findGroups(
  history: ConsoleSources['history'],
  groupings: readonly Grouping[],
  all: readonly ShownFinding[],
): ProjectGroups {
  const { groupsOf } = shareByGroup(groupings);
  const projects = new Map(all.map(each => [rowKey(each.account, each.project_id), each]));
  const found = history.look(({ matches }) =>
    [...projects].map(
      ([key, { account, project_id }]) => [key, groupsOf(matches.find(account, project_id))] as const,
    ),
  );
  return new Map(found);
}
