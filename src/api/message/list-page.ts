import type { ListDefinition } from '../../resources/list-definition.ts';
import { ApiError } from './api-error.ts';

/** One answer of a list, before its items are read. */
export interface RawPage {
  readonly items: readonly unknown[];
  /** Where the next page begins; undefined when the service names none. */
  readonly cursor: string | undefined;
  /** Ids of what belongs to the list but could not be served in time (`unavailable_project_ids`, as seen on live services). */
  readonly unavailableIds: readonly string[];
}

const longestCursor = 4096;

/** Takes the answer of a list apart. Throws an ApiError (malformed) when it is not laid out as the definition says. */
export function parseListPage(
  body: unknown,
  { route, itemsKey }: Pick<ListDefinition<unknown>, 'route' | 'itemsKey'>,
): RawPage {
  if (itemsKey === undefined) {
    if (!Array.isArray(body)) throw malformedList(route, 'is not an array');
    return { items: body, cursor: undefined, unavailableIds: [] };
  }
  if (!isObject(body)) throw malformedList(route, 'is not an object');
  const items = body[itemsKey];
  if (!Array.isArray(items)) throw malformedList(route, `has no array "${itemsKey}"`);
  return { items, cursor: readCursor(body, route), unavailableIds: readUnavailableIds(body, route) };
}

/** An unreadable cursor is an error and not an end: a list cut short must not pass for a whole one. */
function readCursor({ pagination }: Readonly<Record<string, unknown>>, route: string): string | undefined {
  if (pagination === undefined || pagination === null) return undefined;
  if (!isObject(pagination)) throw malformedList(route, 'has a "pagination" that is not an object');
  const { cursor } = pagination;
  if (cursor === undefined || cursor === null || cursor === '') return undefined;
  const text = typeof cursor === 'number' ? String(cursor) : cursor;
  if (typeof text !== 'string' || text.length > longestCursor) {
    throw malformedList(route, 'has a "cursor" that cannot be sent back');
  }
  return text;
}

function readUnavailableIds(body: Readonly<Record<string, unknown>>, route: string): readonly string[] {
  const ids = body.unavailable_project_ids ?? [];
  if (!Array.isArray(ids)) throw malformedList(route, 'has "unavailable_project_ids" that are not an array');
  return ids.map(id => (typeof id === 'string' ? id : JSON.stringify(id)));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformedList(route: string, problem: string): ApiError {
  const advice = 'check that base_url is that of an API of version 2';
  return new ApiError('malformed', route, `the answer of GET ${route} ${problem}: ${advice}`);
}

/** Items of a list: how many there are, and how many of them could not be read. */
interface ItemCount {
  readonly size: number;
  readonly rejected: number;
}

/** The error (malformed) where most items of a list cannot be used: the others would pass for all there are. */
export function findUnusable(route: string, { size, rejected }: ItemCount): ApiError | undefined {
  if (rejected <= size / 2) return undefined;
  const advice = 'check that base_url is that of an API of version 2';
  const message = `${rejected} of ${size} items in the answer of GET ${route} cannot be used: ${advice}`;
  return new ApiError('malformed', route, message);
}
