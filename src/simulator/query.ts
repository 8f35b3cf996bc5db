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

/** Milliseconds of an RFC 3339 instant that must be in the query. Throws a 400 `Refusal`. */
export function readInstantQuery(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? '';
  const isComplete = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(text);
  const milliseconds = Date.parse(text);
  if (isComplete && Number.isFinite(milliseconds)) return milliseconds;
  throw new Refusal(400, `${name} must be an instant like 2026-03-01T00:00:00Z, not "${text}"`);
}

/** A list as several parameters, with commas between, or both; empty if it is not there. Throws a 400 `Refusal`. */
export function readList(query: URLSearchParams, name: string, most: number): string[] {
  const items = query
    .getAll(name)
    .flatMap(text => text.split(','))
    .map(item => item.trim())
    .filter(item => item !== '');
  if (items.length <= most) return items;
  throw new Refusal(400, `${name} must be at most ${most}, not ${items.length}`);
}

/** As `readList`, of known words; all of them if it is not there. */
export function readWords<Word extends string>(
  query: URLSearchParams,
  name: string,
  words: readonly Word[],
): readonly Word[] {
  const given = readList(query, name, Number.POSITIVE_INFINITY);
  for (const item of given) requireWord(item, name, words);
  return given.length === 0 ? words : words.filter(word => given.includes(word));
}

/** A known word that must be in the query. Throws a 400 `Refusal`. */
export function readWord<Word extends string>(
  query: URLSearchParams,
  name: string,
  words: readonly Word[],
): Word {
  return requireWord(query.get(name) ?? '', name, words);
}

function requireWord<Word extends string>(text: string, name: string, words: readonly Word[]): Word {
  const word = words.find(candidate => candidate === text);
  if (word !== undefined) return word;
  throw new Refusal(400, `${name} must be of ${words.join(', ')}, not "${text}"`);
}
