import { expect, test } from 'vitest';
import { mayReadPersonalData } from '../../src/daemon/personal-reader.ts';
import { openAccess } from '../../src/resources/web-access.ts';

type Web = Parameters<typeof mayReadPersonalData>[1];

const web = (host: string | undefined, more: Partial<Web> = {}): Web => ({
  listenAddress: [{ host, port: 10062 }],
  systemdSocket: false,
  ...more,
});

test.each([
  ['127.0.0.1', 'localhost:10062', true],
  ['::1', '[::1]:10062', true],
  ['localhost', '127.0.0.1:10062', true],
  ['127.0.0.1', 'evil.example:10062', false],
  ['127.0.0.1', undefined, false],
  ['127.0.0.1', '127.0.0.1.evil.example', false],
  [undefined, 'localhost:10062', false],
  ['0.0.0.0', 'localhost:10062', false],
  ['10.0.0.5', '10.0.0.5:10062', false],
] as const)('served at %s and asked as %s without a login: %s', (host, asked, expected) => {
  expect(mayReadPersonalData(openAccess, web(host), asked)).toBe(expected);
});

test('of several places each must be on this host, and handed-over sockets are not known to be', () => {
  const both = web('127.0.0.1', {
    listenAddress: [
      { host: '127.0.0.1', port: 1 },
      { host: '', port: 2 },
    ],
  });
  expect(mayReadPersonalData(openAccess, both, 'localhost')).toBe(false);
  expect(mayReadPersonalData(openAccess, web('127.0.0.1', { systemdSocket: true }), 'localhost')).toBe(false);
});

test('whoever has to log in or to show a certificate may', () => {
  const users = { ...openAccess, users: new Map([['a', 'hash']]) };
  expect(mayReadPersonalData(users, web(undefined), 'exporter.example')).toBe(true);
  const certified = { ...openAccess, tls: { clientAuth: 'RequireAndVerifyClientCert' } } as typeof openAccess;
  expect(mayReadPersonalData(certified, web(undefined), 'exporter.example')).toBe(true);
});
