import type { Database } from 'better-sqlite3';
import type { Span } from '../../resources/duration.ts';
import { statementsOf } from '../file/statement.ts';
import { type ProjectLife, readProjectLives } from './project-life.ts';

/** One of several histories that are joined, open and held still. */
export interface JoinedPart {
  readonly file: string;
  readonly database: Database;
}

/** The time in which one of several histories speaks for a project; epoch milliseconds. */
interface SpokenTime {
  /** From when on its states count: where the one before ends. */
  readonly cutAt: number;
  /** From when on its counter counts: the first reading. Between the two it was not read. */
  readonly fromAt: number;
  readonly untilAt: number;
}

/** A history that speaks for a project from one instant to another. */
export interface ProjectLink extends SpokenTime {
  readonly part: JoinedPart;
  /** The number the project has there. */
  readonly own: number;
  readonly life: ProjectLife;
}

/** A project with its number in the joined history. */
export interface JoinedProject {
  readonly project_ref: number;
  readonly account: string;
  readonly project_id: string;
  readonly isGone: boolean;
  /** The histories that know it, each with its number there. */
  readonly known: readonly Pick<ProjectLink, 'part' | 'own'>[];
  /** The history that speaks last for it, its number there, and when it was first read there in epoch milliseconds. */
  readonly last: { readonly part: JoinedPart; readonly own: number; readonly firstSeenAt: number };
  /** In order of time, where it moved from one history to another; none where one alone speaks for it. */
  readonly moves: readonly ProjectLink[];
}

/** What tells a project from all others in several histories. */
export function keyOfProject({ account, project_id }: Pick<JoinedProject, 'account' | 'project_id'>): string {
  return JSON.stringify([account, project_id]);
}

interface ListedProject {
  readonly part: JoinedPart;
  readonly own: number;
  readonly account: string;
  readonly project_id: string;
  readonly created_at: number | null;
  readonly first_seen_at: number;
  readonly gone_at: number | null;
}

interface ChosenProject extends Omit<JoinedProject, 'project_ref'> {
  readonly firstSeenAt: number;
  readonly createdAt: number;
}

/**
 * Decides which history speaks for each project when. The newest sighting wins: the history that read a project last has the
 * project as it is now.
 *
 * @returns in the order in which one history would have come to know them.
 */
export function listJoinedProjects(parts: readonly JoinedPart[]): readonly JoinedProject[] {
  const listed = parts.flatMap(part =>
    statementsOf(part.database).all<[], Omit<ListedProject, 'part'>>`
      SELECT project_ref AS own, account, project_id, created_at, first_seen_at, gone_at
      FROM project JOIN account USING (account_ref)`().map(project => ({ ...project, part })),
  );
  const lives = new Map<JoinedPart, ReturnType<typeof readProjectLives>>();
  const livesOf = ({ part, own }: ListedProject) => {
    const known = lives.get(part) ?? readProjectLives(part.database);
    lives.set(part, known);
    return known.get(own) ?? [];
  };
  return [...Map.groupBy(listed, keyOfProject).values()]
    .map(found => choose(found, livesOf))
    .sort(earliestFirst)
    .map(({ firstSeenAt: _, createdAt: __, ...project }, index) => ({ ...project, project_ref: index + 1 }));
}

function choose(
  found: readonly ListedProject[],
  livesOf: (project: ListedProject) => readonly ProjectLife[],
): ChosenProject {
  const links =
    found.length === 1
      ? []
      : linkLives(found.flatMap(project => livesOf(project).map(life => ({ project, life }))));
  const first = links[0]?.project ?? found[0];
  const last = links.at(-1)?.project ?? first;
  if (first === undefined || last === undefined) throw new RangeError('a project of no history');
  const isMoved = links.some(({ project }) => project.part !== first.part);
  const { account, project_id, gone_at, part, own, created_at } = last;
  return {
    ...{ account, project_id, isGone: gone_at !== null, known: found },
    last: { part, own, firstSeenAt: last.first_seen_at },
    moves: isMoved
      ? links.map(({ project, ...link }) => ({ ...link, part: project.part, own: project.own }))
      : [],
    firstSeenAt: links[0]?.life.firstSeenAt ?? first.first_seen_at,
    createdAt: created_at ?? 0,
  };
}

/** Projects that were first read together come by when they were created, as a list has them. */
function earliestFirst(a: ChosenProject, b: ChosenProject): number {
  return (
    a.firstSeenAt - b.firstSeenAt ||
    a.createdAt - b.createdAt ||
    Number(a.project_id > b.project_id) - Number(a.project_id < b.project_id)
  );
}

/** A time in which one of several histories read a project. */
interface Sighting {
  readonly project: ListedProject;
  readonly life: ProjectLife;
}

/**
 * Decides which history speaks for a project when. One that read it from earlier on and until later than another speaks
 * alone; otherwise the later one takes over at its first reading.
 *
 * @returns the ones that speak, in order of time.
 */
function linkLives(found: readonly Sighting[]): readonly (Sighting & SpokenTime)[] {
  const inOrder = found.toSorted(
    (a, b) => a.life.firstSeenAt - b.life.firstSeenAt || b.life.lastKnownAt - a.life.lastKnownAt,
  );
  const kept: Sighting[] = [];
  for (const each of inOrder) {
    const before = kept.at(-1);
    if (before === undefined || each.life.lastKnownAt > before.life.lastKnownAt) kept.push(each);
  }
  const endOf = (index: number) => {
    const [own, next] = [kept[index]?.life, kept[index + 1]?.life];
    if (own === undefined || next === undefined) return always.untilAt;
    return Math.min(own.lastReadAt, next.firstSeenAt);
  };
  return kept.map((each, index) => ({
    ...each,
    cutAt: index === 0 ? always.fromAt : endOf(index - 1),
    fromAt: index === 0 ? always.fromAt : each.life.firstSeenAt,
    untilAt: endOf(index),
  }));
}

/**
 * The times in which another history speaks for a project, by history and the number of the project there; the ones that it speaks
 * for all the time are left out.
 */
export function findElsewhere(
  parts: readonly JoinedPart[],
): ReadonlyMap<JoinedPart, ReadonlyMap<number, readonly Span[]>> {
  const elsewhere = new Map(parts.map(part => [part, new Map<number, readonly Span[]>()]));
  for (const { known, last, moves } of listJoinedProjects(parts))
    for (const { part, own } of known) {
      const alone = part === last.part && moves.length === 0 ? [always] : [];
      // The next history speaks from right after the last reading of the one before.
      const spoken = moves
        .filter(link => link.part === part)
        .map(({ cutAt, untilAt }) => ({ fromAt: cutAt + 1, untilAt: untilAt + 1 }));
      const gaps = findGaps([...alone, ...spoken]);
      if (gaps.length > 0) elsewhere.get(part)?.set(own, gaps);
    }
  return elsewhere;
}

const always = { fromAt: Number.NEGATIVE_INFINITY, untilAt: Number.POSITIVE_INFINITY };

/** All time but some spans, which are in order. */
function findGaps(spans: readonly Span[]): readonly Span[] {
  const ends = [always.fromAt, ...spans.map(({ untilAt }) => untilAt)];
  const begins = [...spans.map(({ fromAt }) => fromAt), always.untilAt];
  return ends
    .map((fromAt, index) => ({ fromAt, untilAt: begins[index] ?? fromAt }))
    .filter(({ fromAt, untilAt }) => fromAt < untilAt);
}
