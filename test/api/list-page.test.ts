import { describe, expect, test } from 'vitest';
import { parseListPage } from '../../src/api/message/list-page.ts';

const projects = { route: '/projects', itemsKey: 'projects' };
const keys = { route: '/api_keys' };

describe('the answer of a list', () => {
  test('is an object with the items, a cursor and what could not be served', () => {
    const body = {
      projects: [{ id: 'a' }],
      pagination: { cursor: 'a', next: 'x' },
      unavailable_project_ids: ['b'],
      surprise: 1,
    };
    expect(parseListPage(body, projects)).toEqual({
      items: [{ id: 'a' }],
      cursor: 'a',
      unavailableIds: ['b'],
    });
  });

  test('may be the array itself', () => {
    expect(parseListPage([{ id: 1 }], keys)).toEqual({
      items: [{ id: 1 }],
      cursor: undefined,
      unavailableIds: [],
    });
  });

  test.each([undefined, null, {}, { cursor: null }, { cursor: '' }])(
    'names no next page when its pagination is %j',
    pagination => {
      expect(parseListPage({ projects: [], pagination }, projects).cursor).toBeUndefined();
    },
  );

  test('may name the next page by a number', () => {
    expect(parseListPage({ projects: [], pagination: { cursor: 17 } }, projects).cursor).toBe('17');
  });

  test('may name what could not be served by anything at all', () => {
    const unavailable_project_ids = ['a', 7, null, { toString: 1 }, [[]], Object.create(null)];
    expect(parseListPage({ projects: [], unavailable_project_ids }, projects).unavailableIds).toEqual([
      'a',
      '7',
      'null',
      '{"toString":1}',
      '[[]]',
      '{}',
    ]);
  });

  test.each([
    [null, 'is not an object'],
    [[], 'is not an object'],
    ['projects', 'is not an object'],
    [{}, 'has no array "projects"'],
    [{ projects: null }, 'has no array "projects"'],
    [{ projects: {} }, 'has no array "projects"'],
    [{ projects: [], pagination: 'next' }, 'has a "pagination" that is not an object'],
    [{ projects: [], pagination: { cursor: {} } }, 'has a "cursor" that cannot be sent back'],
    [{ projects: [], pagination: { cursor: 'x'.repeat(4097) } }, 'has a "cursor" that cannot be sent back'],
    [{ projects: [], unavailable_project_ids: 'p1' }, 'has "unavailable_project_ids" that are not an array'],
  ])('is malformed when it is %j', (body, problem) => {
    expect(() => parseListPage(body, projects)).toThrow(
      expect.objectContaining({
        reason: 'malformed',
        message: `the answer of GET /projects ${problem}: check that base_url is that of an API of version 2`,
      }),
    );
  });

  test('is malformed when it is an object where the array itself is due', () => {
    expect(() => parseListPage({ api_keys: [] }, keys)).toThrow(
      'the answer of GET /api_keys is not an array: check that base_url is that of an API of version 2',
    );
  });
});
