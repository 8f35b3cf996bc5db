import type { NamedProject } from '../resources/project-filter.ts';
import type { AccountSource } from './account-source.ts';

/** A source whose list holds only the projects that are to be watched; what else is listed is told by name. */
export function selectProjects(
  source: AccountSource,
  isWatched: (project: NamedProject) => boolean,
): AccountSource {
  return {
    ...source,
    async *projects(signal) {
      for await (const page of source.projects(signal)) {
        const { watched = [], leftOut = [] } = Object.groupBy(page.items, project =>
          isWatched(project) ? 'watched' : 'leftOut',
        );
        yield { ...page, items: watched, leftOut };
      }
    },
  };
}
