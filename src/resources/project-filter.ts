import { matchesGlob } from './glob.ts';

/** Globs on the name or the id of a project. */
export interface ProjectGlobs {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** The properties a filter looks at: of a project as it is listed, or as it is shown. */
export interface NamedProject {
  readonly project_id: string;
  readonly project_name?: string | undefined;
}

/** Whether a project is to be watched: one of `include` matches its name or id and none of `exclude` does. */
export function createProjectFilter({ include, exclude }: ProjectGlobs): (project: NamedProject) => boolean {
  if (include.includes('*') && exclude.length === 0) return () => true;
  return ({ project_id, project_name }) => {
    const isMeant = (glob: string) =>
      matchesGlob(glob, project_id) || (project_name !== undefined && matchesGlob(glob, project_name));
    return include.some(isMeant) && !exclude.some(isMeant);
  };
}
