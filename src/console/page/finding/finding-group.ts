import { shareByGroup } from '../../../cost/rating/group-share.ts';
import type { Grouping } from '../../../resources/grouping.ts';
import { groupPath, matchGroup, offerGroups, pathsOf, refuseUnknownGroup } from '../../chosen-group.ts';
import type { ConsoleSources } from '../../page.ts';
import { rowKey } from '../../report-row.ts';
import type { ShownFinding } from './finding-answer.ts';

type Sources = Pick<ConsoleSources, 'config' | 'history'>;

/** The groups of each project with findings, such as `team/platform`. */
type ProjectGroups = ReadonlyMap<string, readonly string[]>;

/** Groups that findings can be filtered by. @throws PageProblem when a group is asked for that is not known. */
export function chooseGroups(sources: Sources, all: readonly ShownFinding[], group: string): string[] {
  const { groupings } = sources.config;
  const isOwned = groupings.some(({ by }) => by !== undefined);
  const paths = isOwned || group !== '' ? listPaths(groupsOf(sources, all)) : [];
  const choices = offerGroups(groupings, grouping =>
    paths.flatMap(path => {
      const start = groupPath(grouping, '');
      return path.startsWith(start) ? path.slice(start.length) : [];
    }),
  );
  const known = [...pathsOf(choices), ...paths];
  refuseUnknownGroup(group, choices, groupings, text => known.some(matchGroup(text, known)));
  return [...pathsOf(choices)];
}

/** Whether the project of a finding is in a group that is meant. */
export function matchGroups(
  sources: Sources,
  all: readonly ShownFinding[],
  group: string,
): (finding: ShownFinding) => boolean {
  if (group === '') return () => true;
  const groups = groupsOf(sources, all);
  const isMeant = matchGroup(group, listPaths(groups));
  return ({ account, project_id }) => (groups.get(rowKey(account, project_id)) ?? []).some(isMeant);
}

function listPaths(groups: ProjectGroups): readonly string[] {
  return [...new Set([...groups.values()].flat())];
}

/** Groups of the projects of a report, looked up once: findings are shown to many. */
const looked = new WeakMap<readonly ShownFinding[], Map<readonly Grouping[], ProjectGroups>>();

function groupsOf({ config: { groupings }, history }: Sources, all: readonly ShownFinding[]): ProjectGroups {
  const own = looked.get(all) ?? new Map<readonly Grouping[], ProjectGroups>();
  looked.set(all, own);
  const known = own.get(groupings);
  if (known !== undefined) return known;
  const share = shareByGroup(groupings);
  const projects = new Map(all.map(each => [rowKey(each.account, each.project_id), each]));
  const found = history.look(({ matches }) =>
    [...projects].map(
      ([key, each]) => [key, share.groupsOf(matches.find(each.account, each.project_id))] as const,
    ),
  );
  const groups: ProjectGroups = new Map(found);
  own.set(groupings, groups);
  return groups;
}
