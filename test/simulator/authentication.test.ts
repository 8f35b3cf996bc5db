import { expect, test } from 'vitest';
import { type ErrorBody, openService } from './open-service.ts';

test.each([
  ['no header', {}],
  ['the Basic scheme', { authorization: 'Basic first-key' }],
  ['the Token scheme', { authorization: 'Token first-key' }],
  ['the key without a scheme', { authorization: 'first-key' }],
  ['a wrong key', { authorization: 'Bearer another-key' }],
  ['an empty key', { authorization: 'Bearer ' }],
])('a request with %s is answered 401', async (_, headers) => {
  const { simulator } = await openService();
  const response = await fetch(`${simulator.base_url}projects`, { headers });
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    code: '',
    message: 'send "Authorization: Bearer <API_KEY>" with a key that is valid and not revoked',
  });
});

test('the name of the scheme may be written in any case', async () => {
  const { call } = await openService();
  const answers = ['bearer', 'BEARER', 'Bearer'].map(scheme =>
    call('GET', '/projects', undefined, { authorization: `${scheme} first-key` }),
  );
  expect((await Promise.all(answers)).map(answer => answer.status)).toEqual([200, 200, 200]);
});

test('the key is checked before the path, the method and the body', async () => {
  const { call } = await openService();
  const wrong = { authorization: 'Bearer wrong' };
  expect((await call('GET', '/nothing/here', undefined, wrong)).status).toBe(401);
  expect((await call('PUT', '/projects', '{', wrong)).status).toBe(401);
});

test('a revoked key is refused from the next request on, other keys are not', async () => {
  const { call } = await openService();
  const created = await call<{ id: number; key: string }>('POST', '/api_keys', { key_name: 'second' });
  const headers = { authorization: `Bearer ${created.body.key}` };
  expect((await call('GET', '/projects', undefined, headers)).status).toBe(200);
  expect((await call('DELETE', `/api_keys/${created.body.id}`)).status).toBe(200);
  expect((await call('GET', '/projects', undefined, headers)).status).toBe(401);
  expect((await call('GET', '/projects')).status).toBe(200);
});

test('a key can revoke itself and is refused afterwards', async () => {
  const { call } = await openService();
  const keys = await call<{ id: number }[]>('GET', '/api_keys');
  expect((await call('DELETE', `/api_keys/${keys.body[0]?.id}`)).status).toBe(200);
  expect((await call('GET', '/projects')).status).toBe(401);
});

test('an unknown path is 404 and another method is 405 with the methods that are possible', async () => {
  const { call } = await openService();
  expect((await call<ErrorBody>('GET', '/projects/p/branches/b')).status).toBe(404);
  const wrongMethod = await call<ErrorBody>('PUT', '/api_keys', {});
  expect(wrongMethod.status).toBe(405);
  expect(wrongMethod.headers.get('allow')).toBe('POST, GET');
  expect(wrongMethod.body.message).toBe('PUT is not possible at /api_keys, only POST, GET');
});

test('a path whose id is left out is 404', async () => {
  const { call } = await openService();
  expect((await call('GET', '/api_keys/')).status).toBe(404);
  expect((await call('DELETE', '/api_keys/')).status).toBe(404);
  expect((await call('GET', '/projects/')).status).toBe(404);
});

test('a base address that ends in a slash may be joined to a path that begins with one', async () => {
  const { simulator } = await openService();
  const headers = { authorization: 'Bearer first-key' };
  expect((await fetch(`${simulator.base_url}/projects`, { headers })).status).toBe(200);
});

test('calls beyond the rate limit are 429 with the seconds until the minute is over', async () => {
  let now = 1_000_000;
  const { call } = await openService({ rateLimitPerMinute: 2, wallClock: () => now });
  expect((await call('GET', '/projects')).status).toBe(200);
  now += 15_500;
  expect((await call('GET', '/projects')).status).toBe(200);
  const limited = await call<ErrorBody>('GET', '/projects');
  expect(limited.status).toBe(429);
  expect(limited.headers.get('retry-after')).toBe('45');
  now += 44_500;
  expect((await call('GET', '/projects')).status).toBe(200);
});
