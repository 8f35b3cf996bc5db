import { expect, test } from 'vitest';
import { openService } from './open-service.ts';

interface KeyItem {
  readonly id: number;
  readonly name: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly last_used_from_addr: string;
}

test('creating a key returns its integer id and the secret, which is never shown again', async () => {
  const { call } = await openService();
  const { status, body } = await call<{ id: number; key: string }>('POST', '/api_keys', { key_name: 'ci' });
  expect(status).toBe(201);
  expect(Object.keys(body)).toEqual(['id', 'key']);
  expect(Number.isInteger(body.id)).toBe(true);
  const list = await call<KeyItem[]>('GET', '/api_keys');
  expect(JSON.stringify(list.body)).not.toContain(body.key);
  expect(list.body.find(key => key.id === body.id)).toEqual({
    id: body.id,
    name: 'ci',
    created_at: '2026-03-02T10:00:00Z',
    last_used_at: null,
    last_used_from_addr: '',
  });
});

test('a key can be created with a form-encoded body, and a name of digits stays text', async () => {
  const { call } = await openService();
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const created = await call<{ id: number }>('POST', '/api_keys', 'key_name=42', form);
  expect(created.status).toBe(201);
  const list = await call<KeyItem[]>('GET', '/api_keys');
  expect(list.body.find(key => key.id === created.body.id)?.name).toBe('42');
});

test.each([
  ['an empty body', ''],
  ['malformed JSON', '{"key_name":'],
  ['a JSON array', '["ci"]'],
  ['no key_name', '{}'],
  ['a key_name that is not a string', '{"key_name":7}'],
  ['an empty key_name', '{"key_name":""}'],
])('creating a key with %s is 400', async (_, body) => {
  const { call } = await openService();
  expect((await call('POST', '/api_keys', body)).status).toBe(400);
});

test('every use of a key updates when and from where it was last used', async () => {
  const { call, advance } = await openService();
  const created = await call<{ id: number; key: string }>('POST', '/api_keys', { key_name: 'ci' });
  await advance(90);
  await call('GET', '/projects', undefined, { authorization: `Bearer ${created.body.key}` });
  const list = await call<KeyItem[]>('GET', '/api_keys');
  expect(list.body.find(key => key.id === created.body.id)).toMatchObject({
    last_used_at: '2026-03-02T10:01:30Z',
    last_used_from_addr: '127.0.0.1',
  });
});

test('X-Forwarded-For becomes the address a key was last used from, the whole chain without spaces', async () => {
  const { call } = await openService();
  const forwarded = { 'x-forwarded-for': '49.43.218.132, 34.211.200.85' };
  const list = await call<KeyItem[]>('GET', '/api_keys', undefined, forwarded);
  expect(list.body[0]?.last_used_from_addr).toBe('49.43.218.132,34.211.200.85');
});

test('revoking shows the key as revoked, takes it out of the list and cannot be repeated', async () => {
  const { call } = await openService();
  const { body } = await call<{ id: number }>('POST', '/api_keys', { key_name: 'old' });
  const revoked = await call('DELETE', `/api_keys/${body.id}`);
  expect(revoked.status).toBe(200);
  expect(revoked.body).toEqual({
    id: body.id,
    name: 'old',
    revoked: true,
    last_used_at: null,
    last_used_from_addr: '',
  });
  const list = await call<KeyItem[]>('GET', '/api_keys');
  expect(list.body.some(key => key.id === body.id)).toBe(false);
  expect((await call('DELETE', `/api_keys/${body.id}`)).status).toBe(404);
});

test('a key id that is no integer is 400', async () => {
  const { call } = await openService();
  expect((await call('DELETE', '/api_keys/abc')).status).toBe(400);
});

test('an account has fresh keys, keys unused for more than 45 days and keys never used', async () => {
  const { call, advance } = await openService({ historyDays: 30 });
  const { now } = (await advance(0)).body;
  const { body } = await call<KeyItem[]>('GET', '/api_keys');
  const idleDays = body.map(({ last_used_at }) =>
    last_used_at === null ? 'never' : (Date.parse(now) - Date.parse(last_used_at)) / 86_400_000,
  );
  expect(idleDays.filter(days => days === 'never').length).toBeGreaterThan(0);
  expect(idleDays.filter(days => typeof days === 'number' && days > 45).length).toBeGreaterThan(0);
  expect(idleDays.filter(days => typeof days === 'number' && days < 1).length).toBeGreaterThan(1);
});
