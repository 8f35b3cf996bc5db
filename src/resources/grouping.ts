import type { MatchedProject, ProjectMatch } from './project-match.ts';

/** The group of the projects that no other of its grouping matches. */
export const ungrouped = 'ungrouped';

interface Group {
  readonly name: string;
  readonly match: ProjectMatch;
}

/** Whose a project is makes its group: an organisation or a person, or organisations alone. */
export const ownerAxes = ['owner', 'organisation'] as const;
export type OwnerAxis = (typeof ownerAxes)[number];

/** One way to share out costs, such as by team: of its groups the first that matches a project is the project's. */
export interface Grouping {
  readonly name: string;
  readonly groups: readonly Group[];
  /** Its groups are the ones that projects belong to; absent where they are configured. */
  readonly by?: OwnerAxis;
}

/** Whose a project is, by name where there is one; undefined where the service does not say. */
export function ownerOf(
  { owner_id, org_id, org_name }: Pick<MatchedProject, 'owner_id' | 'org_id' | 'org_name'>,
  by: OwnerAxis,
): string | undefined {
  return org_name ?? org_id ?? (by === 'owner' ? owner_id : undefined);
}

/** Whether a text such as `owner/Quiet Sea` names one of the groups that `owner/*` stands for. */
export function isOfOwners(names: string, text: string): boolean {
  return names.endsWith('/*') && text.startsWith(names.slice(0, -1)) && text.length >= names.length;
}

/** The names by which the groups of a grouping can be asked for, as `team/platform`; `owner/*` stands for any. */
export function groupNamesOf({ name, groups, by }: Grouping): readonly string[] {
  return by === undefined ? groups.map(group => `${name}/${group.name}`) : [`${name}/*`];
}
