import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { choiceField, filterForm } from '../../../src/console/part/filter-form.ts';
import { html } from '../../../src/console/part/html.ts';
import { pager } from '../../../src/console/part/pager.ts';

const draw = (part: unknown) => renderToString(html`<div>${part}</div>`);

test('a filter is a form whose fields have the values of the address, hostile ones as text', () => {
  const drawn = draw(
    filterForm({
      label: 'Filter of projects',
      path: '/projects',
      fields: [
        { name: 'q', label: 'Search', value: '"><script>' },
        {
          name: 'region',
          label: 'Region',
          value: '<b>',
          options: [
            { value: '', label: 'all' },
            { value: '<b>', label: '<b>', group: 'x' },
          ],
        },
      ],
      kept: { sort: 'name' },
    }),
  );
  expect(drawn).toContain('value="&quot;>&lt;script>"');
  expect(drawn).toContain('<option value="&lt;b>" selected>&lt;b></option>');
  expect(drawn).toContain('<input type="hidden" name="sort" value="name"');
  expect(drawn).toContain('<a class="a" href="/projects?sort=name">Show all</a>');
  expect(drawn).not.toMatch(/<script|<b>/);
});

test('one of many options is written, and those there are are offered; one of a few is chosen', () => {
  const names = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ value: `team/<${index}>`, label: String(index) }));
  const field = { name: 'group', label: 'Group', value: 'team/<3>' };
  const form = (count: number) =>
    draw(filterForm({ label: 'x', path: '/projects', fields: [choiceField(field, names(count))] }));
  const many = form(31);
  expect(many).toContain('value="team/&lt;3>"');
  expect(many).toContain('list="group-suggestions"');
  expect(many).toContain('<datalist id="group-suggestions"><option value="team/&lt;0>"></option>');
  expect(many.match(/<option/g)).toHaveLength(31);
  expect(many).toContain('Show all');
  const few = form(30);
  expect(few).toContain('<option value="team/&lt;3>" selected>3</option>');
  expect(few).not.toContain('datalist');
});

test('a part of a name that is asked for is among those that are chosen from', () => {
  const field = { name: 'group', label: 'Group', value: 'tea' };
  const options = [{ value: 'team/web', label: 'web' }];
  const drawn = draw(filterForm({ label: 'x', path: '/', fields: [choiceField(field, options)] }));
  expect(drawn).toContain('<option value="tea" selected>tea</option>');
});

test('a pager leads on by a cursor and back to the beginning, and keeps the rest of the address', () => {
  const options = { path: '/projects', state: { sort: 'name' }, noun: 'projects', shown: 50, total: 120 };
  const first = draw(pager({ ...options, cursor: '', nextCursor: 'abc' }));
  expect(first).toContain('50 of 120 projects');
  expect(first).toContain('href="/projects?sort=name&amp;cursor=abc">Next');
  const last = draw(pager({ ...options, cursor: 'abc', nextCursor: null }));
  expect(last).toContain('href="/projects?sort=name">To the beginning');
  expect(last).not.toContain('Next');
  const one = { ...options, shown: 1, total: 1, cursor: '', nextCursor: null };
  expect(draw(pager({ ...one, noun: 'operations in progress' }))).toContain('1 operation in progress<');
  expect(draw(pager({ ...one, noun: 'failed operations' }))).toContain('1 failed operation<');
});
