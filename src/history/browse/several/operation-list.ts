import type { BrowsedOperation, OperationKey } from '../browsed-operation.ts';
import type { BrowsedPart } from './browsed-part.ts';
import type { ProjectPlaces } from './project-place.ts';

/** A list of operations of one history, from a key on. */
type ReadPart = (
  part: BrowsedPart,
  paging: { readonly after?: OperationKey | undefined; readonly most: number },
) => readonly BrowsedOperation[];

/** How a list is sorted: by an instant, then by project and id. */
export interface ListOrder {
  readonly instantOf: (operation: BrowsedOperation) => number;
  readonly isNewestFirst: boolean;
}

export interface ListOptions {
  readonly order: ListOrder;
  readonly after?: OperationKey | undefined;
  readonly most: number;
  /** Whether an operation of a history counts, by the number that its project has there. */
  readonly isMeant: (part: BrowsedPart, operation: BrowsedOperation) => boolean;
}

/** Joins lists of several histories; the projects have their numbers among all. */
export function joinLists(
  places: ProjectPlaces,
  read: ReadPart,
  { order, after, most, isMeant }: ListOptions,
): readonly BrowsedOperation[] {
  const found = places.parts.flatMap(part => {
    const key = after && keyIn(part, after, places);
    const own = readMeant(
      page => read(part, page),
      { order, after: key, most },
      each => isMeant(part, each),
    );
    return own.map(each => ({ ...each, project_ref: places.numberOf(part, each.project_ref) }));
  });
  return found.sort(compareBy(order)).slice(0, most);
}

/** Reads on until there are as many as are wanted of those that count. */
function readMeant(
  read: (paging: Parameters<ReadPart>[1]) => readonly BrowsedOperation[],
  { order, after, most }: Omit<ListOptions, 'isMeant'>,
  isMeant: (operation: BrowsedOperation) => boolean,
): readonly BrowsedOperation[] {
  const found: BrowsedOperation[] = [];
  let from = after;
  for (;;) {
    const page = read({ after: from, most });
    found.push(...page.filter(isMeant));
    const last = page.at(-1);
    if (found.length >= most || page.length < most || last === undefined) return found;
    from = { at: order.instantOf(last), project_ref: last.project_ref, operation_id: last.operation_id };
  }
}

/** The key in one history at which its list goes on after a key among all. */
function keyIn(
  part: BrowsedPart,
  { at, project_ref, operation_id }: OperationKey,
  places: ProjectPlaces,
): OperationKey {
  // An address may say anything.
  const number = Number.isSafeInteger(project_ref) && project_ref > 0 ? project_ref : 0;
  const row = places.numbers.rowOf(number);
  if (row.part === part.file) return { at, project_ref: row.ref, operation_id };
  // The first number of this history beyond that of the key: no id comes before an empty one.
  const isBeyond = places.numberOf(part, row.ref) > number;
  return { at, project_ref: isBeyond ? row.ref : row.ref + 1, operation_id: '' };
}

function compareBy({ instantOf, isNewestFirst }: ListOrder) {
  const upwards = (a: BrowsedOperation, b: BrowsedOperation) =>
    instantOf(a) - instantOf(b) ||
    a.project_ref - b.project_ref ||
    Number(a.operation_id > b.operation_id) - Number(a.operation_id < b.operation_id);
  return (a: BrowsedOperation, b: BrowsedOperation) => (isNewestFirst ? upwards(b, a) : upwards(a, b));
}
