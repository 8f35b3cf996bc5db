import type { Span } from '../../resources/endpoint-history.ts';
import { type JoinedPart, listJoinedProjects } from './joined-project.ts';

/**
 * The times in which another history speaks for a project, by history and the number of the project there; those that it speaks
 * for all the time are left out.
 */
export function findElsewhere(
  parts: readonly JoinedPart[],
): ReadonlyMap<JoinedPart, ReadonlyMap<number, readonly Span[]>> {
  const spoken = new Map(parts.map(part => [part, new Map<number, readonly Span[]>()]));
  for (const { last, moves } of listJoinedProjects(parts)) {
    if (moves.length === 0) spoken.get(last.part)?.set(last.own, [always]);
    for (const { part, own, cutAt, untilAt } of moves) {
      const before = spoken.get(part)?.get(own) ?? [];
      // The next history speaks from right after the last reading of the one before.
      spoken.get(part)?.set(own, [...before, { fromAt: cutAt + 1, untilAt: untilAt + 1 }]);
    }
  }
  return new Map(
    parts.map(part => {
      const all = part.database.prepare<[], number>('SELECT project_ref FROM project').pluck().all();
      const found = all.map(own => [own, findGaps(spoken.get(part)?.get(own) ?? [])] as const);
      return [part, new Map(found.filter(([, gaps]) => gaps.length > 0))];
    }),
  );
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
