import { type Grouping, groupNamesOf, isOfOwners, ungrouped } from '../../../resources/grouping.ts';
import { PageProblem } from '../../page-problem.ts';

/** The values to choose from. */
export interface FleetChoices {
  readonly accounts: string[];
  readonly regions: string[];
  readonly groups: { readonly grouping: string; readonly groups: string[] }[];
}

/** A list to choose from is no longer, unless all of it is configured. */
const mostChoices = 200;

/** Each value that a project has, once and in any order. */
export interface FleetValues {
  readonly accounts: readonly string[];
  readonly regions: readonly string[];
  readonly groupsOf: (grouping: string) => readonly string[];
}

export function findChoices(
  { accounts, regions, groupsOf }: FleetValues,
  groupings: readonly Grouping[],
): FleetChoices {
  return {
    accounts: accounts.toSorted(),
    regions: regions.toSorted().slice(0, mostChoices),
    groups: groupings.map(({ name, groups, by }) => ({
      grouping: name,
      groups:
        by === undefined
          ? [...groups.map(group => group.name), ungrouped]
          : groupsOf(name).toSorted().slice(0, mostChoices),
    })),
  };
}

/**
 * @param isPartOfGroup whether a group has this text in its name.
 * @throws PageProblem when what is asked for is of nothing that is known.
 */
export function refuseUnknown(
  { account, group }: { readonly account: string; readonly group: string },
  choices: FleetChoices,
  groupings: readonly Grouping[],
  isPartOfGroup: (text: string) => boolean,
): void {
  const groups = choices.groups.flatMap(({ grouping, groups }) =>
    groups.map(name => groupPath(grouping, name)),
  );
  refuseOther('account', account, choices.accounts);
  const isOfOwner = groupings.flatMap(groupNamesOf).some(names => isOfOwners(names, group));
  if (!isOfOwner && !isPartOfGroup(group)) refuseOther('group', group, groups);
}

function refuseOther(what: string, given: string, known: readonly string[]): void {
  if (given === '' || known.includes(given)) return;
  throw new PageProblem(
    400,
    'This address cannot be read',
    `There is no ${what} "${given.slice(0, 60)}".`,
    known.slice(0, mostChoices),
  );
}

/** A group among those of all groupings. */
export function groupPath(grouping: string, group: string): string {
  return `${grouping}/${group}`;
}
