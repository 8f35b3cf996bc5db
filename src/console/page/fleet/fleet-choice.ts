import type { Grouping } from '../../../resources/grouping.ts';
import { type GroupChoice, offerGroups, refuseUnknownGroup } from '../../chosen-group.ts';
import { mostChoices, refuseOther } from '../../offered-choice.ts';

/** The values to choose from. */
export interface FleetChoices {
  readonly accounts: string[];
  readonly regions: string[];
  readonly groups: GroupChoice[];
}

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
    groups: offerGroups(groupings, groupsOf),
  };
}

/**
 * @param isPartOfGroup whether a group has this text in its name.
 * @throws PageProblem when what is asked for is of nothing that is known.
 */
export function refuseUnknown(
  { account, region, group }: { readonly account: string; readonly region: string; readonly group: string },
  choices: FleetChoices,
  groupings: readonly Grouping[],
  isPartOfGroup: (text: string) => boolean,
): void {
  refuseOther('account', account, choices.accounts);
  // Before the first reading none is known, and of very many not all are told.
  const { length } = choices.regions;
  if (length > 0 && length < mostChoices) refuseOther('region', region, choices.regions);
  refuseUnknownGroup(group, choices.groups, groupings, isPartOfGroup);
}
