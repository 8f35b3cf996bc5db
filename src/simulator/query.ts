import { Refusal } from './model/refusal.ts';

/** A whole number in the query, undefined if it is not there. Throws a 400 `Refusal` for anything else. */
export function readNumberQuery(
  query: URLSearchParams,
  name: string,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
  const range = Number.isFinite(maximum) ? `from ${minimum} to ${maximum}` : `from ${minimum}`;
  throw new Refusal(400, `${name} must be a whole number ${range}, not "${text}"`);
}

export function readLimit(query: URLSearchParams, maximum: number): number | undefined {
  return readNumberQuery(query, 'limit', { minimum: 1, maximum });
}

export function showPagination(cursor: string | undefined) {
  return cursor === undefined ? {} : { pagination: { cursor } };
}
