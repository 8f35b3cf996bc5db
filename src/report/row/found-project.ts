import type { CostLine } from '../../cost/rating/cost-line.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';

/** The projects of a history and of lines: the meter may tell of some that were gone before anything else was read of them. */
export function findProjects(
  known: readonly UsageProject[],
  lines: readonly CostLine[],
): readonly UsageProject[] {
  const projects = new Map(known.map(project => [project.project_ref, project]));
  for (const { project } of lines) {
    if (project !== undefined && !projects.has(project.project_ref))
      projects.set(project.project_ref, project);
  }
  return [...projects.values()];
}
