import type { ListDefinition } from '../resources/list-definition.ts';
import { type ListSource, readPages, type WalkOptions } from './list-walk.ts';
import { findUnusable } from './message/unusable-items.ts';

/** A list that was read to its end. */
export interface WholeList<Item> {
  readonly items: readonly Item[];
  readonly rejected: number;
  /** Nothing exists but `items`: the list was read to an honest end and all of it could be read. */
  readonly complete: boolean;
  readonly unavailableIds: readonly string[];
  /** When the service served the first page, in epoch milliseconds. */
  readonly servedAt: number;
}

/** A page of a list that is read to its end; the last one tells of all of it. */
export interface ListPage<Item> extends Pick<WholeList<Item>, 'items' | 'servedAt'> {
  readonly end?: Pick<WholeList<Item>, 'rejected' | 'complete' | 'unavailableIds'>;
}

type ListOptions<Item> = Omit<WalkOptions<Item>, 'cursor' | 'isKnown'>;

/**
 * Reads a whole list and hands it on page by page. Throws an ApiError or the signal's reason; when it comes to its end,
 * also where most of its items cannot be used: what is left would pass for all there is.
 */
export async function* readListPages<Item>(
  source: ListSource,
  definition: ListDefinition<Item>,
  options: ListOptions<Item>,
): AsyncGenerator<ListPage<Item>, void, undefined> {
  const unavailableIds = new Set<string>();
  let rejected = 0;
  let size = 0;
  // A list that is not paged may carry a cursor nobody needs and show the same page again for it (live services).
  let isUnpaged = definition.pageLimit === undefined;
  let isFirst = true;
  for await (const page of readPages(source, definition, options)) {
    const { items, servedAt, end } = page;
    for (const id of page.unavailableIds) unavailableIds.add(id);
    rejected += page.rejected;
    size += page.size;
    if (!isFirst && items.length > 0) isUnpaged = false;
    isFirst = false;
    const unusable = end && findUnusable(definition.route, { size, rejected });
    if (end === undefined || unusable !== undefined) yield { items, servedAt };
    if (unusable !== undefined) throw unusable;
    if (end === undefined) continue;
    const isAtEnd = end === 'no_cursor' || end === 'empty_page' || (isUnpaged && end !== 'cap');
    const complete = isAtEnd && rejected === 0 && unavailableIds.size === 0;
    yield { items, servedAt, end: { rejected, complete, unavailableIds: [...unavailableIds] } };
  }
}

/** Reads a whole list. Throws an ApiError or the signal's reason. */
export async function readList<Item>(
  source: ListSource,
  definition: ListDefinition<Item>,
  options: ListOptions<Item>,
): Promise<WholeList<Item>> {
  const pages: ListPage<Item>[] = [];
  for await (const page of readListPages(source, definition, options)) pages.push(page);
  const [first] = pages;
  const end = pages.at(-1)?.end;
  if (first === undefined || end === undefined) throw new Error('a list ended before its last page');
  return { items: pages.flatMap(page => page.items), servedAt: first.servedAt, ...end };
}
