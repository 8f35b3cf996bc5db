import { expect, test } from 'vitest';
import {
  compareKeys,
  cutRows,
  readCursor,
  type SortKey,
  sortText,
  writeCursor,
} from '../../src/console/keyset.ts';
import { PageProblem } from '../../src/console/page-problem.ts';

const keys: SortKey[] = [
  [3, 'a'],
  [null, 'b'],
  [1, 'c'],
  [3, 'd'],
  [2, 'e'],
];
const sorted = (order: 'asc' | 'desc') => keys.toSorted((a, b) => compareKeys(a, b, order));

test('rows are sorted either way, those without a value last and equal ones by what tells them apart', () => {
  expect(sorted('asc').map(([, id]) => id)).toEqual(['c', 'e', 'a', 'd', 'b']);
  expect(sorted('desc').map(([, id]) => id)).toEqual(['a', 'd', 'e', 'c', 'b']);
});

test.each(['asc', 'desc'] as const)('parts one after the other are all rows once (%s)', order => {
  const found: (string | number | null | undefined)[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const part: ReturnType<typeof cutRows<SortKey>> = cutRows(sorted(order), key => key, {
      order,
      cursor,
      limit: 2,
    });
    found.push(...part.rows.map(([, id]) => id));
    cursor = part.next_cursor;
  }
  expect(found).toEqual(sorted(order).map(([, id]) => id));
});

test('a row that comes or goes shifts none', () => {
  const rows = sorted('asc');
  const first = cutRows(rows, key => key, { order: 'asc', cursor: '', limit: 3 });
  const changed: SortKey[] = [[0, 'new'], ...rows.filter(([, id]) => id !== 'a')];
  const second = cutRows(changed, key => key, { order: 'asc', cursor: first.next_cursor ?? '', limit: 3 });
  expect(second.rows.map(([, id]) => id)).toEqual(['d', 'b']);
});

test('a cursor that no answer gave is refused with what to do', () => {
  for (const cursor of ['x', writeCursor(['one value']), Buffer.from('[{}, 1]').toString('base64url')]) {
    expect(() => readCursor(cursor, 2)).toThrow(PageProblem);
  }
  expect(readCursor('', 2)).toBeUndefined();
});

test('a name of ten thousand characters leaves room for its cursor in an address', () => {
  expect(writeCursor([sortText('x'.repeat(10_000)), sortText('y'.repeat(10_000))]).length).toBeLessThan(2000);
});
