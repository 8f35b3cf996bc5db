import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { requestPath, requestQuery } from '../../src/api/message/request.ts';
import { runs } from '../support/seed.ts';

const route = '/projects/{project_id}/endpoints';

describe('the path of a request', () => {
  test('has its placeholders filled in', () => {
    expect(requestPath({ route, params: { project_id: 'spring-example-302709' } })).toBe(
      '/projects/spring-example-302709/endpoints',
    );
  });

  test.each([
    ['../api_keys', '/projects/..%2Fapi_keys/endpoints'],
    ['a/b', '/projects/a%2Fb/endpoints'],
    ['a?b#c', '/projects/a%3Fb%23c/endpoints'],
    ['%2e%2e', '/projects/%252e%252e/endpoints'],
    ['a\r\nb', '/projects/a%0D%0Ab/endpoints'],
    ['{project_id}', '/projects/%7Bproject_id%7D/endpoints'],
    ['$&', '/projects/%24%26/endpoints'],
    ['…', '/projects/…'.replace('…', '%E2%80%A6/endpoints')],
  ])('encodes the id %j', (id, expected) => {
    expect(requestPath({ route, params: { project_id: id } })).toBe(expected);
  });

  test.each(['', '.', '..', '\ud800', 'x'.repeat(1001)])('refuses the id %j', id => {
    expect(() => requestPath({ route, params: { project_id: id } })).toThrow(
      expect.objectContaining({
        name: 'ApiError',
        reason: 'malformed',
        message:
          'GET /projects/{project_id}/endpoints was not sent: the service gave a project_id that cannot be part of an address, so this object cannot be read',
      }),
    );
  });

  test('never leaves its place, whatever the id', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), id => {
        fc.pre(id !== '.' && id !== '..');
        const path = requestPath({ route, params: { project_id: id } });
        const { pathname, search, hash } = new URL(`http://host/api/v2${path}`);
        const segments = pathname.split('/');
        expect(segments).toHaveLength(6);
        expect(decodeURIComponent(segments[4] ?? '')).toBe(id);
        expect(search + hash).toBe('');
      }),
      { numRuns: runs(40) },
    );
  });
});

test('a query is encoded, a cursor like any other text', () => {
  expect(requestQuery({ limit: '10', cursor: '2022-12-07T00:45:05.262011+00:00 &x' })).toBe(
    '?limit=10&cursor=2022-12-07T00%3A45%3A05.262011%2B00%3A00%20%26x',
  );
  expect(requestQuery({ cursor: '\ud800' })).toBe('?cursor=%EF%BF%BD');
  expect(requestQuery()).toBe('');
});
