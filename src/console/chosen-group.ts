import { type Grouping, groupNamesOf, isOfOwners, ungrouped } from '../resources/grouping.ts';
import { mostChoices, refuseOther } from './offered-choice.ts';

/** The groups of a grouping to choose from. */
interface GroupChoice {
  readonly grouping: string;
  readonly groups: string[];
}

/** A group among those of all groupings. */
export function groupPath(grouping: string, group: string): string {
  return `${grouping}/${group}`;
}

/** @param groupsOf the groups that projects have of a grouping by whose they are, each once and in any order. */
export function offerGroups(
  groupings: readonly Grouping[],
  groupsOf: (grouping: string) => readonly string[],
): GroupChoice[] {
  return groupings.map(({ name, groups, by }) => ({
    grouping: name,
    groups:
      by === undefined
        ? [...groups.map(group => group.name), ungrouped]
        : groupsOf(name).toSorted().slice(0, mostChoices),
  }));
}

/** The groups to choose from as they are asked for: `team/platform`. */
export function pathsOf(choices: readonly GroupChoice[]): readonly string[] {
  return choices.flatMap(({ grouping, groups }) => groups.map(name => groupPath(grouping, name)));
}

/** Whether a group is meant: the one that is called so, else all that have this text in their name. */
export function matchGroup(text: string, paths: readonly string[]): (path: string) => boolean {
  if (paths.includes(text)) return path => path === text;
  const part = text.toLowerCase();
  return path => path.toLowerCase().includes(part);
}

/**
 * @param isPartOfGroup whether a group has this text in its name.
 * @throws PageProblem when what is asked for is of no group that is known.
 */
export function refuseUnknownGroup(
  group: string,
  choices: readonly GroupChoice[],
  groupings: readonly Grouping[],
  isPartOfGroup: (text: string) => boolean,
): void {
  const isOfOwner = groupings.flatMap(groupNamesOf).some(names => isOfOwners(names, group));
  if (!isOfOwner && !isPartOfGroup(group)) refuseOther('group', group, pathsOf(choices));
}
