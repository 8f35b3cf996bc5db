import type { StoredProject } from '../view/stored-project.ts';

/** The project without its use of a period that is over, or of one that nobody knows the end of. */
export function endPeriod(project: StoredProject, at: number): StoredProject {
  // Asked of everything that is listed: a copy of each project would cost more than all the rest of reading a list.
  if (project.periodUse === undefined || (project.periodUse.consumption_period_end ?? at) > at)
    return project;
  const { periodUse, ...rest } = project;
  return rest;
}
