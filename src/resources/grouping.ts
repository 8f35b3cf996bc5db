import type { ProjectMatch } from './project-match.ts';

/** The group of the projects that no other of its grouping matches. */
export const ungrouped = 'ungrouped';

export interface Group {
  readonly name: string;
  readonly match: ProjectMatch;
}

/** One way to share out costs, such as by team: of its groups the first that matches a project is the project's. */
export interface Grouping {
  readonly name: string;
  readonly groups: readonly Group[];
}
