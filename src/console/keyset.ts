import { PageProblem } from './page-problem.ts';

/** The key a row is sorted by: the value of the column first, then what tells rows with the same value apart. */
export type SortKey = readonly (string | number | null)[];

/** Texts are compared and kept up to here: an address has room for no more. */
const longestText = 300;

/** A text as rows are sorted by it, large and small letters alike. */
export function sortText(text: string): string {
  return text.slice(0, longestText).toLowerCase();
}

/** Compares the first values in the given direction, unknown ones last, and all others upwards. */
export function compareKeys(a: SortKey, b: SortKey, order: 'asc' | 'desc'): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? null;
    if (left === right) continue;
    if (left === null) return 1;
    if (right === null) return -1;
    const isLess = left < right;
    return (index === 0 && order === 'desc') !== isLess ? -1 : 1;
  }
  return 0;
}

/** The text of a key in an address. */
export function writeCursor(key: SortKey): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/**
 * @param length how many values a key has here.
 * @returns undefined for an empty text.
 * @throws PageProblem when no answer can have given it.
 */
export function readCursor(cursor: string, length: number): SortKey | undefined {
  if (cursor === '') return undefined;
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (isSortKey(key) && key.length === length) return key;
  } catch {
    // It is said below.
  }
  throw new PageProblem(400, 'This address cannot be read', 'Its "cursor" is none that an answer gave.', [
    'leave the cursor out to begin with the first rows',
  ]);
}

function isSortKey(key: unknown): key is SortKey {
  return Array.isArray(key) && key.every(each => each === null || ['string', 'number'].includes(typeof each));
}

/** Some of many rows, and where the next ones begin. */
interface RowPart<Row> {
  readonly rows: readonly Row[];
  readonly next_cursor: string | null;
}

/** Rows sorted by their keys: the ones after a cursor. */
export function cutRows<Row>(
  all: readonly Row[],
  keyOf: (row: Row) => SortKey,
  { order, cursor, limit }: Readonly<{ order: 'asc' | 'desc'; cursor: string; limit: number }>,
): RowPart<Row> {
  const sorted = all.map(row => ({ row, key: keyOf(row) })).sort((a, b) => compareKeys(a.key, b.key, order));
  const after = readCursor(cursor, sorted[0]?.key.length ?? 0);
  const found = after === undefined ? sorted : sorted.filter(({ key }) => compareKeys(key, after, order) > 0);
  const { rows, next_cursor } = firstRows(found, limit, ({ key }) => key);
  return { rows: rows.map(({ row }) => row), next_cursor };
}

/** The rows of a page; where others follow, one more was found. */
export function firstRows<Row>(
  found: readonly Row[],
  limit: number,
  keyOf: (row: Row) => SortKey,
): RowPart<Row> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const hasMore = last !== undefined && found.length > limit;
  return { rows, next_cursor: hasMore ? writeCursor(keyOf(last)) : null };
}
