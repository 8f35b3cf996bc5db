import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { HistoryPart, RowNumbers } from './history-part.ts';
import type { ProjectLife } from './project-life.ts';
import { linkLives, type SpokenTime } from './spoken-time.ts';

/** A history that speaks for a project from one instant to another. */
export interface ProjectLink extends SpokenTime {
  readonly part: HistoryPart;
  /** As this history has it. */
  readonly project: UsageProject;
  readonly life: ProjectLife;
}

/** A project with the histories that speak for it, in order of time: one, unless it was moved from shard to shard. */
export interface ProjectChain {
  /** As the last of them has it, with its number among all. */
  readonly project: UsageProject;
  readonly links: readonly [ProjectLink, ...ProjectLink[]];
}

interface Candidate {
  readonly part: HistoryPart;
  readonly project: UsageProject;
  readonly life: ProjectLife;
}

/** Decides which history speaks for a project when. */
export function chainProjects(parts: readonly HistoryPart[], numbers: RowNumbers): readonly ProjectChain[] {
  const candidates = parts.flatMap(part =>
    part.history.usage.projects.flatMap((project): Candidate[] =>
      (part.lives.get(project.project_ref) ?? []).map(life => ({ part, project, life })),
    ),
  );
  const byProject = Map.groupBy(candidates, ({ project }) =>
    JSON.stringify([project.account, project.project_id]),
  );
  return [...byProject.values()].map(found => linkAll(found, numbers)).sort(earliestFirst);
}

/** Projects that were first read together come by when they were created, as a list has them. */
function earliestFirst(a: ProjectChain, b: ProjectChain): number {
  return (
    a.links[0].life.firstSeenAt - b.links[0].life.firstSeenAt ||
    (a.project.created_at ?? 0) - (b.project.created_at ?? 0) ||
    Number(a.project.project_id > b.project.project_id) - Number(a.project.project_id < b.project.project_id)
  );
}

function linkAll(found: readonly Candidate[], numbers: RowNumbers): ProjectChain {
  const links = linkLives(found);
  const { part, project } = links.at(-1) ?? links[0];
  const project_ref = numbers.numberOf({ part, ref: project.project_ref });
  return { project: { ...project, project_ref }, links };
}
