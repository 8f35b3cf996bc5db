import { matchesGlob } from './glob.ts';

/** A choice of projects: each fits one entry of every condition that is there. */
export interface ProjectMatch {
  readonly accounts?: readonly string[];
  readonly regions?: readonly string[];
  readonly platforms?: readonly string[];
  /** Globs on the name or id. */
  readonly projects?: readonly string[];
  /** Globs on the id of the owner, or on the id or name of the organisation. */
  readonly owners?: readonly string[];
  /** Groups of a grouping, as `team/platform`. */
  readonly groups?: readonly string[];
}

/** The properties of a project that conditions look at. */
export interface MatchedProject {
  readonly account: string;
  readonly project_id: string;
  readonly project_name?: string | undefined;
  readonly region_id?: string | undefined;
  readonly platform_id?: string | undefined;
  /** Absent where the service does not say whose it is. */
  readonly owner_id?: string | undefined;
  readonly org_id?: string | undefined;
  readonly org_name?: string | undefined;
}

/** @param groupsOf the groups a project is in, as `team/platform`; asked only where a condition names one. */
export function matchesProject(
  match: ProjectMatch,
  project: MatchedProject,
  groupsOf: (project: MatchedProject) => readonly string[] = () => [],
): boolean {
  const { account, project_id, project_name, region_id, platform_id, owner_id, org_id, org_name } = project;
  const fits = (globs: readonly string[] | undefined, texts: readonly (string | undefined)[]) =>
    globs === undefined ||
    globs.some(glob => texts.some(text => text !== undefined && matchesGlob(glob, text)));
  return (
    fits(match.accounts, [account]) &&
    fits(match.regions, [region_id]) &&
    fits(match.platforms, [platform_id]) &&
    fits(match.projects, [project_name, project_id]) &&
    fits(match.owners, [owner_id, org_id, org_name]) &&
    (match.groups === undefined || match.groups.some(group => groupsOf(project).includes(group)))
  );
}
