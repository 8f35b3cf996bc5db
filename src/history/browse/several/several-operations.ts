import type { BrowsedOperation, OperationFilter, OperationMark } from '../browsed-operation.ts';
import type { BrowsedHistory } from '../history-browser.ts';
import type { BrowsedPart } from './browsed-part.ts';
import { joinLists, type ListOrder } from './operation-list.ts';
import type { ProjectPlaces } from './project-place.ts';

type Operations = BrowsedHistory['operations'];

const endedAt = ({ updated_at, created_at }: BrowsedOperation) => updated_at ?? created_at ?? 0;
const begunAt = ({ created_at }: BrowsedOperation) => created_at ?? 0;
const newestFirst: ListOrder = { instantOf: endedAt, isNewestFirst: true };
const oldestFirst: ListOrder = { instantOf: begunAt, isNewestFirst: false };

/** Rows that are read at once where they are to be counted one by one. */
const countedAtOnce = 1000;

/** Operations from several histories, each once: as the last history knows it that has it. */
export function joinOperations(places: ProjectPlaces): Operations {
  const { parts } = places;
  /** Whether its history speaks for its project, and no later one has it. */
  const isNewest = (part: BrowsedPart, { project_ref, operation_id }: BrowsedOperation) =>
    !places.silentOf(part).has(project_ref) &&
    places
      .laterThan(part, project_ref)
      .every(later => !later.part.history.operations.has(later.project_ref, operation_id));
  /** Whether its project is still read here: elsewhere nobody saw its end. */
  const isCurrent = (part: BrowsedPart, { project_ref }: BrowsedOperation) =>
    !places.formerOf(part).has(project_ref);
  const isAlone = (part: BrowsedPart) => places.formerOf(part).size === 0;

  function* failedOf(part: BrowsedPart, ...[filter, span]: FailedOf) {
    const { operations } = part.history;
    let after: Parameters<Operations['failed']>[2]['after'];
    for (;;) {
      const page = operations.failed(filter, span, { after, most: countedAtOnce });
      yield* page.filter(each => isNewest(part, each));
      const last = page.at(-1);
      if (page.length < countedAtOnce || last === undefined) return;
      after = { ...last, at: endedAt(last) };
    }
  }

  return {
    failed: (filter, span, { after, most }) =>
      joinLists(places, (part, page) => part.history.operations.failed(filter, span, page), {
        ...{ order: newestFirst, after, most, isMeant: isNewest },
      }),
    countFailed: (filter, span, most) => {
      const counts = parts.map(part =>
        isAlone(part)
          ? part.history.operations.countFailed(filter, span, most)
          : failedOf(part, filter, span)
              .take(most)
              .reduce(sum => sum + 1, 0),
      );
      return Math.min(
        most,
        counts.reduce((sum, count) => sum + count, 0),
      );
    },
    open: (filter, { after, most }) =>
      joinLists(places, (part, page) => part.history.operations.open(filter, page), {
        ...{ order: oldestFirst, after, most, isMeant: isCurrent },
      }),
    countOpen: (filter, stuckMs) => {
      const counts = parts.map(part =>
        isAlone(part)
          ? part.history.operations.countOpen(filter, stuckMs)
          : countCurrent(part, filter, stuckMs, each => isCurrent(part, each)),
      );
      return {
        open: counts.reduce((sum, { open }) => sum + open, 0),
        stuck: counts.reduce((sum, { stuck }) => sum + stuck, 0),
      };
    },
    ofProject: (number, span, paging) => listOfProject(places, number, span, paging),
    marks: (number, span, most) => marksOfProject(places, number, span, most),
    has: (number, operation_id) =>
      places
        .placesOf(number)
        .some(({ part, project_ref }) => part.history.operations.has(project_ref, operation_id)),
    actions: () => [...new Set(parts.flatMap(({ history }) => history.operations.actions()))].sort(),
  };
}

type FailedOf = readonly [OperationFilter, Parameters<Operations['failed']>[1]];

/** An operation goes on in each history that did not see its end. */
function countCurrent(
  { history: { operations } }: BrowsedPart,
  filter: OperationFilter,
  stuckMs: number,
  isCurrent: (operation: BrowsedOperation) => boolean,
) {
  const current = operations.open(filter, { most: Number.MAX_SAFE_INTEGER }).filter(isCurrent);
  const isStuck = ({ readAt, created_at }: BrowsedOperation) =>
    readAt !== null && created_at !== null && readAt - created_at > stuckMs;
  return { open: current.length, stuck: current.filter(isStuck).length };
}

/** Operations of one project, from all histories that speak for it. */
function listOfProject(
  places: ProjectPlaces,
  ...[number, span, paging]: Parameters<Operations['ofProject']>
): readonly BrowsedOperation[] {
  const found = places
    .placesOf(number)
    .flatMap(({ part, project_ref }) => part.history.operations.ofProject(project_ref, span, paging));
  // A later history knows more of the same operation.
  const once = new Map(found.map(each => [each.operation_id, { ...each, project_ref: number }]));
  return [...once.values()]
    .sort(
      (a, b) =>
        begunAt(b) - begunAt(a) ||
        Number(b.operation_id > a.operation_id) - Number(b.operation_id < a.operation_id),
    )
    .slice(0, paging.most);
}

/** A later history knows more of the same operation: also that it failed, which is no mark there. */
function marksOfProject(
  places: ProjectPlaces,
  ...[number, span, most]: Parameters<Operations['marks']>
): Iterable<OperationMark> {
  const found = places.placesOf(number).toReversed();
  const [only] = found;
  if (found.length === 1 && only !== undefined)
    return only.part.history.operations.marks(only.project_ref, span, most);
  const marks = found.flatMap(({ part, project_ref }, index) =>
    [...part.history.operations.marks(project_ref, span, most)].filter(([, , , operation_id]) =>
      found
        .slice(0, index)
        .every(later => !later.part.history.operations.has(later.project_ref, operation_id)),
    ),
  );
  return marks.sort(([a], [b]) => b - a).slice(0, most);
}
