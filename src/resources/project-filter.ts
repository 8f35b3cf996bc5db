import { matchesGlob } from './glob.ts';
import { isOfShard, type Shard } from './shard.ts';

/** Globs on the name or the id of a project. */
export interface ProjectGlobs {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** The shard whose projects are taken, of those above; all where it is absent. */
  readonly shard?: Shard;
}

/** The properties a filter looks at: of a project as it is listed, or as it is shown. */
export interface NamedProject {
  readonly project_id: string;
  readonly project_name?: string | undefined;
}

/** Whether a project is to be watched: one of `include` matches its name or id, none of `exclude` does, and it is of the shard. */
export function createProjectFilter({
  include,
  exclude,
  shard,
}: ProjectGlobs): (project: NamedProject) => boolean {
  const isNamed = createGlobFilter(include, exclude);
  if (shard === undefined) return isNamed;
  return project => isOfShard(project.project_id, shard) && isNamed(project);
}

function createGlobFilter(include: readonly string[], exclude: readonly string[]) {
  if (include.includes('*') && exclude.length === 0) return () => true;
  return ({ project_id, project_name }: NamedProject) => {
    const isMeant = (glob: string) =>
      matchesGlob(glob, project_id) || (project_name !== undefined && matchesGlob(glob, project_name));
    return include.some(isMeant) && !exclude.some(isMeant);
  };
}
