import { findProject, liveProjects, type SimulatedAccount } from './model/account.ts';
import { showBranches } from './model/later/branch-form.ts';
import { resolveOrg } from './model/later/later-account.ts';
import { requireLater, requireTerms } from './model/later/metering.ts';
import { recoverableUntil, showListedProject, showSingleProject } from './model/later/project-form.ts';
import { pageProjects } from './model/paging.ts';
import type { SimulatedProject } from './model/project.ts';
import { showProject } from './model/wire-form.ts';
import { readLimit, readNumberQuery, showPagination } from './query.ts';
import { get, type Route } from './router.ts';

const largestPage = 400;
const defaultPage = 10;
const longestTimeoutMs = 30_000;

/** The list of projects. */
export function contractProjectRoutes(
  account: SimulatedAccount,
  /** How many projects a call without `limit` gets; absent for all of them, unpaged. */
  unlimitedPage: number | undefined,
): readonly Route[] {
  return [
    get('/projects', ({ query }) => {
      const limit = readLimit(query, Number.POSITIVE_INFINITY) ?? unlimitedPage;
      const cursor = query.get('cursor') ?? undefined;
      const projects = liveProjects(account);
      if (limit === undefined && cursor === undefined) {
        return { projects: projects.map(showProject) };
      }
      const page = pageProjects(projects, cursor, Math.min(limit ?? largestPage, largestPage));
      return { projects: page.items.map(showProject), ...showPagination(page.cursor) };
    }),
  ];
}

/** The list of projects, and one project and its branches with what they used in the present period. */
export function laterProjectRoutes(
  account: SimulatedAccount,
  unlimitedPage: number | undefined,
): readonly Route[] {
  return [
    get('/projects', ({ query }) => listProjects(account, query, unlimitedPage)),
    get('/projects/{project_id}', call => {
      const project = findProject(account, call.param('project_id'));
      return { project: showSingleProject(account, project) };
    }),
    get('/projects/{project_id}/branches', call => {
      const project = findProject(account, call.param('project_id'));
      return { branches: showBranches(account, project) };
    }),
  ];
}

/** By id. */
function listedProjects(account: SimulatedAccount): SimulatedProject[] {
  if (!requireTerms(account).listDeleted) return liveProjects(account);
  const { now } = account.timeline;
  return [...account.projects.values()]
    .filter(({ deletedAt }) => deletedAt === undefined || recoverableUntil(deletedAt) > now)
    .sort((left, right) => (left.id < right.id ? -1 : 1));
}

function listProjects(account: SimulatedAccount, query: URLSearchParams, unlimitedPage = defaultPage) {
  const limit = readLimit(query, largestPage) ?? unlimitedPage;
  readNumberQuery(query, 'timeout', { minimum: 1, maximum: longestTimeoutMs });
  const orgId = resolveOrg(requireTerms(account), query.get('org_id') ?? undefined);
  const wanted = (query.get('search') ?? '').toLowerCase();
  const found = listedProjects(account).filter(
    project =>
      requireLater(project).orgId === orgId &&
      (project.name.toLowerCase().includes(wanted) || project.id.includes(wanted)),
  );
  const { items, cursor } = pageProjects(found, query.get('cursor') ?? undefined, limit);
  const unavailable = items.filter(project => requireLater(project).isUnavailable);
  const shown = items.filter(project => !unavailable.includes(project));
  return {
    projects: shown.map(project => showListedProject(account, project)),
    ...(unavailable.length > 0 && { unavailable_project_ids: unavailable.map(({ id }) => id) }),
    ...showPagination(cursor),
  };
}
