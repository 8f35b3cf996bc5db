import { type ListSource, readListPages } from '../../api/list.ts';
import { type Project, projectList } from '../../resources/project.ts';
import { createProjectFilter, type ProjectGlobs } from '../../resources/project-filter.ts';
import type { ListedProjects } from './answers.ts';

/** A list is read to its end unless it has more pages than this: a check takes few requests. */
const mostPages = 50;

/** Reads the list of projects. Throws an ApiError or the signal's reason. */
export async function listProjects(
  source: ListSource,
  globs: ProjectGlobs,
  signal: AbortSignal,
): Promise<ListedProjects> {
  const isWatched = createProjectFilter(globs);
  const watched: Project[] = [];
  const pageSizes: number[] = [];
  let end = { rejected: 0, complete: false, unavailableIds: [] as readonly string[] };
  const options = { priority: 'list', signal, maxPages: mostPages } as const;
  for await (const page of readListPages(source, projectList, options)) {
    for (const project of page.items.filter(isWatched)) watched.push(project);
    if (page.items.length > 0) pageSizes.push(page.items.length);
    end = page.end ?? end;
  }
  return {
    watched,
    listed: pageSizes.reduce((sum, size) => sum + size, 0),
    rejected: end.rejected,
    unavailable: end.unavailableIds.length,
    pages: pageSizes.length,
    pageSize: pageSizes[0] ?? 0,
    isWhole: end.complete,
  };
}
