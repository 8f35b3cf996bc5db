import { setImmediate } from 'node:timers/promises';
import type { ListDefinition } from '../resources/list-definition.ts';
import type { GetRequest } from './client.ts';
import type { ServedDocument } from './message/answer.ts';
import { ApiError } from './message/api-error.ts';
import { findUnusable, parseListPage, type RawPage } from './message/list-page.ts';

/** The part of the client that a walk needs. */
export interface ListSource {
  get(request: GetRequest): Promise<ServedDocument>;
  readonly routesWithoutLimit: Set<string>;
  /** The organisation whose lists are read; absent where none is set. */
  readonly org_id?: string | undefined;
}

/**
 * Why a walk ended. `no_cursor` and `empty_page` are the ends an honest service has; the others keep a walk from
 * running for ever: a cursor that came before, a page without anything new, too many pages or too long a time.
 */
type WalkEnd = 'no_cursor' | 'empty_page' | 'repeated_cursor' | 'known_ids' | 'cap';

export interface WalkedPage<Item> {
  /** Readable items that no earlier page of this walk had. */
  readonly items: readonly Item[];
  /** How many items could not be read. */
  readonly rejected: number;
  /** All items of the page, readable or not, new or not. */
  readonly size: number;
  /** Where a later walk resumes after this page; undefined when there is nowhere to go on. */
  readonly cursor: string | undefined;
  readonly servedAt: number;
  readonly unavailableIds: readonly string[];
  /** Set on the last page of a walk. */
  readonly end: WalkEnd | undefined;
}

interface WalkOptions<Item> {
  readonly params?: Readonly<Record<string, string>>;
  /** Sent with every request, besides what pages need. */
  readonly query?: Readonly<Record<string, string>>;
  readonly priority: GetRequest['priority'];
  readonly signal: AbortSignal;
  /** Where an earlier walk stopped. */
  readonly cursor?: string;
  /** Page size to ask for instead of the definition's. */
  readonly limit?: number;
  /** Ends the walk after a page on which every item is known already; such a page is still handed over. */
  readonly isKnown?: (item: Item) => boolean;
  readonly maxPages?: number;
  /** Milliseconds of a clock that never steps. */
  readonly now?: () => number;
}

/** Items that are read in one go: of an answer with more of them, the rest waits for what else there is to do. */
const portion = 1000;
const defaultMaxPages = 10_000;
const maxDurationMs = 30 * 60 * 1000;

/**
 * Reads a list page by page, following the service's cursor wherever it gives one: a short page proves nothing, as the
 * service may clamp `limit`. Always ends. Throws an ApiError or the signal's reason.
 */
export async function* readPages<Item>(
  source: ListSource,
  definition: ListDefinition<Item>,
  options: WalkOptions<Item>,
): AsyncGenerator<WalkedPage<Item>, void, undefined> {
  const { maxPages = defaultMaxPages, now = () => performance.now() } = options;
  const endAt = now() + maxDurationMs;
  const walk: Walk = { seenIds: new Set(), seenCursors: new Set() };
  let { cursor } = options;
  for (let pages = 1; ; pages += 1) {
    if (cursor !== undefined) walk.seenCursors.add(cursor);
    const { body, servedAt } = await requestPage(source, definition, options, cursor);
    const raw = parseListPage(body, definition);
    const read = await readItems(raw, definition, walk.seenIds, options.isKnown);
    const isCapped = pages >= maxPages || now() >= endAt;
    const end = walkEnd(raw, read, walk) ?? (isCapped ? 'cap' : undefined);
    const isOver = end === 'empty_page' || end === 'repeated_cursor';
    cursor = isOver ? undefined : raw.cursor;
    const { items, rejected } = read;
    const size = raw.items.length;
    yield { items, rejected, size, cursor, servedAt, unavailableIds: raw.unavailableIds, end };
    if (end !== undefined) return;
  }
}

interface Walk {
  readonly seenIds: Set<string>;
  readonly seenCursors: Set<string>;
}

interface ReadItems<Item> {
  readonly items: readonly Item[];
  readonly rejected: number;
  /** Whether there were readable items and all of them were known. */
  readonly areAllKnown: boolean;
}

async function readItems<Item>(
  raw: RawPage,
  definition: ListDefinition<Item>,
  seenIds: Set<string>,
  isKnown: (item: Item) => boolean = () => false,
): Promise<ReadItems<Item>> {
  const items: Item[] = [];
  let rejected = 0;
  for (const [index, written] of raw.items.entries()) {
    if (index > 0 && index % portion === 0) await setImmediate();
    const item = definition.decode(written);
    if (item === undefined) {
      rejected += 1;
      continue;
    }
    const id = definition.identify(item);
    if (!seenIds.has(id)) items.push(item);
    seenIds.add(id);
  }
  return { items, rejected, areAllKnown: raw.items.length > rejected && items.every(isKnown) };
}

function walkEnd(raw: RawPage, read: ReadItems<unknown>, { seenCursors }: Walk): WalkEnd | undefined {
  if (raw.items.length === 0) return 'empty_page';
  if (raw.cursor === undefined) return 'no_cursor';
  if (seenCursors.has(raw.cursor)) return 'repeated_cursor';
  return read.areAllKnown ? 'known_ids' : undefined;
}

/** Asks for one page. A service that refuses `limit` is asked without it, and from then on for every list of that route. */
async function requestPage<Item>(
  source: ListSource,
  { route, pageLimit, takesLimit, takesOrganisation }: ListDefinition<Item>,
  { params = {}, query: asked = {}, priority, signal, limit = pageLimit }: WalkOptions<Item>,
  cursor: string | undefined,
): Promise<ServedDocument> {
  const { org_id } = source;
  const position: Record<string, string> = {
    ...asked,
    ...(cursor !== undefined && { cursor }),
    ...(takesOrganisation && org_id !== undefined && { org_id }),
  };
  const ask = (query: Record<string, string>) => source.get({ route, params, query, priority, signal });
  if (limit === undefined || source.routesWithoutLimit.has(route)) return ask(position);
  // The specification, "Pagination rules" 3: the cursor goes together with limit.
  return ask({ limit: String(limit), ...position }).catch(async error => {
    if (takesLimit || cursor !== undefined || !isRefusedQuery(error)) throw error;
    const reading = await ask(position);
    source.routesWithoutLimit.add(route);
    return reading;
  });
}

function isRefusedQuery(error: unknown): boolean {
  return error instanceof ApiError && !error.isAboutOrganisation && [400, 422].includes(error.status ?? 0);
}

/** A list that was read to its end. */
interface WholeList<Item> {
  readonly items: readonly Item[];
  readonly rejected: number;
  /** Nothing exists but `items`: the list was read to an honest end and all of it could be read. */
  readonly complete: boolean;
  readonly unavailableIds: readonly string[];
  /** When the service served the first page, in epoch milliseconds. */
  readonly servedAt: number;
}

/** A page of a list that is read to its end; the last one tells of all of it. */
interface ListPage<Item> extends Pick<WholeList<Item>, 'items' | 'servedAt'> {
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
  // A list that is not paged may carry a needless cursor and show the same page again for it (live services).
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
