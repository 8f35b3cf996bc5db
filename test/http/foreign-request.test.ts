import { expect, test } from 'vitest';
import { findForeign } from '../../src/http/doorkeeper.ts';
import { openAccess, type WebAccess } from '../../src/resources/web-access.ts';
import { openServer } from './open-server.ts';

const names = {
  listen: [{ host: 'metrics.internal', port: 10062 }, { fd: 3 }],
  externalUrl: 'https://dbpm.example.com:8443',
};
const users: WebAccess = { ...openAccess, users: new Map([['alice', 'hash']]) };
const certified = { ...openAccess, tls: { clientAuth: 'RequireAndVerifyClientCert' } } as WebAccess;
const uncertified = { ...openAccess, tls: { clientAuth: 'RequireAnyClientCert' } } as WebAccess;

test.each([
  ['127.0.0.1:10062', true],
  ['localhost:10062', true],
  ['LOCALHOST', true],
  ['dbpm.localhost:10062', true],
  ['[::1]:10062', true],
  ['192.0.2.7:10062', true],
  ['[2001:db8::7]', true],
  ['dbpm-exporter:10062', true],
  ['metrics.internal:10062', true],
  ['dbpm.example.com', true],
  [undefined, true],
  ['evil.example', false],
  ['evil.example:10062', false],
  ['127.0.0.1.evil.example', false],
  ['localhost.evil.example:10062', false],
  ['dbpm.example.com.evil.example', false],
  ['[::1].evil.example', false],
])('without a login a Host of %s is answered: %s', (host, isAnswered) => {
  const request = { method: 'GET', headers: { host } };
  expect(findForeign(request, openAccess, names) === undefined).toBe(isAnswered);
  expect(findForeign(request, uncertified, names) === undefined).toBe(isAnswered);
  for (const access of [users, certified]) expect(findForeign(request, access, names)).toBeUndefined();
});

test.each([
  [undefined, 'localhost:10062', true],
  ['http://localhost:10062', 'localhost:10062', true],
  ['https://dbpm.example.com', 'dbpm.example.com', true],
  ['https://dbpm.example.com:8443', '127.0.0.1:10062', true],
  ['http://localhost:3000', 'localhost:10062', false],
  ['https://dbpm.example.com', '127.0.0.1:10062', false],
  ['https://evil.example', 'localhost:10062', false],
  ['null', 'localhost:10062', false],
  ['', 'localhost:10062', false],
])('a POST from a page of %s to %s is answered, with a login and without: %s', (origin, host, isAnswered) => {
  const headers = { host, ...(origin !== undefined && { origin }) };
  for (const access of [openAccess, users]) {
    expect(findForeign({ method: 'POST', headers }, access, names) === undefined).toBe(isAnswered);
    expect(findForeign({ method: 'GET', headers: { ...headers, host: 'x' } }, access, names)).toBeUndefined();
  }
});

test('a server refuses what foreign pages ask, says what to do, and answers probes by any name', async () => {
  let reloads = 0;
  const { get } = await openServer({
    reload: async () => {
      reloads += 1;
      return [];
    },
  });
  const rebound = await get('/metrics', { host: 'evil.example' });
  expect([rebound.status, rebound.body]).toEqual([
    403,
    'This is not served by that name. Ask by an address in numbers, or name the address with web.external_url.\n',
  ]);
  expect((await get('/-/healthy', { host: 'probe.example' })).status).toBe(200);
  const post = (origin: string) => get('/-/reload', { origin }, { method: 'POST' });
  const foreign = await post('https://evil.example');
  expect([foreign.status, reloads]).toEqual([403, 0]);
  expect(foreign.body).toContain('name that with web.external_url');
  expect((await get('/-/reload', {}, { method: 'POST' })).status).toBe(200);
  expect(reloads).toBe(1);
});
