import type { SimulatedOperation, SimulatedProject } from './project.ts';
import { Refusal } from './refusal.ts';
import { formatMicrosecond, parseMicrosecond } from './timestamp.ts';

/** One page; the cursor is that of its last item and absent only where there is none. */
interface SimulatedPage<Item> {
  readonly items: readonly Item[];
  readonly cursor: string | undefined;
}

/** Newest first, those created before the cursor; all of them without a limit. Throws a 400 `Refusal`. */
export function pageOperations(
  { operations }: SimulatedProject,
  cursor: string | undefined,
  limit: number | undefined,
): SimulatedPage<SimulatedOperation> {
  let end = operations.length;
  if (cursor !== undefined) {
    const before = parseMicrosecond(cursor);
    if (before === undefined) {
      throw new Refusal(
        400,
        'cursor is the pagination.cursor of a page of operations, taken as it was and URL-encoded',
      );
    }
    end = countBefore(operations, before);
  }
  const items = operations.slice(Math.max(0, end - (limit ?? end)), end).reverse();
  const last = items.at(-1);
  return { items, cursor: last && formatMicrosecond(last.createdAtMicros) };
}

/** In the order given (by id), those after the cursor, at most `limit`. */
export function pageProjects(
  projects: readonly SimulatedProject[],
  cursor: string | undefined,
  limit: number,
): SimulatedPage<SimulatedProject> {
  const items = projects.filter(project => cursor === undefined || project.id > cursor).slice(0, limit);
  return { items, cursor: items.at(-1)?.id };
}

/** Binary search: how many were created before the instant. */
function countBefore(operations: readonly SimulatedOperation[], micros: number): number {
  let low = 0;
  let high = operations.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((operations[middle]?.createdAtMicros ?? micros) < micros) low = middle + 1;
    else high = middle;
  }
  return low;
}
