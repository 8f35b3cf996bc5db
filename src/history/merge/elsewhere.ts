import type { Database } from 'better-sqlite3';
import type { Span } from '../../resources/endpoint-history.ts';
import { type ProjectLife, readProjectLives } from './project-life.ts';
import { linkLives } from './spoken-time.ts';

/** A project as one of several histories knows it. */
export interface LivedProject {
  readonly account: string;
  readonly project_id: string;
  readonly project_ref: number;
  readonly lives: readonly ProjectLife[];
}

/** The projects of a history, with the times in which it read them. */
export function listLivedProjects(database: Database): readonly LivedProject[] {
  const lives = readProjectLives(database);
  return database
    .prepare<[], Omit<LivedProject, 'lives'>>(
      'SELECT account, project_id, project_ref FROM project JOIN account USING (account_ref)',
    )
    .all()
    .map(project => ({ ...project, lives: lives.get(project.project_ref) ?? [] }));
}

/**
 * The times in which another history speaks for a project, by history and the number of the project there; those that no
 * other history knows are left out.
 */
export function findElsewhere(
  histories: readonly (readonly LivedProject[])[],
): readonly ReadonlyMap<number, readonly Span[]>[] {
  const found = histories.map(() => new Map<number, readonly Span[]>());
  const everyProject = histories.flatMap((projects, index) => projects.map(project => ({ index, project })));
  const byId = Map.groupBy(everyProject, ({ project }) =>
    JSON.stringify([project.account, project.project_id]),
  );
  for (const shared of byId.values()) {
    if (shared.length === 1) continue;
    const links = linkLives(
      shared.flatMap(({ index, project }) => project.lives.map(life => ({ index, life }))),
    );
    for (const { index, project } of shared) {
      // The next history speaks from right after the last reading of the one before.
      const spoken = links
        .filter(link => link.index === index)
        .map(({ cutAt, untilAt }) => ({ fromAt: cutAt + 1, untilAt: untilAt + 1 }));
      found[index]?.set(project.project_ref, findGaps(spoken));
    }
  }
  return found;
}

/** All time but some spans, which are in order. */
function findGaps(spans: readonly Span[]): readonly Span[] {
  const ends = [Number.NEGATIVE_INFINITY, ...spans.map(({ untilAt }) => untilAt)];
  const begins = [...spans.map(({ fromAt }) => fromAt), Number.POSITIVE_INFINITY];
  return ends
    .map((fromAt, index) => ({ fromAt, untilAt: begins[index] ?? fromAt }))
    .filter(({ fromAt, untilAt }) => fromAt < untilAt);
}
