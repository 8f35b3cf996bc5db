import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { table } from '../../../src/console/part/table.ts';

const columns = [
  { title: 'Name', total: 'total', show: ({ name }: Row) => name },
  { title: 'Error', isSparse: true, show: ({ error }: Row) => error },
  { number: 'Count', total: '7', show: ({ count }: Row) => count },
];
interface Row {
  readonly name: string;
  readonly error: string | null;
  readonly count: number | string;
}
const draw = (rows: readonly Row[]) =>
  renderToString(table({ caption: 'Things', whenEmpty: 'Nothing.', columns, rows }));

test('a column that may be left out is where it has nothing in any row, with its total; others never are', () => {
  const none = draw([
    { name: 'a', error: null, count: '' },
    { name: 'b', error: '', count: 0 },
  ]);
  expect(none.match(/<th [^>]*>[^<]*/g)?.map(each => each.replace(/.*>/, ''))).toEqual(['Name', 'Count']);
  expect(none.match(/<td[^>]*>[^<]*/g)?.map(each => each.replace(/.*>/, ''))).toEqual([
    ...['a', '', 'b', '0'],
    ...['total', '7'],
  ]);
  const some = draw([
    { name: 'a', error: null, count: 3 },
    { name: 'b', error: '0', count: 4 },
  ]);
  expect(some.match(/<td[^>]*>[^<]*/g)?.map(each => each.replace(/.*>/, ''))).toEqual([
    ...['a', '', '3', 'b', '0', '4'],
    ...['total', '', '7'],
  ]);
});
