import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { html } from '../../../src/console/part/html.ts';
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
const draw = (
  rows: readonly Row[],
  more: { readonly isStacked?: boolean; readonly firstRows?: number } = {},
) => renderToString(table({ caption: 'Things', whenEmpty: 'Nothing.', columns, rows, ...more }));

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

test('groups of rows are of one table, each below a heading that is as wide as all columns', () => {
  const drawn = renderToString(
    table({
      ...{ caption: 'Things', columns: columns.map(({ total: _, ...column }) => column) },
      rows: [
        { name: 'a', error: 'lost', count: 1 },
        { name: 'b', error: null, count: 2 },
        { name: 'c', error: null, count: 1 },
      ],
      group: { of: ({ count }) => String(count), heading: ({ count }) => html`<h2>Count ${count}</h2>` },
    }),
  );
  const bodies = drawn.split('<tbody>').slice(1);
  expect(bodies.map(body => body.match(/<h2>.*?<\/h2>|<td>\w<\/td>/g))).toEqual([
    ['<h2>Count 1</h2>', '<td>a</td>', '<td>c</td>'],
    ['<h2>Count 2</h2>', '<td>b</td>'],
  ]);
  expect(drawn).toContain('<tr class="group"><th scope="rowgroup" colspan="3"><h2>Count 1</h2></th></tr>');
});

test.each([
  ['ten cards are all in sight: two more are not worth a tap', 10, {}, 0],
  ['eleven cards are eight and a tap for three more', 11, {}, 3],
  ['as many are in sight as the table says', 11, { firstRows: 4 }, 7],
  ['a table that is one on every screen has all rows', 11, { isStacked: false }, 0],
] as const)('%s', (_, count, more, onTap) => {
  const rows = Array.from({ length: count }, (_each, index) => ({ name: `${index}`, error: null, count: 1 }));
  const text = draw(rows, { isStacked: true, ...more });
  expect(text.match(/<tr class="rest">/g)?.length ?? 0).toBe(onTap);
  expect(/<summary>(.*?)<\/summary>/.exec(text)?.[1]).toBe(onTap === 0 ? undefined : `${onTap} more`);
});
